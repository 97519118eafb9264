"""Raw sentences of the data folder for a teacher of parsers to label, tokens split at spaces.

    python recipes/raw_text.py news DATA > news.txt
    python recipes/raw_text.py other DATA > other.txt

`news`: sources of the compression corpora, Reuters, sport. `other`: Wikipedia, captions, and the
short, informal and imperative sentences of people who learn a language.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from google_large import records as large_records

from treewright.corpora import read_pairs
from treewright.text import split_sentences
from treewright.trees import escape_token, parse_tree

SHORTEST, LONGEST = 4, 45


def news(data: Path) -> Iterator[str]:
    """Yield sentences of the kind that the WSJ has."""
    for name in ("broadcast", "written", "google"):
        for pair in read_pairs(data / "compression" / f"{name}.train.jsonl"):
            yield " ".join(pair.source.words())
    large = (str(record["source"]) for record in large_records(data / "compression"))
    yield from sample((" ".join(parse_tree(tree).words()) for tree in large), 12_000)
    yield from sample(lines(data / "paraphrase" / "corpus" / "reuters.txt.gz"), 10_000)
    yield from sample(articles(data / "propositions" / "bbcsport.train.jsonl"), 1_000)


def other(data: Path) -> Iterator[str]:
    """Yield sentences of other kinds."""
    yield from sample(lines(data / "paraphrase" / "corpus" / "wikipedia.txt.gz"), 7_000)
    learners = (data / "translation" / "zh-en" / "train.raw.en").read_text(encoding="utf-8")
    yield from sample(filter(None, map(tokenised, learners.splitlines())), 9_000)
    captions = (data / "translation" / "multi30k" / "train.raw.en").read_text(encoding="utf-8")
    yield from sample(filter(None, map(tokenised, captions.splitlines())), 1_500)


def lines(path: Path) -> Iterator[str]:
    """Yield the sentences of a file that is already tokenised."""
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        for line in handle:
            yield " ".join(map(escape_token, line.split()))


def articles(path: Path) -> Iterator[str]:
    """Yield the sentences of articles."""
    for line in path.read_text(encoding="utf-8").splitlines():
        for sentence in json.loads(line)["sentences"]:
            yield " ".join(map(escape_token, sentence.split()))


def tokenised(text: str) -> str:
    """Return the tokens of a line that holds one sentence, or nothing."""
    sentences = list(split_sentences(text))
    return " ".join(sentences[0].penn) if len(sentences) == 1 else ""


def sample(sentences: Iterable[str], size: int) -> list[str]:
    """Return some of the sentences, always the same ones."""
    found = [line for line in dict.fromkeys(sentences) if line]
    return random.Random(1).sample(found, min(size, len(found)))


def main() -> None:
    """Print the sentences, each once."""
    kind, data = sys.argv[1:]
    found = {"news": news, "other": other}[kind](Path(data))
    for line in dict.fromkeys(found):
        if SHORTEST <= len(line.split(" ")) <= LONGEST:
            print(line)


if __name__ == "__main__":
    main()

"""google-large as pairs of flat trees, with words of google in place of `##` and `<unk>`.

    python recipes/google_large.py DATA/compression > google-large.train.jsonl

Learners parse the sources again, so flat trees do. Numbers and rare words are drawn from those that
google's sources have with the same tag, always the same ones.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from treewright.corpora import read_records
from treewright.trees import Tree, escape_token

NUMBER, UNKNOWN = ("#", "##"), "<unk>"
LIKE_NUMBERS, LIKE_NAMES = "CD", "NNP"


class Filler:
    """Numbers and rare words by their tags."""

    def __init__(self, path: Path, seed: int = 1) -> None:
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for record in read_records(path):
            for leaf in record.source.preterminals():
                counts[leaf.label][leaf.word or ""] += 1
        self.numbers = {
            tag: [word for word in sorted(words.elements()) if any(map(str.isdigit, word))]
            for tag, words in counts.items()
        }
        self.rare = {
            tag: sorted(word for word, n in words.items() if n == 1 and word.isalpha())
            for tag, words in counts.items()
        }
        self.random = random.Random(seed)

    def fill(self, word: str, tag: str) -> str:
        """Return the word itself, or one in its place."""
        if word in NUMBER:
            return self.random.choice(self.numbers.get(tag) or self.numbers[LIKE_NUMBERS])
        if word.lower() == UNKNOWN:
            return self.random.choice(self.rare.get(tag) or self.rare[LIKE_NAMES])
        return word


def records(folder: Path) -> Iterator[dict[str, object]]:
    """Yield pairs of flat trees."""
    filler = Filler(folder / "google.train.jsonl")
    with gzip.open(folder / "google-large.train.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            tags = item["tags"].split()
            words = [filler.fill(*both) for both in zip(item["tokens"].split(), tags, strict=True)]
            leaves = [Tree("X", word=escape_token(word)) for word in words]
            kept = [leaves[place] for place in item["kept"]]
            if kept:
                source, target = (str(Tree("ROOT", part)) for part in (leaves, kept))
                yield {"id": item["id"], "source": source, "targets": [target]}


if __name__ == "__main__":
    for record in records(Path(sys.argv[1])):
        print(json.dumps(record, ensure_ascii=False))

"""`EmbeddedParser`: the parser that comes with the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from treewright.parsing.embedded.blas import one_blas_thread
from treewright.parsing.embedded.network import Network
from treewright.parsing.embedded.pieces import cut_long, group, join_pieces
from treewright.parsing.embedded.weights import Weights
from treewright.parsing.protocol import check_sentences
from treewright.trees import Tree

SHIPPED = Path(__file__).with_name("english.model")
THRESHOLD = 0.5
"""The probability above which a constituent is kept, unless the model says another; English F1 on
dev is flat from 0.4 to 0.5.
"""
_BATCH = 3_000
"""Tokens processed together by the network."""


class EmbeddedParser:
    """A constituency parser and tagger; safe to call from several threads."""

    def __init__(self, weights: Weights, *, treebank: str | None = None) -> None:
        self.inventory = weights.inventory
        self.metadata = weights.metadata
        self.treebank = treebank or str(weights.metadata.get("style", self.inventory.treebanks[0]))
        self.inventory.treebank(self.treebank)
        self.threshold = float(weights.metadata.get("threshold", THRESHOLD))
        self.network = Network(weights)

    @classmethod
    def load(cls, path: str | Path | None = None, *, treebank: str | None = None) -> EmbeddedParser:
        """Load the parser in `path`, or the shipped one; `treebank` is the style of trees."""
        return cls(_shipped() if path is None else Weights.read(path), treebank=treebank)

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return one tree per sentence, in order, rooted in ROOT, whose words are the tokens."""
        check_sentences(sentences)
        pieces: list[Sequence[str]] = []
        counts = []
        for words in sentences:
            cut = cut_long(words)
            pieces.extend(cut)
            counts.append(len(cut))
        trees = iter(self._parse_pieces(pieces))
        return [join_pieces([next(trees) for _ in range(count)]) for count in counts]

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags that the trees of the sentences would have, without making trees."""
        check_sentences(sentences)
        names = self.inventory.tags
        style = self.inventory.treebank(self.treebank)
        found: dict[int, list[str]] = {}
        with one_blas_thread():
            for numbers in _by_length(sentences):
                given = [sentences[i] for i in numbers]
                for number, tags in zip(numbers, self.network.tags(given, style), strict=True):
                    found[number] = [names[tag] for tag in tags.tolist()]
        return [found[number] for number in range(len(sentences))]

    def _parse_pieces(self, pieces: Sequence[Sequence[str]]) -> list[Tree]:
        trees: dict[int, Tree] = {}
        style = self.inventory.treebank(self.treebank)
        with one_blas_thread():
            for numbers in _by_length(pieces):
                found = self.network.analyse([pieces[i] for i in numbers], style, self.threshold)
                for number, (tags, spans) in zip(numbers, found, strict=True):
                    trees[number] = self.inventory.tree(pieces[number], tags, spans)
        return [trees[number] for number in range(len(pieces))]


@lru_cache(maxsize=1)
def _shipped() -> Weights:
    return Weights.read(SHIPPED)


def _by_length(pieces: Sequence[Sequence[str]]) -> list[list[int]]:
    """Group sentences of similar length, so the sentences of a batch end together."""
    lengths = [len(words) for words in pieces]
    return group(sorted(range(len(pieces)), key=lengths.__getitem__), lengths, _BATCH)

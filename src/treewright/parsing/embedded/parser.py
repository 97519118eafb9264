"""`EmbeddedParser`: the parser that comes with the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from treewright.parsing.embedded.blas import one_blas_thread
from treewright.parsing.embedded.network import Analysis, Network
from treewright.parsing.embedded.pieces import cut_long, join_pieces
from treewright.parsing.embedded.spans import Span, tree_of
from treewright.parsing.embedded.weights import Weights
from treewright.parsing.protocol import check_sentences
from treewright.trees import Tree

SHIPPED = Path(__file__).with_name("english.model")
THRESHOLD = 0.5
"""Probability beyond which a constituent is worth having; F1 on dev is flat from 0.4 to 0.5."""
_BATCH = 3_000
"""Tokens that go through the network together."""


class EmbeddedParser:
    """A constituency parser and tagger for English; safe to call from several threads."""

    def __init__(self, weights: Weights, *, treebank: str | None = None) -> None:
        self.inventory = weights.inventory
        self.metadata = weights.metadata
        self.treebank = treebank or str(weights.metadata.get("style", self.inventory.treebanks[0]))
        self.inventory.treebank(self.treebank)
        self.network = Network(weights)

    @classmethod
    def load(cls, path: str | Path | None = None, *, treebank: str | None = None) -> EmbeddedParser:
        """Load the parser in `path`, or the package's own; `treebank` is the style of trees."""
        return cls(_shipped() if path is None else Weights.read(path), treebank=treebank)

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return one tree a sentence, in order, rooted in ROOT, with the very tokens as words."""
        check_sentences(sentences)
        pieces: list[Sequence[str]] = []
        counts = []
        for words in sentences:
            cut = cut_long(words)
            pieces.extend(cut)
            counts.append(len(cut))
        trees = iter(self._parse_pieces(pieces))
        return [join_pieces([next(trees) for _ in range(count)]) for count in counts]

    def _parse_pieces(self, pieces: Sequence[Sequence[str]]) -> list[Tree]:
        trees: dict[int, Tree] = {}
        style = self.inventory.treebank(self.treebank)
        with one_blas_thread():
            for group in _groups(pieces):
                found = self.network.analyse([pieces[i] for i in group], style, THRESHOLD)
                for number, analysis in zip(group, found, strict=True):
                    trees[number] = self._tree(pieces[number], analysis)
        return [trees[number] for number in range(len(pieces))]

    def _tree(self, words: Sequence[str], analysis: Analysis) -> Tree:
        tags = [self.inventory.tags[tag] for tag in analysis.tags.tolist()]
        labels = self.inventory.labels
        spans = [Span(start, end, labels[label]) for start, end, label in analysis.spans.tolist()]
        return tree_of(words, tags, spans)


@lru_cache(maxsize=1)
def _shipped() -> Weights:
    return Weights.read(SHIPPED)


def _groups(pieces: Sequence[Sequence[str]]) -> list[list[int]]:
    """Group sentences of like length, so that a batch's sentences end together."""
    order: Any = np.argsort([len(words) for words in pieces], kind="stable")
    groups: list[list[int]] = []
    size = _BATCH
    for number in order.tolist():
        if size + len(pieces[number]) > _BATCH:
            groups.append([])
            size = 0
        groups[-1].append(number)
        size += len(pieces[number])
    return groups

"""Examples for the network: the forest of each source, what it looks at, and the target's edges."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import Pair
from treewright.forest import Forest
from treewright.grammar import Grammar
from treewright.learning.learner import fingerprint
from treewright.learning.linear.examples import FREE, FreePruning
from treewright.learning.linear.gold import allowed_edges, find_tokens, smallest_rules
from treewright.progress import SILENT, Progress
from treewright.pruning import Pruner
from treewright.pruning.encoded import SPECIAL, Places
from treewright.transduction import EdgeKind
from treewright.trees import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Source:
    """A tree to prune; the labels of its forest are rows: nodes that are dropped, then gaps."""

    words: tuple[str, ...]
    places: Places
    forest: Forest

    def __len__(self) -> int:
        return len(self.words)

    @property
    def num_nodes(self) -> int:
        """The number of rows of nodes."""
        return len(self.places.head)

    @property
    def num_gaps(self) -> int:
        """The number of rows of gaps."""
        return len(self.places.gap_kind)


@dataclass(frozen=True, eq=False)
class Example:
    """A target of a source: how often its derivation uses each row, and its style."""

    source: Source
    style: int
    gold: Floats

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True, eq=False)
class NeuralData:
    """What every run needs, prepared once.

    Everyone who shortens a text has a style: each `style` is a corpus or an annotator, and one
    network learns them all.
    """

    labels: tuple[str, ...]
    styles: tuple[str, ...]
    examples: Sequence[Example]
    fingerprint: str

    def only(self, styles: Collection[str]) -> NeuralData:
        """Return the examples of some styles; numbers are unchanged."""
        wanted = {self.styles.index(style) for style in styles}
        chosen = [example for example in self.examples if example.style in wanted]
        return replace(self, examples=chosen)


def prepare(
    pairs: Sequence[Pair], styles: Sequence[str], *, progress: Progress = SILENT
) -> NeuralData:
    """Build the forests of aligned pairs, each with the style at the same position."""
    labels = tuple(dict.fromkeys((*SPECIAL, *_labels(pair.source for pair in pairs))))
    names = tuple(dict.fromkeys(styles))
    builder = _Builder({label: number for number, label in enumerate(labels)})
    examples = []
    both = list(zip(pairs, styles, strict=True))
    for pair, style in progress.track(both, "building forests", len(both)):
        kept = np.zeros(len(pair.source.words()), dtype=np.bool_)
        kept[[i for i, _ in pair.alignment or ()]] = True
        source, gold = builder.example(pair.source, kept)
        examples.append(Example(source, names.index(style), gold))
    return NeuralData(labels, names, examples, fingerprint(pairs))


def _labels(trees: Iterable[Tree]) -> list[str]:
    return sorted({node.label for tree in trees for node in tree.nodes()})


class _Builder:
    """Makes sources and finds targets in them; several targets share one source."""

    def __init__(self, labels: dict[str, int]) -> None:
        self.labels = labels
        self._transducer = Pruner(Grammar.from_counts({}), FREE, FreePruning(open=True))
        self._last: tuple[Tree, Source] | None = None

    def example(self, tree: Tree, kept: NDArray[np.bool_]) -> tuple[Source, Floats]:
        """Return the source, and how often the derivation that keeps these tokens uses a row."""
        forest = self._transducer.forest(tree)
        source, edges = forest.source, forest.edges
        rows = np.select(
            [edges.kind == EdgeKind.GAP, edges.kind == EdgeKind.DELETE],
            [edges.gap + len(source), edges.node],
            -1,
        )
        plain = replace(forest.forest, label=rows.astype(np.int32))
        if self._last is None or self._last[0] is not tree:
            places = Places.of(source, forest.gaps, self.labels)
            self._last = (tree, Source(tree.words(), places, plain))
        allowed = allowed_edges(find_tokens(forest), plain.num_edges, kept)
        derivation = smallest_rules(plain, allowed, np.ones(plain.num_edges, dtype=np.bool_))
        assert derivation is not None, "a forest of prunings derives every choice of tokens"
        used = rows[list(derivation.edges())]
        length = len(source) + len(forest.gaps.parent)
        gold = np.bincount(used[used >= 0], minlength=length).astype(np.float64)
        return self._last[1], gold

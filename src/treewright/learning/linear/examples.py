"""Examples: the forest of each source tree, the features of its edges, and its target in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools, Longs
from treewright.corpora import Pair
from treewright.forest import Derivation, Forest, best_by_two_counts, restrict, viterbi
from treewright.grammar import FlatUnseen, Grammar, Rule
from treewright.grammar.features import FeatureIndex, RuleFeatures
from treewright.learning.learner import fingerprint
from treewright.learning.linear.gold import Tokens, allowed_edges, find_tokens, smallest_rules
from treewright.learning.linear.rows import NO_ROW, FeatureRows, number_features
from treewright.learning.margin.losses import LOSSES
from treewright.pruning import CompressionForest, Gaps, Prices, Pruner
from treewright.pruning.features import KeyMaker, Keys, Surroundings
from treewright.transduction import EdgeKind
from treewright.trees import Tree, TreeTable


@dataclass(frozen=True, eq=False)
class Source:
    """All derivations of one source tree; the labels of its forest are the rows of its edges."""

    forest: Forest
    own: Bools
    """Which edges are the tree's own, not the grammar's."""
    tokens: Tokens

    def rows(self, derivation: Derivation) -> Longs:
        """Return the rows of a derivation."""
        rows = self.forest.label[list(derivation.edges())]
        labelled: Longs = rows[rows != NO_ROW].astype(np.int64)
        return labelled


@dataclass(frozen=True, eq=False)
class Example:
    """A target of a source: the edges of its derivations, and the derivation with the smallest
    rules.

    If no derivation gives the target, `allowed` is `None`, and `gold` comes as close as any.
    """

    id: str
    source: Source
    target: tuple[str, ...]
    places: Bools
    """Which tokens of the source the target has."""
    allowed: Bools | None
    gold: Derivation

    @cached_property
    def gold_rows(self) -> Longs:
        """The rows of the gold derivation."""
        return self.source.rows(self.gold)

    @property
    def gold_forest(self) -> Forest:
        """All derivations of the target, or the nearest one."""
        allowed = self.allowed
        if allowed is None:
            allowed = edges_of(self.source.forest, self.gold)
        return restrict(self.source.forest, allowed).forest


@dataclass(frozen=True, eq=False)
class ExampleSet:
    """What every linear learner needs, prepared once.

    `features` and `index` are those of rules, `keys` those of nodes and gaps, in the order of their
    columns, which come after those of rules. `unreached` names the pairs whose target no derivation
    gives.
    """

    grammar: Grammar
    features: RuleFeatures
    index: FeatureIndex
    maker: KeyMaker
    keys: NDArray[np.uint64]
    rows: FeatureRows
    sources: Sequence[Source]
    examples: Sequence[Example]
    unreached: Sequence[str]
    fingerprint: str


class FreePruning:
    """Every gap and every deletion at price 0: the forest of all derivations, unweighted."""

    def __init__(self, *, open: bool) -> None:
        self.open = open

    def prices(self, source: TreeTable, gaps: Gaps) -> Prices:
        """Return zeros."""
        return Prices(np.zeros(len(gaps.parent)), np.zeros(len(source)))

    def ready(self, sources: Sequence[TreeTable]) -> Sequence[FreePruning]:
        """Return the pruning of each tree: this one."""
        return [self] * len(sources)

    def at(self, share: float) -> FreePruning:
        """Return itself: its prices are the same for every share of the words."""
        return self


FREE = FlatUnseen({}, {}, (0.0, 0.0))


class Preparation:
    """Makes an `ExampleSet`: forests first, then the features that occur in them."""

    def __init__(
        self, grammar: Grammar, features: RuleFeatures, maker: KeyMaker, *, open: bool
    ) -> None:
        self.grammar = grammar
        self.features = features
        self.maker = maker
        self._transducer = Pruner(grammar, FREE, FreePruning(open=open))
        self._copies: dict[Rule, int] = {}
        self._forests: dict[Tree, CompressionForest] = {}
        self._keys: list[Keys] = []
        self._spans: list[Longs] = []

    def add(self, source: Tree) -> None:
        """Build the forest of a source tree, unless it exists, and list its features."""
        if source in self._forests:
            return
        forest = self._forests[source] = self._transducer.forest(source)
        tree = Surroundings.of(forest.source, forest.gaps)
        self._keys.append(self.maker(tree))
        self._spans.append(np.stack([tree.first[:-1] - 1, tree.last[:-1]], axis=1))

    def finish(self, pairs: Sequence[Pair], min_count: int) -> ExampleSet:
        """Number the features and find the targets of pairs whose sources were added."""
        copied = [self._supplied_copies(forest) for forest in self._forests.values()]
        index = self.features.index(self._rules_with_features, unseen=self._copies)
        keys, (drops, gaps, tokens) = number_features(
            [np.concatenate(part) for part in zip(*self._keys, strict=True)],
            min_count,
            len(index.names),
        )
        before = np.cumsum([0, *[len(keys.tokens) for keys in self._keys]])
        spans = np.concatenate(
            [span + first for span, first in zip(self._spans, before, strict=False)]
        )
        rows = FeatureRows(index.matrix, drops, gaps, tokens, spans, len(index.names) + len(keys))
        sources = self._sources(copied, int(index.matrix.shape[0]), len(rows.drops))
        examples = [find_example(pair, sources[pair.source]) for pair in pairs]
        return ExampleSet(
            grammar=self.grammar,
            features=self.features,
            index=index,
            maker=self.maker,
            keys=keys,
            rows=rows,
            sources=list(sources.values()),
            examples=examples,
            unreached=[example.id for example in examples if example.allowed is None],
            fingerprint=fingerprint(pairs),
        )

    @property
    def _rules_with_features(self) -> Sequence[Rule]:
        return self.grammar.rules if self.features.templates else ()

    def _supplied_copies(self, forest: CompressionForest) -> Longs:
        """Return the row of the copy of each node's production, if one is supplied."""
        rows = np.full(len(forest.source.nodes), NO_ROW, dtype=np.int64)
        if not self.features.templates:
            return rows
        _, first = np.unique(forest.forest.label, return_index=True)
        for edge in first[forest.edges.kind[first] == EdgeKind.COPY].tolist():
            copy = self._copies.setdefault(forest.rule(edge), len(self._copies))
            rows[forest.edges.node[edge]] = len(self.grammar) + copy
        return rows

    def _sources(
        self, copied: Sequence[Longs], first_drop: int, num_drops: int
    ) -> dict[Tree, Source]:
        """Give every edge its row: rules and copies, then what is dropped, then gaps."""
        first_gap = first_drop + num_drops
        sources = {}
        for (tree, forest), copies in zip(self._forests.items(), copied, strict=True):
            edges = forest.edges
            rows = np.select(
                [edges.kind == kind for kind in (EdgeKind.RULE, EdgeKind.GAP, EdgeKind.DELETE)],
                [
                    edges.rule if self.features.templates else np.full_like(edges.rule, NO_ROW),
                    first_gap + edges.gap,
                    first_drop + edges.node,
                ],
                copies[edges.node],
            )
            plain = replace(forest.forest, label=rows.astype(np.int32))
            sources[tree] = Source(plain, edges.kind != EdgeKind.RULE, find_tokens(forest))
            first_drop += len(copies)
            first_gap += len(forest.gaps.parent)
        return sources


def find_example(pair: Pair, source: Source) -> Example:
    """Find the derivations of a pair's target, or the nearest one if there are none."""
    words, target = pair.source.words(), tuple(pair.target_words)
    gold = np.zeros(len(words), dtype=np.bool_)
    gold[[i for i, _ in pair.alignment or ()]] = True
    if target == tuple([words[i] for i in np.flatnonzero(gold).tolist()]):
        allowed = allowed_edges(source.tokens, source.forest.num_edges, gold)
        derivation = smallest_rules(source.forest, allowed, source.own)
        if derivation is not None:
            return Example(pair.id, source, target, gold, allowed, derivation)
    derivation, loss = nearest(source, target)
    # The paper's losses distinguish only bags of words: the same bag counts as the target.
    same = None if loss > 0.0 else edges_of(source.forest, derivation)
    return Example(pair.id, source, target, gold, same, derivation)


def edges_of(forest: Forest, derivation: Derivation) -> Bools:
    """Return which edges of a forest a derivation uses."""
    made_of = np.zeros(forest.num_edges, dtype=np.bool_)
    made_of[list(derivation.edges())] = True
    return made_of


def nearest(source: Source, target: Sequence[str]) -> tuple[Derivation, float]:
    """Return the derivation whose tokens have the best F1 against the target's, and 1 - F1."""
    counts = count_hits(source, target)
    scores = np.where(source.own, -1.0, 0.0)
    limits = greatest_counts(source.forest, counts)
    table = best_by_two_counts(source.forest, scores, counts, limits)
    tp, fp = np.indices(table.scores.shape)
    loss = np.where(np.isfinite(table.scores), LOSSES["f1"](tp, fp, len(target)), np.inf)
    place = np.unravel_index(int(loss.argmin()), loss.shape)
    return table.derivation(int(place[0]), int(place[1])), float(loss[place])


def count_hits(source: Source, target: Sequence[str]) -> Longs:
    """Return how many tokens of each edge the target has, at any position, and how many
    it lacks.
    """
    wanted, tokens = frozenset(target), source.tokens
    hit = np.array([word in wanted for word in tokens.words], dtype=np.bool_)
    size = source.forest.num_edges
    columns = [np.bincount(tokens.put_out[which], minlength=size) for which in (hit, ~hit)]
    return np.stack(columns, axis=1)


def count_places(source: Source, places: Bools) -> Longs:
    """Return how many tokens of each edge the target has from the same position, and how
    many not.
    """
    edges, kept = source.tokens.kept
    size = source.forest.num_edges
    hits = np.bincount(edges[places[kept]], minlength=size)
    return np.stack([hits, np.bincount(source.tokens.put_out, minlength=size) - hits], axis=1)


def greatest_counts(forest: Forest, counts: Longs) -> tuple[int, int]:
    """Return the greatest sum of either column of counts over all derivations."""
    most = []
    for column in counts.T:
        found = viterbi(forest, column.astype(np.float64))
        assert found is not None, "a forest has a derivation"
        most.append(round(found[0]))
    return most[0], most[1]

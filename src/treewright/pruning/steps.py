"""`StepPruning`: how likely a child is to be dropped if its parent stays.

A grammar of whole productions can keep or drop a child only in productions it has seen. Pruning
lifts that restriction: any children of any node may be dropped, but not all. From left to right
each is kept or dropped with a probability given its circumstances (`circumstances.py`) and what
became of the one before,

    P(dropped) = 1 / (1 + exp(-Σ weights of its features)),

renormalised over all choices but dropping every child. Weights are regularised towards 0, so a rare
feature falls back on what the coarser ones say. Prices depend only on a child and the decision
before it: the price of a gap is the sum of its steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import Pair
from treewright.errors import DataError
from treewright.modelfile import Part
from treewright.pruning.circumstances import (
    DROPPED,
    FIRST,
    KEPT,
    Child,
    Feature,
    View,
    families,
    features,
    frame,
    head_place,
    views,
)
from treewright.pruning.gaps import Gaps, Prices
from treewright.trees import TreeTable

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]

PRIOR = 1.0
"""Precision of the Gaussian prior that pulls weights towards 0."""

MIN_COUNT = 2
"""How often a feature must be seen to have a weight."""

BOUND = 12.0
"""The largest log-odds, so that nothing is impossible."""

TOLERANCE = 1e-2
"""How steep the objective may still be at the end of a fit, relative to its start."""


class _Place:
    """Log-odds of one child of a production: after a kept and a dropped sibling, and by its views
    as far as they have been met: size, tag and word of the head, and what it consists of.
    """

    __slots__ = ("after_dropped", "after_kept", "expansions", "heads", "sizes")

    def __init__(self, after_kept: float, after_dropped: float) -> None:
        self.after_kept = after_kept
        self.after_dropped = after_dropped
        self.sizes: dict[int, float] = {}
        self.heads: dict[_Production, tuple[float, float]] = {}
        self.expansions: dict[_Production, float] = {}


class _Production:
    """A label and what it consists of: the labels of children or a word. There is one of each."""

    __slots__ = ("expansion", "head", "label", "places")

    def __init__(self, label: str, expansion: str, head: int, places: list[_Place]) -> None:
        self.label = label
        self.expansion = expansion
        self.head = head
        self.places = places

    @property
    def text(self) -> str:
        """The production in one line."""
        return f"{self.label} {self.expansion}"


@dataclass(frozen=True)
class StepPruning:
    """Weights of features; a positive one favours dropping the child."""

    open: ClassVar[bool] = True
    kind: ClassVar[str] = "steps"
    model_kind: ClassVar[str] = "rules"
    by_share: ClassVar[bool] = False
    templates: ClassVar[tuple[str, ...]] = ()
    num_weights: ClassVar[int] = 0

    weights: Mapping[Feature, float]
    _productions: dict[tuple[str, ...], _Production] = field(
        default_factory=dict, repr=False, compare=False
    )
    _leaves: dict[tuple[str, str], _Production] = field(
        default_factory=dict, repr=False, compare=False
    )

    @classmethod
    def learn(cls, pairs: Iterable[Pair]) -> StepPruning:
        """Learn from word-aligned pairs: a child counts as dropped if none of its words
        is linked.
        """
        decisions = _Decisions()
        for pair in pairs:
            if pair.alignment is None:
                raise DataError("the pair has no word alignment; align it first", where=pair.id)
            decisions.add(TreeTable(pair.source), {i for i, _ in pair.alignment})
        return cls(decisions.fit())

    def prices(self, source: TreeTable, gaps: Gaps) -> Prices:
        """Return the log-probability of every gap; what is dropped is deleted by rules."""
        from treewright.pruning import _kernels

        end = np.array(source.end, dtype=np.int32)
        return Prices(_kernels.price_gaps(end, self._odds(source), BOUND, gaps[:]))

    def ready(self, sources: Sequence[TreeTable]) -> Sequence[StepPruning]:
        """Return the pruning of each tree: this one, which reads nothing ahead."""
        return [self] * len(sources)

    def at(self, share: float) -> StepPruning:
        """Return itself: its prices are the same for every share of the words."""
        return self

    def steps(self, tree: TreeTable) -> tuple[Floats, Floats]:
        """Return the log-probability of every step, and what renormalising adds to a node.

        The four steps of a child, in a row: kept and dropped after a sibling that is kept (or
        none), then after one that is dropped. A node with fewer than two children, and its
        children, cost nothing.
        """
        from treewright.pruning import _kernels

        end = np.array(tree.end, dtype=np.int32)
        steps, closing, _ = _kernels.price_steps(end, self._odds(tree), BOUND)
        return steps, closing

    def _odds(self, tree: TreeTable) -> Floats:
        """Return the log-odds of dropping each child that has siblings, parents in preorder: after
        a kept sibling or none, then after a dropped one.
        """
        left, right = tree.left, tree.right
        of_node, heads = self._read(tree)
        odds: list[float] = []
        for x, children in enumerate(tree.children):
            if len(children) < 2:
                continue
            for place, y in zip(of_node[x].places, children, strict=True):
                expansion, head, words = of_node[y], of_node[heads[y]], right[y] - left[y]
                try:
                    tag, word = place.heads[head]
                    beside = place.sizes[words] + tag + word + place.expansions[expansion]
                except KeyError:
                    child = Child(words, head.label, head.expansion, expansion.expansion)
                    number = of_node[x].places.index(place)
                    size, tag, word, whole = map(self._sum, views(of_node[x].text, number, child))
                    place.sizes[words] = size
                    place.heads[head] = tag, word
                    place.expansions[expansion] = whole
                    beside = size + tag + word + whole
                odds += (place.after_kept + beside, place.after_dropped + beside)
        return np.array(odds)

    def _read(self, tree: TreeTable) -> tuple[list[_Production], list[int]]:
        """Return the production of every node, and the node of its head word."""
        productions, leaves = self._productions, self._leaves
        heads = list(range(len(tree)))
        of_node: list[_Production] = []
        for x in range(len(tree) - 1, -1, -1):
            node = tree.nodes[x]
            if node.children:
                labels = (node.label, *[child.label for child in node.children])
                found = productions.get(labels)
                if found is None:
                    found = productions[labels] = self._production(*labels)
                heads[x] = heads[tree.children[x][found.head]]
            else:
                word = node.word or ""
                found = leaves.get((node.label, word))
                if found is None:
                    found = leaves[node.label, word] = _Production(node.label, word.lower(), 0, [])
            of_node.append(found)
        return of_node[::-1], heads

    def _production(self, label: str, *labels: str) -> _Production:
        """Return what is known of a production."""
        expansion = " ".join(labels)
        text = f"{label} {expansion}"
        places = [
            _Place(
                self._sum(frame(text, place, KEPT if place else FIRST)),
                self._sum(frame(text, place, DROPPED)),
            )
            for place in range(len(labels))
        ]
        return _Production(label, expansion, head_place(label, expansion), places)

    def _sum(self, view: View) -> float:
        return sum([self.weights.get(feature, 0.0) for feature in features(view)])

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        return {"features": [[*feature, weight] for feature, weight in self.weights.items()]}

    def parts(self) -> dict[str, bytes]:
        """Return further parts for a model file: none."""
        return {}

    @classmethod
    def restore(cls, values: Mapping[str, Any], parts: Mapping[str, Part]) -> StepPruning:
        """Undo `as_dict`; a `ValueError` says what is wrong."""
        weights: dict[Feature, float] = {}
        for name, *details, weight in values["features"]:
            if not all(isinstance(part, str) for part in (name, *details)):
                raise ValueError(f"{' '.join(map(str, (name, *details)))} is not a feature")
            if not isinstance(weight, int | float) or not math.isfinite(weight):
                raise ValueError(f"the weight of {name} {' '.join(details)} is {weight!r}")
            weights[name, *details] = weight
        return cls(weights)


class _Decisions:
    """Features and outcomes of all decisions seen, and the weights that explain them."""

    def __init__(self) -> None:
        self.numbers: dict[Feature, int] = {}
        self.rows: list[int] = []
        self.ends: list[int] = [0]
        self.dropped: list[bool] = []

    def add(self, tree: TreeTable, kept: set[int]) -> None:
        """Note the children of every node that is kept itself."""
        keeps = [0]
        for place in range(tree.right[0]):
            keeps.append(keeps[-1] + (place in kept))

        def goes(x: int) -> bool:
            return keeps[tree.left[x]] == keeps[tree.right[x]]

        for family in families(tree):
            if goes(family.node):
                continue
            before = FIRST
            for place, (y, seen) in enumerate(zip(family.children, family.views, strict=True)):
                for view in (frame(family.production, place, before), *seen):
                    for feature in features(view):
                        self.rows.append(self.numbers.setdefault(feature, len(self.numbers)))
                self.ends.append(len(self.rows))
                self.dropped.append(goes(y))
                before = DROPPED if self.dropped[-1] else KEPT

    def fit(self) -> dict[Feature, float]:
        """Return the most probable weights, without those too small to matter."""
        from scipy.sparse import csr_matrix

        if not self.dropped:
            return {}
        shape = len(self.dropped), len(self.numbers)
        seen = csr_matrix((np.ones(len(self.rows)), self.rows, self.ends), shape=shape)
        often = np.flatnonzero(np.bincount(self.rows, minlength=shape[1]) >= MIN_COUNT)
        found = _explain(seen[:, often], np.array(self.dropped, dtype=np.float64))
        weights = dict(zip(often.tolist(), np.round(found, 4).tolist(), strict=True))
        return {
            feature: weights[number]
            for feature, number in self.numbers.items()
            if weights.get(number)
        }


def _explain(seen: csr_matrix, dropped: Floats) -> Floats:
    """Return the weights of the columns of `seen` that make its rows' outcomes most probable.

    The prior bends the objective by at least `PRIOR` in every direction, so the best weights are no
    farther than |slope| / `PRIOR`. The slope is what is checked: the optimiser's own verdict is
    about its last step, and may be a failure at the very optimum, for lack of precision.
    """
    from scipy.optimize import minimize

    per_feature = seen.T.tocsr()

    def chances(weights: Floats) -> tuple[Floats, Floats]:
        odds: Floats = np.asarray(seen @ weights)
        return odds, 1.0 / (1.0 + np.exp(-odds))

    def objective(weights: Floats) -> tuple[float, Floats]:
        odds, rate = chances(weights)
        loss = float((np.logaddexp(0.0, odds) - dropped * odds).sum())
        penalty = 0.5 * PRIOR * float(weights @ weights)
        return loss + penalty, np.asarray(per_feature @ (rate - dropped)) + PRIOR * weights

    def curvature(weights: Floats, direction: Floats) -> Floats:
        _, rate = chances(weights)
        bend: Floats = np.asarray(seen @ direction) * rate * (1.0 - rate)
        return np.asarray(per_feature @ bend) + PRIOR * direction

    start = np.zeros(per_feature.shape[0])
    found = minimize(objective, start, jac=True, hessp=curvature, method="Newton-CG")
    weights = np.asarray(found.x)
    slope, first = (float(np.linalg.norm(objective(at)[1])) for at in (weights, start))
    if not slope <= TOLERANCE * first:
        raise RuntimeError(f"no weights of pruning found, a slope of {slope} left: {found.message}")
    return weights

"""Linear models over the features of rules: vectors, matrices, and unseen rules."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from treewright.arrays import Floats
from treewright.errors import UsageError, choose
from treewright.grammar.base import Production, production
from treewright.grammar.features.rules import RULE_TEMPLATES
from treewright.grammar.features.view import SINGLETON, Frequencies, Frequency, RuleView
from treewright.grammar.rule import Rule, copy_rule
from treewright.trees import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Vector = dict[str, float]


@dataclass(frozen=True)
class RuleFeatures:
    """Sparse feature vectors of rules by chosen templates; a derivation's is the sum of its rules'.

    Zero values are left out.
    """

    frequencies: Frequencies = field(default_factory=Frequencies)
    templates: tuple[str, ...] = field(default_factory=lambda: tuple(RULE_TEMPLATES))

    def __post_init__(self) -> None:
        for name in self.templates:
            choose(name, RULE_TEMPLATES, "feature template")
        if len(set(self.templates)) != len(self.templates):
            raise UsageError(f"a feature template occurs twice: {', '.join(self.templates)}")

    def vector(self, rule: Rule, *, unseen: bool = False) -> Vector:
        """Return the features of one rule; `unseen` says that the grammar lacks it."""
        frequency = self.frequencies.unseen if unseen else self.frequencies[rule]
        view = RuleView(rule, unseen, frequency)
        return {
            f"{name}:{detail}" if detail else name: float(value)
            for name in self.templates
            for detail, value in RULE_TEMPLATES[name](view).items()
            if value
        }

    def index(self, rules: Iterable[Rule], *, unseen: Iterable[Rule] = ()) -> FeatureIndex:
        """Number the features that rules have, and list those of each rule."""
        vectors = [self.vector(rule) for rule in rules]
        vectors += [self.vector(rule, unseen=True) for rule in unseen]
        return FeatureIndex.of(vectors)


@dataclass(frozen=True, eq=False)
class FeatureIndex:
    """The features of rules as a matrix: a row for each rule, a column for each of `names`.

    Columns are sorted by name, so the same rules have the same columns in any order. Rules flagged
    as unseen have the last rows.
    """

    names: tuple[str, ...]
    matrix: csr_matrix

    @classmethod
    def of(cls, vectors: Sequence[Mapping[str, float]]) -> FeatureIndex:
        """Build the matrix of vectors."""
        from scipy.sparse import csr_matrix

        names = tuple(sorted({name for vector in vectors for name in vector}))
        columns = {name: column for column, name in enumerate(names)}
        ends, places, values = [0], [], []
        for vector in vectors:
            for name, value in vector.items():
                places.append(columns[name])
                values.append(value)
            ends.append(len(places))
        shape = len(vectors), len(names)
        matrix = csr_matrix((np.array(values, dtype=np.float64), places, ends), shape=shape)
        matrix.sort_indices()
        return cls(names, matrix)

    def named(self, weights: Floats) -> Vector:
        """Return the weights of columns by feature, without those that are 0."""
        pairs = zip(self.names, weights.tolist(), strict=True)
        return {name: weight for name, weight in pairs if weight}


@dataclass(frozen=True)
class LinearUnseen:
    """Scores the copy of a production that the grammar lacks by its features, like any other rule.

    A word that the model has no weights for contributes nothing. Deletions weigh nothing here:
    dropped variables and edits are priced in the rule above.
    """

    model_kind: ClassVar[str] = "linear"

    by_feature: Mapping[str, float]
    templates: tuple[str, ...]
    frequency: Frequency = SINGLETON
    _known: dict[Production, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def num_weights(self) -> int:
        """How many features have a weight."""
        return len(self.by_feature)

    @classmethod
    def of(cls, features: RuleFeatures, weights: Mapping[str, float]) -> LinearUnseen:
        """Select the weights of rules from a model's, and what their features need."""
        chosen = set(features.templates)
        kept = {name: w for name, w in weights.items() if name.partition(":")[0] in chosen}
        return cls(kept, features.templates, features.frequencies.unseen)

    def weights(self, node: Tree) -> tuple[float, float]:
        """Return the score of copying the production at `node`, and 0 for deleting it."""
        key = production(node)
        if key not in self._known:
            children = tuple([child.label for child in node.children])
            self._known[key] = self._score(copy_rule(node.label, children, word=node.word))
        return self._known[key], 0.0

    def _score(self, rule: Rule) -> float:
        vector = self._features.vector(rule, unseen=True)
        return sum(self.by_feature.get(name, 0.0) * value for name, value in vector.items())

    @cached_property
    def _features(self) -> RuleFeatures:
        return RuleFeatures(Frequencies(unseen=self.frequency), self.templates)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        return {
            "kind": "linear",
            "templates": list(self.templates),
            "frequency": list(self.frequency),
            "weights": dict(self.by_feature),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LinearUnseen:
        """Undo `as_dict`; templates of another version are an error that names them."""
        templates = tuple(values["templates"])
        unknown = [str(name) for name in templates if name not in RULE_TEMPLATES]
        if unknown:
            raise UsageError(
                f"the model uses feature templates unknown here: {', '.join(unknown)};"
                " upgrade treewright to use it"
            )
        if len(set(templates)) != len(templates):
            raise ValueError("a feature template occurs twice")
        if not isinstance(values["weights"], Mapping):
            raise ValueError("the weights of features must be named")
        weights = {str(name): _finite(weight) for name, weight in values["weights"].items()}
        return cls(weights, templates, Frequency._make(map(_finite, values["frequency"])))


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"expected a finite number, found {value!r}")
    if not abs(value) <= sys.float_info.max:
        raise ValueError("expected a finite number, found one that is too large or none")
    return value

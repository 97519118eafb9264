"""Weights for what training never saw: the copy and the deletion rule of any production."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from treewright.errors import choose
from treewright.grammar.base import Base, base_from_dict
from treewright.grammar.features.linear import LinearUnseen
from treewright.grammar.rule import EPSILON
from treewright.trees import Tree


class Unseen(Protocol):
    """Gives the log-weights of a node's copy rule and deletion rule when the grammar has none.

    A model file is of the kind `model_kind`, unless something else in it says another.
    """

    model_kind: ClassVar[str]

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates of its features; none where it has no features."""
        ...

    @property
    def num_weights(self) -> int:
        """How many features have a weight."""
        ...

    def weights(self, node: Tree) -> tuple[float, float]:
        """Return the log-weights of copying and of deleting the production at `node`."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        ...


@dataclass(frozen=True)
class FlatUnseen:
    """One weight for each label, whatever the production (add-δ smoothing of the EM grammar)."""

    model_kind: ClassVar[str] = "rules"
    templates: ClassVar[tuple[str, ...]] = ()
    num_weights: ClassVar[int] = 0

    copy: Mapping[str, float]
    delete: Mapping[str, float]
    other: tuple[float, float] = (0.0, 0.0)

    def weights(self, node: Tree) -> tuple[float, float]:
        """Return the weights of the node's label, or `other` for an unknown label."""
        copy, delete = self.other
        return self.copy.get(node.label, copy), self.delete.get(node.label, delete)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        return {
            "kind": "flat",
            "copy": dict(self.copy),
            "delete": dict(self.delete),
            "other": list(self.other),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> FlatUnseen:
        """Undo `as_dict`."""
        copy, delete = (
            {str(label): _weight(weight) for label, weight in values[side].items()}
            for side in ("copy", "delete")
        )
        first, second = values["other"]
        return cls(copy, delete, (_weight(first), _weight(second)))


@dataclass(frozen=True)
class BaseUnseen:
    """The back-off of the Dirichlet prior: `α P0(rule | root) / (n_root + α)`."""

    model_kind: ClassVar[str] = "rules"
    templates: ClassVar[tuple[str, ...]] = ()
    num_weights: ClassVar[int] = 0

    base: Base
    alpha: float
    totals: Mapping[tuple[str, str], float]
    alphas: Mapping[tuple[str, str], float] = field(default_factory=dict)
    _masses: dict[str, tuple[float, float]] = field(default_factory=dict, repr=False, compare=False)

    def weights(self, node: Tree) -> tuple[float, float]:
        """Return the predictive log-weights of rules that the training data never used."""
        label = node.label
        if label not in self._masses:
            self._masses[label] = (self._mass(label, label), self._mass(label, EPSILON))
        of_copies, of_deletions = self._masses[label]
        copy, delete = self.base.copy_and_deletion(node)
        return copy + of_copies, delete + of_deletions

    def _mass(self, source: str, target: str) -> float:
        alpha = self.alphas.get((source, target), self.alpha)
        return math.log(alpha) - math.log(self.totals.get((source, target), 0.0) + alpha)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        return {
            "kind": "base",
            "alpha": self.alpha,
            "totals": [[*root, total] for root, total in self.totals.items()],
            "alphas": [[*root, alpha] for root, alpha in self.alphas.items()],
            "base": self.base.as_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> BaseUnseen:
        """Undo `as_dict`."""
        totals = {(cs, ct): _weight(total) for cs, ct, total in values["totals"]}
        alphas = {(cs, ct): _weight(alpha) for cs, ct, alpha in values["alphas"]}
        alpha = _weight(values["alpha"])
        positive = (alpha, *alphas.values())
        if any(a <= 0.0 for a in positive) or any(total < 0.0 for total in totals.values()):
            raise ValueError("prior and totals of the unseen must be positive")
        return cls(base_from_dict(values["base"]), alpha, totals, alphas)


def _weight(value: Any) -> float:
    """Return a number read from a file, which must not be a string, NaN or +inf."""
    if not isinstance(value, int | float) or not float(value) < math.inf:
        raise ValueError(f"expected a number below infinity, found {value!r}")
    return value


_KINDS: dict[str, Callable[[Mapping[str, Any]], Unseen]] = {
    "flat": FlatUnseen.from_dict,
    "base": BaseUnseen.from_dict,
    "linear": LinearUnseen.from_dict,
}


def unseen_from_dict(values: Mapping[str, Any] | None) -> Unseen | None:
    """Read any kind of `Unseen` from a model file's plain values."""
    if values is None:
        return None
    return _KINDS[choose(values["kind"], _KINDS, "kind of unseen weights")](values)

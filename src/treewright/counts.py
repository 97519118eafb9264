"""Additive statistics: what a metric needs from each sentence, and how sums become scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from treewright import __version__


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items system and reference have, and how many of them match; counts add up.

    A score whose denominator is 0 is 0.
    """

    matched: int = 0
    system: int = 0
    reference: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.matched + other.matched,
            self.system + other.system,
            self.reference + other.reference,
        )

    @property
    def precision(self) -> float:
        """The share of the system's items that the reference has."""
        return self.matched / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        """The share of the reference's items that the system has."""
        return self.matched / self.reference if self.reference else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.system + self.reference
        return 2 * self.matched / both if both else 0.0

    def as_dict(self) -> dict[str, float]:
        """Return scores and counts as plain values."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "matched": self.matched,
            "system": self.system,
            "reference": self.reference,
        }


def compare(system: Iterable[Hashable], reference: Iterable[Hashable]) -> Counts:
    """Count what two bags of items share, each item as often as it is in both."""
    ours, theirs = Counter(system), Counter(reference)
    return Counts((ours & theirs).total(), ours.total(), theirs.total())


def signature(number: int, digest: str, **how: str) -> str:
    """Return what says that two results may be compared: how much of what data, measured how."""
    parts = {"treewright": __version__, **how, "n": str(number), "data": digest[:12]}
    return "|".join(f"{name}:{value}" for name, value in parts.items())

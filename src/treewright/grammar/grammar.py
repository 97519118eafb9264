"""`Grammar`: weighted rules in a fixed order, grouped by root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.grammar.rule import Rule

if TYPE_CHECKING:
    from treewright.grammar.index import RuleIndex

Root = tuple[str, str]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Grammar:
    """Rules with a log-probability given their root pair, and the (expected) count behind it."""

    rules: tuple[Rule, ...]
    weights: Floats
    counts: Floats

    def __post_init__(self) -> None:
        if not len(self.rules) == len(self.weights) == len(self.counts):
            raise ValueError("rules, weights and counts differ in length")
        if len(set(self.rules)) != len(self.rules):
            raise ValueError("a rule occurs twice")

    @classmethod
    def from_counts(cls, counts: Mapping[Rule, float], *, add: float = 0.0) -> Grammar:
        """Rank rules by root and count, and weight them by relative frequency after adding `add`.

        The order depends only on the counts and the rules' text, never on that of the mapping.
        """
        ranked = sorted(counts, key=lambda rule: (rule.root, -counts[rule], str(rule)))
        observed = np.array([counts[rule] for rule in ranked], dtype=np.float64)
        return cls(tuple(ranked), observed, observed).normalised(observed + add)

    def __len__(self) -> int:
        return len(self.rules)

    @cached_property
    def roots(self) -> tuple[Root, ...]:
        """The root pairs, in order of first occurrence."""
        return tuple(dict.fromkeys(rule.root for rule in self.rules))

    @cached_property
    def root_of(self) -> NDArray[np.int32]:
        """For each rule the number of its root pair in `roots`."""
        numbers = {root: number for number, root in enumerate(self.roots)}
        return np.array([numbers[rule.root] for rule in self.rules], dtype=np.int32)

    @cached_property
    def index(self) -> RuleIndex:
        """The compiled tables that find and apply rules; made on first use."""
        from treewright.grammar.index import RuleIndex

        return RuleIndex.compile(self.rules)

    def root_totals(self, values: Floats) -> Floats:
        """Sum a value per rule over each root pair."""
        totals = np.zeros(len(self.roots))
        np.add.at(totals, self.root_of, values)
        return totals

    def normalised(self, mass: Floats) -> Grammar:
        """Return the grammar weighted in proportion to `mass` within each root pair."""
        totals = self.root_totals(mass)[self.root_of]
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = np.where(mass > 0.0, np.log(mass) - np.log(totals), -np.inf)
        return Grammar(self.rules, weights, self.counts)

    def with_weights(self, weights: Floats, *, counts: Floats | None = None) -> Grammar:
        """Return the same rules with other weights; the compiled index is shared."""
        other = Grammar(self.rules, weights, self.counts if counts is None else counts)
        for name in ("roots", "root_of", "index"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

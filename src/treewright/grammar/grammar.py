"""`Grammar`: weighted rules in a fixed order, grouped by root, and how model files hold them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.arrays import Floats, Ints, Singles
from treewright.grammar.packed import NO_TARGET, STRING_TARGET, PackedRules, find_repeated
from treewright.grammar.rule import EPSILON, STRING, Rule
from treewright.modelfile import Part, pack_array, unpack_array

if TYPE_CHECKING:
    from treewright.grammar.index import RuleIndex

PART = "rules/*"
_NAMES = "rules/names.json"
_OF_RULES = ("weights", "counts", "features")
Root = tuple[str, str]
Features = Singles

PIECE = 100_000


@dataclass(frozen=True, eq=False)
class Grammar:
    """Rules with a log-probability given their root pair, and the (expected) count behind it.

    `features` has a row for each rule and a column for each of `feature_names`; `weighted` makes
    weights of them. Rules may be packed, so that millions of them fit in memory.
    """

    rules: Sequence[Rule]
    weights: Floats
    counts: Floats
    features: Features | None = None
    feature_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.rules) == len(self.weights) == len(self.counts):
            raise ValueError("rules, weights and counts differ in length")
        shape = (0, 0) if self.features is None else self.features.shape
        if self.features is not None and shape != (len(self.rules), len(self.feature_names)):
            raise ValueError(f"{shape} features for {len(self.rules)} rules")
        if self.features is None and self.feature_names:
            raise ValueError("names of features, but no features")
        if isinstance(self.rules, PackedRules):
            repeats = find_repeated(self.rules) is not None
        else:
            repeats = len(set(self.rules)) != len(self.rules)
        if repeats:
            raise ValueError("a rule occurs twice")

    @classmethod
    def from_counts(cls, counts: Mapping[Rule, float]) -> Grammar:
        """Rank rules by root and count, and weight them by relative frequency.

        The order depends only on the counts and the rules' text, never on that of the mapping.
        """
        ranked = sorted(counts, key=lambda rule: (rule.root, -counts[rule], str(rule)))
        observed = np.array([counts[rule] for rule in ranked], dtype=np.float64)
        return cls(tuple(ranked), observed, observed).normalised(observed)

    def __len__(self) -> int:
        return len(self.rules)

    @cached_property
    def packed(self) -> PackedRules:
        """The rules as arrays."""
        return PackedRules.pack(self.rules)

    @cached_property
    def roots(self) -> tuple[Root, ...]:
        """The root pairs, in order of first occurrence."""
        return self._grouped[0]

    @cached_property
    def root_of(self) -> Ints:
        """For each rule the number of its root pair in `roots`."""
        return self._grouped[1]

    @cached_property
    def _grouped(self) -> tuple[tuple[Root, ...], Ints]:
        packed = self.packed
        sides = np.stack([packed.source_root, packed.columns.target_root], axis=1)
        # Roots are told apart by name, and a label may have one of these two.
        for name, number in ((EPSILON, NO_TARGET), (STRING, STRING_TARGET)):
            sides[sides == packed.labels.ids.get(name, number)] = number
        found, first, inverse = np.unique(sides, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first)
        names = dict(enumerate(packed.labels.names))
        names |= {NO_TARGET: EPSILON, STRING_TARGET: STRING}
        roots = tuple([(names[source], names[target]) for source, target in found[order].tolist()])
        return roots, np.argsort(order).astype(np.int32)[inverse.ravel()]

    @cached_property
    def has_strings(self) -> bool:
        """Whether the targets of all rules are strings."""
        return bool((self.packed.columns.target_root == STRING_TARGET).all())

    @cached_property
    def index(self) -> RuleIndex:
        """The compiled tables that find and apply rules; made on first use."""
        from treewright.grammar.index import RuleIndex

        return RuleIndex.compile(self.packed)

    def root_totals(self, values: Floats) -> Floats:
        """Sum a value per rule over each root pair."""
        return np.bincount(self.root_of, values, minlength=len(self.roots)).astype(np.float64)

    def normalised(self, mass: Floats) -> Grammar:
        """Return the grammar weighted in proportion to `mass` within each root pair."""
        totals = self.root_totals(mass)[self.root_of]
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.with_weights(np.where(mass > 0.0, np.log(mass) - np.log(totals), -np.inf))

    def weighted(self, by_feature: Mapping[str, float]) -> Grammar:
        """Return the grammar weighted by its features, each times its own weight (missing: 0)."""
        if self.features is None:
            raise ValueError("the grammar has no features")
        unknown = sorted(by_feature.keys() - set(self.feature_names))
        if unknown:
            raise ValueError(f"the grammar has no feature {', '.join(unknown)}")
        weights = np.array([by_feature.get(name, 0.0) for name in self.feature_names])
        # In pieces: the product makes a copy of its own, in double precision.
        pieces = np.array_split(self.features, 1 + len(self) // PIECE)
        return self.with_weights(np.concatenate([piece @ weights for piece in pieces]))

    def with_weights(self, weights: Floats, *, counts: Floats | None = None) -> Grammar:
        """Return the same rules under other weights; what is compiled of them is shared."""
        counts = self.counts if counts is None else counts
        if not len(self.rules) == len(weights) == len(counts):
            raise ValueError("rules, weights and counts differ in length")
        other = copy(self)
        object.__setattr__(other, "weights", weights)
        object.__setattr__(other, "counts", counts)
        return other


def grammar_parts(grammar: Grammar) -> dict[str, bytes]:
    """Return the parts of a grammar: names of labels, words and features, and arrays."""
    packed = grammar.packed
    names = {
        "labels": packed.labels.names,
        "words": packed.words.names,
        "features": list(grammar.feature_names),
    }
    arrays: dict[str, Any] = packed.arrays()
    arrays |= {name: getattr(grammar, name) for name in _OF_RULES}
    return {_NAMES: json.dumps(names, ensure_ascii=False).encode()} | {
        f"rules/{name}.npy": pack_array(array)
        for name, array in arrays.items()
        if array is not None
    }


def read_grammar(parts: Mapping[str, Part]) -> Grammar:
    """Undo `grammar_parts`; a `ValueError` or `LookupError` says what is wrong."""
    names = json.loads(bytes(parts[_NAMES]))
    for name in ("labels", "words", "features"):
        if not all(isinstance(text, str) for text in names[name]):
            raise ValueError(f"{_NAMES} has {name} that are not text")
    arrays = {
        name.removeprefix("rules/").removesuffix(".npy"): unpack_array(part)
        for name, part in parts.items()
        if name.startswith("rules/") and name != _NAMES
    }
    weights, counts = arrays["weights"], arrays["counts"]
    for name, values in (("weights", weights), ("counts", counts)):
        if values.dtype != np.float64 or values.ndim != 1:
            raise ValueError(f"{name} holds {values.dtype} in {values.ndim} dimensions")
    if not (weights < np.inf).all() or not ((counts >= 0.0) & (counts < np.inf)).all():
        raise ValueError("a weight or a count is not a number below infinity")
    features = arrays.get("features")
    if features is not None and (features.dtype != np.float32 or not np.isfinite(features).all()):
        raise ValueError("features must be finite 32-bit numbers")
    packed = PackedRules.restore(names["labels"], names["words"], arrays)
    return Grammar(packed, weights, counts, features, tuple(names["features"]))

"""Example sets small enough to list every derivation, in all combinations of rules and gaps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from treewright.corpora import Pair
from treewright.forest import Derivation
from treewright.grammar import Extraction
from treewright.learning.linear import CRF, ExampleSet
from treewright.learning.linear.examples import FREE, Example
from treewright.learning.linear.rows import NO_ROW, FeatureRows
from treewright.pruning import CompressionForest, Pruner
from treewright.pruning.features.pruning import GapPruning

from ...forest.naive import enumerate_derivations
from ..toys import PAIRS

MODES: dict[str, dict[str, Any]] = {
    "open": {},
    "rules": {"rules": True, "open": False},
    "rules and open": {"rules": True},
}
# Every rule and every feature takes part, however rare.
EVERYTHING: dict[str, Any] = {
    "extraction": Extraction(parts=2, min_count=1),
    "min_count": 1,
    "min_rule_count": 1,
}


@cache
def prepared(mode: str, min_count: int = 1) -> ExampleSet:
    return CRF(**MODES[mode], **{**EVERYTHING, "min_count": min_count}).prepare(PAIRS)


def prepare(mode: str, pairs: Sequence[Pair], **settings: Any) -> ExampleSet:
    return CRF(**MODES[mode], **{**EVERYTHING, **settings}).prepare(pairs)


def target_forest(data: ExampleSet, pair: Pair, mode: str) -> CompressionForest:
    """The forest of a pair's source as the transducer gives it, every edge at no price."""
    nothing = np.empty(0, dtype=np.uint64), np.empty(0)
    pruning = GapPruning(*nothing, (), MODES[mode].get("open", True))
    return Pruner(data.grammar, FREE, pruning).forest(pair.source)


class Listed(NamedTuple):
    """One derivation of an example's source: its features, and what it puts out."""

    derivation: Derivation
    features: np.ndarray
    words: tuple[str, ...]
    positions: tuple[int, ...]


def listed(data: ExampleSet, example: Example, pair: Pair, mode: str) -> list[Listed]:
    """Every derivation of the source."""
    forest = target_forest(data, pair, mode)
    matrix = csr_matrix(dense(data.rows))
    found = []
    for derivation in enumerate_derivations(example.source.forest):
        target = forest.target(derivation)
        assert target is not None
        rows = example.source.forest.label[list(derivation.edges())]
        features = np.asarray(matrix[rows[rows != NO_ROW]].sum(axis=0)).ravel()
        found.append(Listed(derivation, features, target.tree.words(), target.positions))
    return found


def dense(rows: FeatureRows) -> np.ndarray:
    """The matrix of all rows, by the description of `FeatureRows`."""
    matrix = np.zeros((rows.num_rows, rows.num_features))
    of_rules = rows.rules.toarray()
    matrix[: of_rules.shape[0], : of_rules.shape[1]] = of_rules
    dropped = [
        [*columns, *rows.tokens[first:behind].ravel()]
        for columns, (first, behind) in zip(rows.drops, rows.spans, strict=True)
    ]
    for row, columns in enumerate([*dropped, *rows.gaps], start=of_rules.shape[0]):
        for column in columns:
            if column >= 0:
                matrix[row, column] += 1.0
    return matrix


def random_weights(size: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=size)

"""Forests: derivations packed in a hypergraph, and the few algorithms that every task needs.

This room knows nothing about trees, grammars or text. Weights are arguments, one log-weight per
edge.
"""

from treewright.forest.arrays import Floats
from treewright.forest.derivation import Derivation
from treewright.forest.hypergraph import Forest, ForestBuilder
from treewright.forest.inside import (
    add_expected_counts,
    derivation_count,
    edge_posteriors,
    expectation,
    expected_counts,
    inside,
    log_inside,
    log_outside,
    log_partition,
)
from treewright.forest.joining import join_forests
from treewright.forest.listing import best_derivations
from treewright.forest.pruning import (
    Pruned,
    margins,
    prune,
    prune_by_beam,
    prune_by_margin,
    restrict,
)
from treewright.forest.ranking import kbest
from treewright.forest.refinement import (
    Algebra,
    CountCurve,
    Counters,
    CountTable,
    Refinement,
    best_by_count,
    best_by_two_counts,
    refine,
)
from treewright.forest.sampling import sample
from treewright.forest.search import viterbi
from treewright.forest.semirings import BOOLEAN, COUNTING, LOG, MAX, Semiring

__all__ = [
    "BOOLEAN",
    "COUNTING",
    "LOG",
    "MAX",
    "Algebra",
    "CountCurve",
    "CountTable",
    "Counters",
    "Derivation",
    "Floats",
    "Forest",
    "ForestBuilder",
    "Pruned",
    "Refinement",
    "Semiring",
    "add_expected_counts",
    "best_by_count",
    "best_by_two_counts",
    "best_derivations",
    "derivation_count",
    "edge_posteriors",
    "expectation",
    "expected_counts",
    "inside",
    "join_forests",
    "kbest",
    "log_inside",
    "log_outside",
    "log_partition",
    "margins",
    "prune",
    "prune_by_beam",
    "prune_by_margin",
    "refine",
    "restrict",
    "sample",
    "viterbi",
]

"""Forests: derivations packed in a hypergraph, and the few algorithms that every task needs.

This room knows nothing about trees, grammars or text. Weights are arguments, one log-weight per
edge.
"""

from treewright.forest.arrays import Floats
from treewright.forest.derivation import Derivation
from treewright.forest.hypergraph import Forest, ForestBuilder, join_forests
from treewright.forest.inside import (
    add_expected_counts,
    derivation_count,
    edge_posteriors,
    expectation,
    log_partition,
)
from treewright.forest.pruning import (
    Pruned,
    margins,
    prune,
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
from treewright.forest.search import best_derivations, sample, viterbi

__all__ = [
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
    "add_expected_counts",
    "best_by_count",
    "best_by_two_counts",
    "best_derivations",
    "derivation_count",
    "edge_posteriors",
    "expectation",
    "join_forests",
    "kbest",
    "log_partition",
    "margins",
    "prune",
    "refine",
    "restrict",
    "sample",
    "viterbi",
]

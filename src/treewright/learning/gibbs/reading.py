"""From the sampler's state back to node alignments and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from treewright.grammar import DELETED, UNALIGNED, Cutting, NodeAlignment, Rule, RuleCounter
from treewright.learning.gibbs.arrays import Ints
from treewright.learning.gibbs.packing import PackedPairs
from treewright.trees import TreeTable


def read_alignments(packed: PackedPairs, to: Ints) -> Iterator[NodeAlignment]:
    """Yield each pair's node alignment; a target node is inserted if a rule inserts it."""
    starts = packed.layout.source_start.tolist()
    for begin, middle, end, pair in zip(
        starts[:-1], packed.layout.target_start.tolist(), starts[1:], packed.pairs, strict=True
    ):
        yield NodeAlignment(
            TreeTable(pair.source),
            TreeTable(pair.target_tree),
            tuple([y - middle if y >= 0 else y for y in to[begin:middle].tolist()]),
            tuple([y == DELETED for y in to[middle:end].tolist()]),
            pair.alignment or (),
        )


def write_alignments(packed: PackedPairs, alignments: Iterable[NodeAlignment]) -> Ints:
    """Undo `read_alignments`; without insertions, no target node is marked as inserted."""
    to = np.full(len(packed.nodes), UNALIGNED, dtype=np.int32)
    starts, middles = packed.layout.source_start.tolist(), packed.layout.target_start.tolist()
    for begin, middle, alignment in zip(starts[:-1], middles, alignments, strict=True):
        source = np.array(alignment.to)
        to[begin:middle] = np.where(source >= 0, source + middle, source)
        if packed.insertions:
            inserted = middle + np.flatnonzero(alignment.inserted)
            to[inserted] = DELETED
    return to


def read_rules(packed: PackedPairs, to: Ints) -> Counter[Rule]:
    """Count the rules of a state."""
    counter = RuleCounter()
    for alignment in read_alignments(packed, to):
        counter.update(Cutting(alignment).general_rules())
    return counter.counts()

"""Joining: many forests as one, whose derivations consist of one derivation of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.forest.hypergraph import Forest


def join_forests(forests: Sequence[Forest], copies: Sequence[int] | None = None) -> Forest:
    """Return a forest of all, one after another, under a root with one final edge without a label.

    Its log Z is the sum of theirs, and the expected uses of their edges are unchanged: one pass
    over it is a pass over all. A forest with several `copies` counts that many times.
    """
    nodes = np.cumsum([0, *[forest.num_nodes for forest in forests]])
    roots = nodes[1:] - 1
    tails = [forest.tail + first for forest, first in zip(forests, nodes, strict=False)]
    tails.append(np.repeat(roots, 1 if copies is None else copies))
    ends = np.cumsum([0, *map(len, tails)])
    return Forest.from_arrays(
        head=np.concatenate(
            [forest.head + first for forest, first in zip(forests, nodes, strict=False)]
            + [nodes[-1:]]
        ),
        tail_ptr=np.concatenate(
            [forest.tail_ptr[:-1] + end for forest, end in zip(forests, ends, strict=False)]
            + [ends[-2:]]
        ),
        tail=np.concatenate(tails),
        label=np.concatenate([*[forest.label for forest in forests], [-1]]),
        num_nodes=int(nodes[-1]) + 1,
    )

"""The arrays that the sampler's kernels work on.

They are records rather than one array per field: a move touches many fields of few nodes, and each
array that is passed through a call costs a kernel more than reading a record.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from treewright.arrays import Bools, Floats, Ints, Longs
from treewright.compiling import records

Records = NDArray[Any]

NODE = records(
    [
        # Fixed: the trees of all pairs in one numbering, each pair's source tree in preorder and
        # then its target tree; hash constants of the production and of the place among siblings;
        # root pairs are numbered `row` of the source + `label` of the target, `epsilon` with ε.
        # `linked`: whether any word below is linked to the other side.
        ("parent", "i4"),
        ("end", "i4"),
        ("label", "i4"),
        ("linked", "i4"),
        ("row", "i4"),
        ("epsilon", "i4"),
        ("key", "u8"),
        ("place", "u8"),
        # What a node may be aligned with. Source nodes that hold the same word links form a chain
        # from parent to child and share a run of candidates, target nodes from the top down:
        # `candidate[first:last]`. `rank` is a target node's place in that list, `lower` the next
        # source node down the chain (-1: none).
        ("chain", "i4"),
        ("lower", "i4"),
        ("first", "i4"),
        ("last", "i4"),
        ("rank", "i4"),
        # The base distribution at this node: log-probabilities of spelling it out, of stopping at
        # it, and what a source root or the root of a one-sided fragment does not pay.
        ("spell", "f8"),
        ("stop", "f8"),
        ("free", "f8"),
        # The state: `to` is a target node, DELETED or UNALIGNED; a target node is DELETED if a rule
        # inserts it. `front`: whether and how the node is a frontier node of the fragment above.
        # `aligned` counts the source nodes on a target node, `owner` is the lowest of them, whose
        # rule spells the target node out.
        ("to", "i4"),
        ("front", "i4"),
        ("aligned", "i4"),
        ("owner", "i4"),
        # The fragment that spells out this node down to its frontier: the sum its hash is made of,
        # the hash, its log-probability under the base distribution, its number of frontier nodes;
        # and where the table holds the rule rooted here.
        ("total", "u8"),
        ("hash", "u8"),
        ("weight", "f8"),
        ("width", "i4"),
        ("slot", "i4"),
    ]
)

RULE = records(
    [("key", "u8"), ("prior", "f8"), ("log_base", "f8"), ("count", "i4"), ("root", "i4")]
)
"""A slot of the rule table: open addressing by `key`; `prior` is α P0. An unused rule keeps its
slot until the table is rebuilt.
"""

ROOT = records([("alpha", "f8"), ("log_alpha", "f8"), ("total", "i8")])
"""A root pair: its concentration and how many rules in use are rooted in it."""


class Rules(NamedTuple):
    """The rules in use: their table, the numbers of slots taken and of rules in it, the root pairs.

    `ways` has the log-number of ways to link given numbers of source and target frontier nodes.
    """

    table: Records
    size: Longs
    roots: Records
    ways: Floats


class Layout(NamedTuple):
    """Where each pair's nodes and sites are; a *site* is a node whose alignment is sampled.

    `crossing` marks pairs whose word links cross, so links may permute a rule's frontier.
    """

    source_start: Ints
    target_start: Ints
    crossing: Bools
    site: Ints
    site_start: Ints
    candidate: Ints

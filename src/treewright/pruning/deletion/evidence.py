"""`Evidence`: a source tree as the parts that the score of its compressions is made of.

The score of dropping all tokens between two kept ones must be a sum, because there are O(n²) such
gaps. So everything dropped is an *item*: a span of tokens, a feature and a sign, which counts if
the span lies within one gap. A dropped token is an item; so is a constituent dropped whole. What
seems to need more is a difference of items: "this constituent is dropped, but not its parent" is
the constituent's span minus the parent's, and "its head is dropped, but not all of it" is the head
minus the span.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.deletion import templates
from treewright.pruning.features.attributes import NODE, TOKEN, Attribute
from treewright.pruning.features.keys import Conjunctions
from treewright.pruning.features.surroundings import Surroundings
from treewright.trees import Tree, TreeTable

Keys = NDArray[np.uint64]
Ints = NDArray[np.int32]
Positions = NDArray[np.integer]

KINDS = ("next", "gap", "link")


class Evidence(NamedTuple):
    """Keys of a sentence's features.

    Positions run from 0, the start, over the tokens from 1 to n, to n + 1, the end.
    """

    left: Keys
    """What each template of kept pairs sees of the left one, one row per position."""
    right: Keys
    kind: Ints
    """What each of these templates knows about the two together, an index into `KINDS`."""
    governor: Ints
    """The position of the token that governs each token, -1 for none."""
    low: Ints
    """For each item, the first position of the span, the last one, the feature and its sign."""
    high: Ints
    key: Keys
    sign: NDArray[np.float64]

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return len(self.left) - 2


def _conjunctions(
    what: str, texts: Sequence[str], known: Mapping[str, Attribute], prefix: str = ""
) -> Conjunctions:
    """Make templates ready for the kernel; `what` tells their keys from those of others."""
    parts = {f"{what} {n}": tuple([prefix + a for a in t.split()]) for n, t in enumerate(texts)}
    return Conjunctions.of(list(parts), parts, known)


_SPLIT = [text.replace(":", "|").split("|") for text in templates.KEPT]
_KIND = np.array([KINDS.index(kind.strip()) for kind, _, _ in _SPLIT], dtype=np.int32)
_LEFT = _conjunctions("left", [left for _, left, _ in _SPLIT], TOKEN, "token_")
_RIGHT = _conjunctions("right", [right for _, _, right in _SPLIT], TOKEN, "token_")
_DROPPED = _conjunctions("dropped", templates.DROPPED, TOKEN, "token_")
_ORPHANED = _conjunctions("orphaned", templates.ORPHANED, TOKEN, "token_")
_WHOLE = _conjunctions("whole", templates.WHOLE, NODE)
_BEHEADED = _conjunctions("beheaded", templates.BEHEADED, NODE)
_FIRST_TORN = _conjunctions("first torn", templates.TORN, NODE)
_LAST_TORN = _conjunctions("last torn", templates.TORN, NODE)


def gather(tree: Tree | TreeTable) -> Evidence:
    """Return the evidence of a source tree. O(nodes)."""
    around = Surroundings.of(tree if isinstance(tree, TreeTable) else TreeTable(tree))
    positions, nodes = around.tokens + 2, around.size
    first, last, head = around.first[:-1], around.last[:-1], around.head[:-1]
    governor = np.where(around.token_governor > 0, around.token_governor, -1).astype(np.int32)
    items = _Items()
    token = np.arange(1, positions - 1)
    items.add(token, token, _DROPPED.keys(around, positions)[token])
    token = token[governor[1:-1] > 0]
    ends = np.sort(np.stack([token, governor[token]]), axis=0)
    items.add(ends[0], ends[1], _ORPHANED.keys(around, positions)[token])
    up = around.parent[1:-1]
    keys = _WHOLE.keys(around, nodes)[1:]
    items.add(first[1:], last[1:], keys)
    items.add(first[up], last[up], keys, sign=-1.0)
    long = np.flatnonzero(first < last)
    low, high = first[long], last[long]
    for form, lost in ((_BEHEADED, head[long]), (_FIRST_TORN, low), (_LAST_TORN, high)):
        keys = form.keys(around, nodes)[long]
        items.add(lost, lost, keys)
        items.add(low, high, keys, sign=-1.0)
    left, right = _LEFT.keys(around, positions), _RIGHT.keys(around, positions)
    return Evidence(left, right, _KIND, governor, *items.arrays())


class _Items:
    """Grows the items of a sentence."""

    def __init__(self) -> None:
        self.low: list[Positions] = []
        self.high: list[Positions] = []
        self.keys: list[Keys] = []
        self.signs: list[NDArray[np.float64]] = []

    def add(self, low: Positions, high: Positions, keys: Keys, *, sign: float = 1.0) -> None:
        """Add an item for each key of each row, whose spans are given."""
        width = keys.shape[1]
        self.low.append(low.repeat(width))
        self.high.append(high.repeat(width))
        self.keys.append(keys.ravel())
        self.signs.append(np.full(keys.size, sign))

    def arrays(self) -> tuple[Ints, Ints, Keys, NDArray[np.float64]]:
        """Return all items, one column each."""
        low, high = (np.concatenate(part).astype(np.int32) for part in (self.low, self.high))
        return low, high, np.concatenate(self.keys), np.concatenate(self.signs)

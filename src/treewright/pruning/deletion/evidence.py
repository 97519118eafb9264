"""`Evidence`: a source tree as the parts that the score of its compressions is made of.

The score of dropping all tokens between two kept ones must be a sum, because there are O(n²) such
gaps. So everything dropped is an *item*: a span of tokens, a feature and a sign, which counts if
the span lies within one gap. A dropped token is an item; so is a constituent dropped whole. What
seems to need more is a difference of items: "this constituent is dropped, but not its parent" is
the constituent's span minus the parent's, and "its head is dropped, but not all of it" is the head
minus the span.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.deletion import templates
from treewright.pruning.deletion.columns import (
    PHRASE_COLUMNS,
    TOKEN_COLUMNS,
    Ints,
    Keys,
    View,
)
from treewright.trees import Tree

Places = NDArray[np.integer]

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


class _Form(NamedTuple):
    """Templates as rows of column numbers, each ended by -1, and what sets their keys apart."""

    columns: Ints
    salt: int

    @classmethod
    def of(cls, texts: Sequence[str], names: Sequence[str], salt: int) -> _Form:
        rows = [[names.index(name) for name in text.split()] for text in texts]
        width = 1 + max(map(len, rows))
        padded = [row + [-1] * (width - len(row)) for row in rows]
        return cls(np.array(padded, dtype=np.int32), salt)

    def keys(self, table: Keys) -> Keys:
        """Return the key of each row under each template."""
        from treewright.pruning.deletion import _kernels

        keys: Keys = _kernels.conjoin(table, self.columns, self.salt)
        return keys


_SPLIT = [text.replace(":", "|").split("|") for text in templates.KEPT]
_KIND = np.array([KINDS.index(kind.strip()) for kind, _, _ in _SPLIT], dtype=np.int32)
_LEFT = _Form.of([left for _, left, _ in _SPLIT], TOKEN_COLUMNS, 1000)
_RIGHT = _Form.of([right for _, _, right in _SPLIT], TOKEN_COLUMNS, 2000)
_DROPPED = _Form.of(templates.DROPPED, TOKEN_COLUMNS, 3000)
_ORPHANED = _Form.of(templates.ORPHANED, TOKEN_COLUMNS, 4000)
_WHOLE = _Form.of(templates.WHOLE, PHRASE_COLUMNS, 5000)
_BEHEADED = _Form.of(templates.BEHEADED, PHRASE_COLUMNS, 6000)
_FIRST_TORN = _Form.of(templates.TORN, PHRASE_COLUMNS, 7000)
_LAST_TORN = _Form.of(templates.TORN, PHRASE_COLUMNS, 8000)


def gather(tree: Tree) -> Evidence:
    """Return the evidence of a source tree. O(nodes)."""
    view = View(tree)
    tokens, phrases = view.token_table(), view.phrase_table()
    items = _Items()
    token = np.arange(1, view.size - 1)
    items.add(token, token, _DROPPED.keys(tokens)[token])
    token = token[view.governor[1:-1] > 0]
    ends = np.sort(np.stack([token, view.governor[token]]), axis=0)
    items.add(ends[0], ends[1], _ORPHANED.keys(tokens)[token])
    up = view.parent[1:]
    keys = _WHOLE.keys(phrases)[1:]
    items.add(view.low[1:], view.high[1:], keys)
    items.add(view.low[up], view.high[up], keys, sign=-1.0)
    long = np.flatnonzero(view.low < view.high)
    low, high = view.low[long], view.high[long]
    for form, lost in ((_BEHEADED, view.head[long]), (_FIRST_TORN, low), (_LAST_TORN, high)):
        keys = form.keys(phrases)[long]
        items.add(lost, lost, keys)
        items.add(low, high, keys, sign=-1.0)
    left, right = _LEFT.keys(tokens), _RIGHT.keys(tokens)
    return Evidence(left, right, _KIND, view.governor, *items.arrays())


class _Items:
    """Grows the items of a sentence."""

    def __init__(self) -> None:
        self.low: list[Places] = []
        self.high: list[Places] = []
        self.keys: list[Keys] = []
        self.signs: list[NDArray[np.float64]] = []

    def add(self, low: Places, high: Places, keys: Keys, *, sign: float = 1.0) -> None:
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

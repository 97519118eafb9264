"""Gaps: every way to go from one kept child of a node to the next, all between them dropped.

Keeping some children of a node and dropping the others is a walk from its left edge over the kept
children to its right edge. Each step of the walk is a gap: the run of dropped children, possibly
none, between two that are kept side by side afterwards. So a model can look at all that a gap
holds and at both of its ends at once, and still search over all prunings exactly.

A gap holds at most `LONGEST` children, so that there are O(children) of them; a longer run is
dropped in blocks, with a pause between two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.trees import TreeTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

LONGEST = 12
"""Children in one gap; one sentence in thousands needs more."""


class Gaps(NamedTuple):
    """The gaps of a tree, those of node `x` being `pointer[x]:pointer[x + 1]`; nodes in preorder.

    `left` and `right` are the kept children at both ends, -1 at the edge of the parent; `first`
    and `last` the outermost dropped ones, -1 where none is. Where a gap `pauses`, `right` is
    dropped too, and ends a block; where it `resumes`, `left` is such a child (1: some child before
    it is kept, 2: none is). No walk drops all children; nodes of fewer than two have no gaps.
    """

    pointer: NDArray[np.int64]
    parent: Ints
    left: Ints
    right: Ints
    first: Ints
    last: Ints
    resumes: Ints
    pauses: Bools

    @classmethod
    def of(cls, end: NDArray[np.int32]) -> Gaps:
        """List the gaps of a tree; `end[x]` is the index behind the subtree of `x`."""
        from treewright.pruning import _kernels

        return cls(*_kernels.list_gaps(end, LONGEST))

    @property
    def closes(self) -> Bools:
        """Which gaps reach the right edge of their node, and so complete it."""
        return self.right < 0


class Prices(NamedTuple):
    """What it costs to prune a tree, as log-weights: of every gap, and of dropping what is in it.

    Without `drops`, one weight a node, what a gap drops is deleted production by production, by
    rules of the grammar and its `Unseen`.
    """

    gaps: Floats
    drops: Floats | None = None


class Pruning(Protocol):
    """Puts a price on what is dropped. If it is `open`, any children of any node may go."""

    @property
    def open(self) -> bool:
        """Whether any children may go, or only what rules leave out."""
        ...

    def prices(self, source: TreeTable, gaps: Gaps) -> Prices:
        """Return the price of every gap of a tree."""
        ...

    def ready(self, sources: Sequence[TreeTable]) -> Sequence[Pruning]:
        """Read many trees at once, which may cost less; return the pruning of each."""
        ...

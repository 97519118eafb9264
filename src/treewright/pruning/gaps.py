"""Gaps: every way to go from one kept child of a node to the next, dropping all between them.

Keeping some children of a node and dropping the others is a walk from its left edge over the kept
children to its right edge. Each step of the walk is a gap: the run of dropped children, possibly
none, between two that become neighbours. So a model can look at everything a gap holds and at both
of its ends at once, and still search over all prunings exactly.

A gap holds at most `LONGEST` children, so there are O(children) of them; a longer run is dropped in
blocks, with a pause between two of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from treewright.modelfile import Part
from treewright.trees import TreeTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

LONGEST = 12
"""The most children in one gap; one sentence in thousands needs more."""


class Gaps(NamedTuple):
    """The gaps of a tree, those of node `x` being `pointer[x]:pointer[x + 1]`; nodes in preorder.

    `left` and `right` are the kept children at both ends, -1 at the edge of the parent; `first` and
    `last` are the outermost dropped ones, -1 if there are none. If a gap `pauses`, `right` is
    dropped too, and ends a block; if it `resumes`, `left` is such a child (1: some child before it
    is kept, 2: none is). No walk drops all children; nodes with fewer than two have no gaps.
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
        """List the gaps of a tree; `end[x]` is the index after the subtree of `x`."""
        from treewright.pruning import _kernels

        return cls(*_kernels.list_gaps(end, LONGEST))

    @property
    def closes(self) -> Bools:
        """Which gaps reach the right edge of their node, and so complete it."""
        return self.right < 0


_NONE = np.empty(0, dtype=np.int32)
NO_GAPS = Gaps(
    np.zeros(1, dtype=np.int64), _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE.astype(np.bool_)
)
"""The gaps of a tree none of whose children may go."""


class Prices(NamedTuple):
    """What it costs to prune a tree, as log-weights: of every gap, and of dropping what is in it.

    Without `drops` (one weight per node), what a gap drops is deleted production by production, by
    rules of the grammar and its `Unseen`. `seams` may add to that what it is worth that two tokens
    become neighbours: a row and a column for every token, between those of both ends. `surprises`
    is laid out in the same way and costs nothing by itself: how much less expected the second token
    is there than it was. So are `clashes`: the log-odds that readers mind the two as neighbours;
    and `regrets` has those that they mind the loss of each node.
    """

    gaps: Floats
    drops: Floats | None = None
    seams: Floats | None = None
    surprises: Floats | None = None
    regrets: Floats | None = None
    clashes: Floats | None = None


NO_PRICES = Prices(np.empty(0))
"""Those of a tree without gaps."""


class Pruning(Protocol):
    """Prices what is dropped. If it is `open`, any children of any node may be dropped."""

    @property
    def open(self) -> bool:
        """Whether any children may be dropped, or only what rules leave out."""
        ...

    def prices(self, source: TreeTable, gaps: Gaps) -> Prices:
        """Return the price of every gap of a tree."""
        ...

    def ready(self, sources: Sequence[TreeTable]) -> Sequence[Pruning]:
        """Read many trees at once, which may be cheaper; return the pruning of each."""
        ...

    def at(self, share: float) -> Pruning:
        """Return the pruning for versions that may have this share of the words, which may be the
        same for all.
        """
        ...


class StoredPruning(Pruning, Protocol):
    """A pruning that model files hold: by its `kind`, plain values and further parts.

    The file itself is of the kind `model_kind`. `templates` and `num_weights` are those of
    features, where it has any.
    """

    kind: ClassVar[str]
    model_kind: ClassVar[str]

    @property
    def by_share(self) -> bool:
        """Whether its prices depend on the share of the words that may stay."""
        ...

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates of its features; none where it has no features by name."""
        ...

    @property
    def num_weights(self) -> int:
        """How many features have a weight."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        ...

    def parts(self) -> dict[str, bytes]:
        """Return further parts for a model file."""
        ...

    @classmethod
    def restore(cls, values: Mapping[str, Any], parts: Mapping[str, Part]) -> Self:
        """Undo `as_dict` and `parts`; a `ValueError` or `LookupError` says what is wrong."""
        ...

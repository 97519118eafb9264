"""A language model as an algebra: forests split by the words at both ends of their targets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats, Ints, Longs
from treewright.forest import Algebra, Forest, Refinement
from treewright.lm import END, LanguageModel
from treewright.transduction import _context_kernels as kernels


class Yields(NamedTuple):
    """What each edge writes, in the order of the target: `item[ptr[e] : ptr[e + 1]]`.

    An item is a word, or `-1 - position` for what the tail at a position derives.
    """

    ptr: Longs
    item: Ints


class ContextModel:
    """A language model ready to score the targets of forests."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self._parent, self._top = model.parent, model.top

    def data(self, forest: Forest, yields: Yields, weight: float) -> kernels.ContextData:
        """Return what the kernels know about a forest, whose words the model numbers."""
        position = np.empty(forest.tail.size, np.int32)
        place = np.empty(forest.tail.size, np.int64)
        kernels.place_tails(forest.tail_ptr, yields.ptr, yields.item, position, place)
        return kernels.ContextData(
            nodes=self.model.arrays,
            parent=self._parent,
            top=self._top,
            begin=self.model.start,
            end=END,
            weight=float(weight),
            is_root=forest.head == forest.num_nodes - 1,
            ptr=yields.ptr,
            item=yields.item,
            tail_ptr=forest.tail_ptr,
            position=position,
            place=place,
        )

    def algebra(self, forest: Forest, yields: Yields, weight: float) -> Algebra:
        """Return the algebra that adds `weight` times the log-probability of targets.

        Targets are whole sentences at the root, with their beginning and end.
        """
        return Algebra(
            self.data(forest, yields, weight),
            start=kernels.start_context,
            step=kernels.step_context,
            finish=kernels.finish_context,
            order=kernels.target_order,
            weighted=True,
            num_edges=forest.num_edges,
        )

    def gains(self, refined: Refinement, yields: Yields) -> Floats:
        """Return the log-probability that each edge of a refined forest adds; it has no links."""
        data = self.data(refined.source, yields, 1.0)
        gains = np.empty(refined.forest.num_edges)
        kernels.edge_gains(
            data, refined.origin, refined.forest.tail_ptr, refined.forest.tail, refined.state, gains
        )
        return gains

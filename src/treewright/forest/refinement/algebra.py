"""Algebras: how the state of an edge follows from the states of its tails."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from treewright.compiling import Kernel, specialise
from treewright.forest.arrays import aligned
from treewright.forest.refinement import _beam_kernels, _kernels, trivial


@dataclass(eq=False)
class Algebra:
    """What splits the nodes of a forest: a state that each edge computes from those of its tails.

    States are integers of at least 0: ids, or packed counts. An edge begins with a state,
    `start(data, edge, choice)`; takes in its tails one by one, `step(data, edge, position, state,
    tail_state)`; and ends, `finish(data, edge, state)`, in the state of its head, where several
    states may become one. Each of the three returns -1 to rule out a combination.

    `order(data, edge, turn)` gives the position of the tail that is taken in as number `turn`, if
    that is not the source's order but, for example, that of the target. If `choices(data, edge)` is
    above one, an edge starts that many times: each is a guess at what other edges will do, for the
    states to confirm or rule out.

    If `weighted`, `start`, `step` and `finish` return a state and a log-weight, which is added to
    that of the edge.

    The functions are kernels (`treewright.compiling`) that make no arrays. `data` holds integers
    and arrays about the edges of one forest, in a named tuple defined in a module.
    """

    data: Any
    start: Kernel = trivial.start_alike
    step: Kernel = trivial.stay
    finish: Kernel = trivial.end_as_it_is
    order: Kernel = trivial.left_to_right
    choices: Kernel = trivial.one_choice
    weighted: bool = False
    num_edges: int | None = None
    """How many edges the data is about, if that is to be checked."""

    def __post_init__(self) -> None:
        # Kernels are compiled for the types of arrays: one layout, whatever the caller made.
        fields = [aligned(part) if isinstance(part, np.ndarray) else part for part in self.data]
        self.data = type(self.data)(*fields)

    def kernel(self, *, has_beam: bool) -> Kernel:
        """Return the kernel that splits forests by this algebra, compiled for its functions."""
        functions = self.start, self.step, self.finish, self.order, self.choices
        return _kernel(functions, self.weighted, has_beam)


@lru_cache(maxsize=64)
def _kernel(functions: tuple[Kernel, ...], weighted: bool, has_beam: bool) -> Kernel:
    names = " ".join(function.name for function in functions)
    name = f"{functions[1].py_func.__name__}_{blake2b(names.encode(), digest_size=6).hexdigest()}"
    name += "_beam" if has_beam else ""

    def special(template: Kernel, **parts: Kernel) -> Kernel:
        kernel: Kernel = specialise(template, name, **parts)
        return kernel

    start, step, finish, order, choices = functions
    if not weighted:
        start = special(trivial.start, start_alike=start)
        step = special(trivial.step, stay=step)
        finish = special(trivial.finish, end_as_it_is=finish)
    find_end = special(_kernels.find_end, left_to_right=order)
    if has_beam:
        group = _beam_kernels.group_and_rank
        choose = special(_beam_kernels.choose, left_to_right=order)
        weigh = special(_beam_kernels.weigh, choose=choose, step=step, finish=finish)
        every = special(_beam_kernels.best_first, choose=choose, weigh=weigh)
    else:
        group = _kernels.group
        every = special(_kernels.every, left_to_right=order, step=step, finish=finish)
    return special(
        _kernels.split,
        most_choices=special(_kernels.most_choices, one_choice=choices),
        open_parts=special(_kernels.open_parts, one_choice=choices, start=start, find_end=find_end),
        take_in=special(_kernels.take_in, every=every, find_end=find_end, group=group),
        every=every,
        group=group,
    )

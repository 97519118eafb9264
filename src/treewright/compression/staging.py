"""Staging: the same work for many sentences, one stage after another.

The caches of a processor then hold what one stage needs. If one sentence after another went through
all stages, each stage would find them cold, and take a fifth longer.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeAlias, TypeVar

from treewright.errors import DataError

T = TypeVar("T")
Stages: TypeAlias = Generator[None, None, T]
"""Work that pauses after each of its stages, and returns what it finds."""

TOGETHER = 64
"""How many go through a stage together: no more than guards remember."""


def in_step(works: Sequence[Stages[T]]) -> list[T | DataError]:
    """Do many pieces of work stage by stage; return what each finds, or why there is nothing."""
    found: dict[int, T | DataError] = {}
    for first in range(0, len(works), TOGETHER):
        waiting = list(range(first, min(first + TOGETHER, len(works))))
        while waiting:
            waiting = [number for number in waiting if not _is_done(number, works[number], found)]
    return [found[number] for number in range(len(works))]


def _is_done(number: int, work: Stages[T], found: dict[int, T | DataError]) -> bool:
    """Do the next stage of one piece of work, and enter its result if that was the last."""
    try:
        next(work)
    except StopIteration as end:
        found[number] = end.value
    except DataError as error:
        found[number] = error
    return number in found

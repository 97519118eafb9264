"""Staged work, done alone."""

from __future__ import annotations

from typing import TypeVar

from treewright.compression.staging import Stages, in_step
from treewright.errors import DataError

T = TypeVar("T")


def at_once(work: Stages[T]) -> T:
    """Do all stages of one piece of work."""
    [found] = in_step([work])
    if isinstance(found, DataError):
        raise found
    return found

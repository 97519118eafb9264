"""The algebra that splits nothing: defaults for what an algebra does not define."""

from __future__ import annotations

from typing import Any

from treewright.compiling import njit


@njit(nogil=True, borrows=True, forceinline=True)
def one_choice(data: Any, edge: int) -> int:
    """Let an edge start once."""
    return 1


@njit(nogil=True, borrows=True, forceinline=True)
def left_to_right(data: Any, edge: int, turn: int) -> int:
    """Take in tails in the order of the source."""
    return turn


@njit(nogil=True, borrows=True, forceinline=True)
def start_alike(data: Any, edge: int, choice: int) -> int:
    """Start every edge in one state."""
    return 0


@njit(nogil=True, borrows=True, forceinline=True)
def stay(data: Any, edge: int, position: int, state: int, tail_state: int) -> int:
    """Take in a tail without a change of state."""
    return state


@njit(nogil=True, borrows=True, forceinline=True)
def end_as_it_is(data: Any, edge: int, state: int) -> int:
    """Let an edge end in the state that it has reached."""
    return state


@njit(nogil=True, borrows=True, forceinline=True)
def start(data: Any, edge: int, choice: int) -> tuple[int, float]:
    """Start without a weight."""
    return start_alike(data, edge, choice), 0.0


@njit(nogil=True, borrows=True, forceinline=True)
def step(data: Any, edge: int, position: int, state: int, tail_state: int) -> tuple[int, float]:
    """Take in a tail without a weight."""
    return stay(data, edge, position, state, tail_state), 0.0


@njit(nogil=True, borrows=True, forceinline=True)
def finish(data: Any, edge: int, state: int) -> tuple[int, float]:
    """End without a weight."""
    return end_as_it_is(data, edge, state), 0.0

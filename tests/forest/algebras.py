"""Algebras to test refinement with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treewright.compiling import njit
from treewright.forest import Algebra, Counters, Forest, Refinement, viterbi

STATES = 5


class Tables(NamedTuple):
    """Random tables; `order` has the positions of tails in the order of their turns."""

    starts: np.ndarray
    steps: np.ndarray
    ends: np.ndarray
    gains: np.ndarray
    choices: np.ndarray
    first: np.ndarray
    order: np.ndarray


@njit(nogil=True)
def table_start(data: Tables, edge: int, choice: int) -> tuple[int, float]:
    return data.starts[edge, choice], data.gains[choice]


@njit(nogil=True)
def table_step(
    data: Tables, edge: int, position: int, state: int, tail_state: int
) -> tuple[int, float]:
    state = data.steps[(edge + position) % len(data.steps), state, tail_state]
    return state, data.gains[(state + position) % len(data.gains)]


@njit(nogil=True)
def table_finish(data: Tables, edge: int, state: int) -> tuple[int, float]:
    return data.ends[state], data.gains[state]


@njit(nogil=True)
def table_order(data: Tables, edge: int, turn: int) -> int:
    return data.order[data.first[edge] + turn]


@njit(nogil=True)
def table_choices(data: Tables, edge: int) -> int:
    return data.choices[edge]


def random_algebra(
    forest: Forest, seed: int, *, ruled_out: float = 0.2, choices: Sequence[int] = (0, 1, 2, 3)
) -> Algebra:
    """Everything an algebra may do: weights, choices, an order of its own, combinations ruled out.

    Weights are eighths, so that sums are exact in any order.
    """
    rng = np.random.default_rng(seed)

    def states(*shape: int) -> np.ndarray:
        return np.where(rng.random(shape) < ruled_out, -1, rng.integers(STATES, size=shape))

    arity = np.diff(forest.tail_ptr)
    gains = rng.integers(-16, 8, size=STATES) / 8
    gains[rng.integers(STATES)] = -np.inf if rng.random() < ruled_out else 0.0
    return Algebra(
        Tables(
            starts=states(forest.num_edges, 3),
            steps=states(4, STATES, STATES),
            ends=states(STATES),
            gains=gains,
            choices=rng.choice(choices, size=forest.num_edges),
            first=forest.tail_ptr,
            order=np.concatenate([[0], *[rng.permutation(n) for n in arity]])[1:].astype(int),
        ),
        table_start,
        table_step,
        table_finish,
        order=table_order,
        choices=table_choices,
        weighted=True,
    )


def best_of_sums(refined: Refinement, counters: Counters) -> dict[tuple[int, ...], float]:
    """The score of the best derivation for each sum that one comes to."""
    found = {}
    for state in np.unique(refined.root_states):
        weights = refined.weights.copy()
        weights[refined.root_edges][refined.root_states != state] = -math.inf
        best = viterbi(refined.forest, weights)
        assert best is not None
        found[tuple(counters.decode(np.array([state]))[0].tolist())] = best[0]
    return found

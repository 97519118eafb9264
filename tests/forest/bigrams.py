"""A bigram language model as an algebra: each edge writes words between and around its tails."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.compiling import njit
from treewright.forest import Algebra, Derivation, Forest

NOTHING = 0


class Bigrams(NamedTuple):
    """What edges write, and what a word costs after another.

    `tail[first[e] + turn]` is the tail at this place of the target, and `word[first[e] + e + turn]`
    the word before it, or after the last one; -1 for none. The last word of the vocabulary stands
    for both ends of a sentence.
    """

    scores: np.ndarray
    first: np.ndarray
    tail: np.ndarray
    word: np.ndarray
    is_root: np.ndarray


@njit(nogil=True)
def join(data: Bigrams, left: int, right: int) -> tuple[int, float]:
    """States are 0 for no words, or 1 + (first word · size of the vocabulary + last word)."""
    if left == NOTHING or right == NOTHING:
        return left + right, 0.0
    size = len(data.scores)
    first, last = divmod(left - 1, size)
    after, end = divmod(right - 1, size)
    return 1 + first * size + end, data.scores[last, after]


@njit(nogil=True)
def write(data: Bigrams, state: int, place: int) -> tuple[int, float]:
    word = data.word[place]
    if word < 0:
        return state, 0.0
    return join(data, state, 1 + word * len(data.scores) + word)


@njit(nogil=True)
def begin(data: Bigrams, edge: int, choice: int) -> tuple[int, float]:
    return write(data, NOTHING, data.first[edge] + edge)


@njit(nogil=True)
def target_order(data: Bigrams, edge: int, turn: int) -> int:
    return data.tail[data.first[edge] + turn]


@njit(nogil=True)
def go_on(
    data: Bigrams, edge: int, position: int, state: int, tail_state: int
) -> tuple[int, float]:
    state, weight = join(data, state, tail_state)
    turn = 0
    while data.tail[data.first[edge] + turn] != position:
        turn += 1
    state, more = write(data, state, data.first[edge] + edge + turn + 1)
    return state, weight + more


@njit(nogil=True)
def close(data: Bigrams, edge: int, state: int) -> tuple[int, float]:
    """A sentence has its ends, and nothing further to tell it from others."""
    if not data.is_root[edge]:
        return state, 0.0
    end = 1 + len(data.scores) ** 2 - 1
    state, weight = join(data, end, state)
    state, more = join(data, state, end)
    return 0, weight + more


def random_bigrams(forest: Forest, seed: int, *, words: int = 4) -> Algebra:
    """Scores are eighths, so that sums are exact in any order."""
    rng = np.random.default_rng(seed)
    arity = np.diff(forest.tail_ptr)
    written = rng.integers(-1, words, size=forest.tail.size + forest.num_edges)
    scores = -rng.integers(0, 40, size=(words + 1, words + 1)) / 8
    order = np.concatenate([[0], *[rng.permutation(n) for n in arity]])[1:]
    is_root = forest.head == forest.root
    data = Bigrams(scores, forest.tail_ptr, order.astype(int), written, is_root)
    return Algebra(data, begin, go_on, close, order=target_order, weighted=True)


def sentence(data: Bigrams, derivation: Derivation) -> list[int]:
    """The words that a derivation writes."""

    def words(edge: int, below: list[list[int]]) -> list[int]:
        first = int(data.first[edge])
        found: list[int] = []
        for turn in range(len(below) + 1):
            word = int(data.word[first + edge + turn])
            found += [word] if word >= 0 else []
            found += below[data.tail[first + turn]] if turn < len(below) else []
        return found

    return derivation.fold(words)


def sentence_score(data: Bigrams, words: list[int]) -> float:
    end = len(data.scores) - 1
    return sum(data.scores[a, b] for a, b in zip([end, *words], [*words, end], strict=True))

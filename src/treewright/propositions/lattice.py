"""Sequences of words with the classes each may have, as arrays for the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Candidates = Sequence[tuple[str, float]]
"""The states that a word may come from, each with the probability that it emits the word."""


@dataclass
class Lattices:
    """Distinct sequences, how often each occurs, and every state path they allow."""

    labels: list[str]
    """The states by number."""
    starts: NDArray[np.int64]
    offsets: NDArray[np.int64]
    states: NDArray[np.int32]
    emissions: NDArray[np.float64]
    edges: NDArray[np.int64]
    pairs: NDArray[np.int32]
    weights: NDArray[np.float64]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    """The states of each pair that may follow one another."""


def build_lattices(
    sequences: Mapping[tuple[str, ...], float], candidates: Mapping[str, Candidates]
) -> Lattices:
    """Number the states, and the pairs of them that occur on some path.

    A word without candidates is its own state.
    """
    import numpy as np

    numbers: dict[str, int] = {}
    of_word: dict[str, tuple[NDArray[np.int32], NDArray[np.float64]]] = {}

    def look_up(word: str) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        if word not in of_word:
            found = candidates.get(word) or ((word, 1.0),)
            places = [numbers.setdefault(state, len(numbers)) for state, _ in found]
            chances = [chance for _, chance in found]
            of_word[word] = (np.array(places, np.int32), np.array(chances, np.float64))
        return of_word[word]

    starts, sizes, states, emissions = [0], [], [], []
    keys: list[NDArray[np.int64]] = []
    counts: list[int] = []
    for words in sequences:
        before: NDArray[np.int32] | None = None
        for word in words:
            here, chances = look_up(word)
            states.append(here)
            emissions.append(chances)
            sizes.append(len(here))
            if before is None:
                counts.append(0)
            else:
                keys.append(((before[:, None].astype(np.int64) << 32) | here[None, :]).ravel())
                counts.append(len(keys[-1]))
            before = here
        starts.append(len(sizes))
    empty = np.zeros(0, np.int64)
    every = np.concatenate(keys) if keys else empty
    unique, pairs = np.unique(every, return_inverse=True)
    return Lattices(
        labels=list(numbers),
        starts=np.array(starts, np.int64),
        offsets=_running(sizes),
        states=np.concatenate(states) if states else empty.astype(np.int32),
        emissions=np.concatenate(emissions) if emissions else np.zeros(0),
        edges=_running(counts),
        pairs=pairs.astype(np.int32),
        weights=np.fromiter(sequences.values(), np.float64, len(sequences)),
        sources=(unique >> 32).astype(np.int32),
        targets=(unique & 0xFFFFFFFF).astype(np.int32),
    )


def _running(sizes: Iterable[int]) -> NDArray[np.int64]:
    import numpy as np

    return np.concatenate([[0], np.cumsum(np.fromiter(sizes, np.int64))]).astype(np.int64)

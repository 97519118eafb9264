"""Enumeration: every path of states through a sequence, with its probability."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from treewright.propositions.chain import Candidates


def paths(
    words: Sequence[str],
    candidates: Mapping[str, Candidates],
    initial: Mapping[str, float],
    moves: Mapping[tuple[str, str], float],
) -> Iterator[tuple[tuple[str, ...], float]]:
    lists = [candidates.get(word) or ((word, 1.0),) for word in words]
    for chosen in itertools.product(*lists):
        states = tuple(state for state, _ in chosen)
        chance = initial[states[0]] * math.prod(emission for _, emission in chosen)
        chance *= math.prod(moves[pair] for pair in itertools.pairwise(states))
        yield states, chance


def expected_counts(
    sequences: Mapping[tuple[str, ...], float],
    candidates: Mapping[str, Candidates],
    initial: Mapping[str, float],
    moves: Mapping[tuple[str, str], float],
) -> tuple[float, Counter[str], Counter[tuple[str, str]]]:
    likelihood = 0.0
    first: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for words, weight in sequences.items():
        every = list(paths(words, candidates, initial, moves))
        total = sum(chance for _, chance in every)
        likelihood += weight * math.log(total)
        for states, chance in every:
            first[states[0]] += weight * chance / total
            for pair in itertools.pairwise(states):
                pairs[pair] += weight * chance / total
    return likelihood, first, pairs

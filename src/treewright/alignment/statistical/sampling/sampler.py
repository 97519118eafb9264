"""Bayesian word alignment by collapsed Gibbs sampling, in the manner of eflomal.

Östling and Tiedemann, Efficient word alignment with Markov Chain Monte Carlo (2016). Chains in both
directions start at random and go through three models, each with what the one before has and more:
words, jumps (a hidden Markov model), fertilities. At the end each sentence is sampled a few more
times, and the distributions that its choices were drawn from are averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.alignment.statistical.numbering import Bitext
from treewright.alignment.statistical.sampling._kernels import count_links, start_anywhere, sweep
from treewright.alignment.statistical.sampling.arrays import (
    CERTAIN,
    FERTILITIES,
    JUMPS,
    UNIT,
    Chains,
    Options,
)

_NOTHING = np.zeros(0, np.int32)
_CHUNK = 2_000
_MOST_SWEEPS = 400


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """What the sampler assumes and how long it runs."""

    samplers: int = 3
    """Chains in each direction."""
    sweeps: tuple[int, int, int] | None = None
    """Of each of the three models; by default, the more the smaller the text is."""
    samples: int = 4
    """Of each sentence at the end, in each chain."""
    alpha: float = 0.001
    """Prior count of each pair of words."""
    null: float = 0.2
    null_alpha: float = 0.001
    jump_alpha: float = 0.5
    jump_total: float = 50.0
    fertility_strength: float = 4.0
    """Prior counts of a word's fertility, spread as those of all words are."""


class Sampler:
    """Chains over a text, in groups that run in threads of their own."""

    def __init__(
        self, bitext: Bitext, slots: int, sizes: tuple[int, int], settings: Sampling, *,
        seed: int = 0, jobs: int = 1,
    ) -> None:  # fmt: skip
        self.bitext = bitext
        self.settings = settings
        self.sizes = sizes
        self.groups = [
            self._group(chains, slots, seed)
            for chains in np.array_split(np.arange(2 * settings.samplers), jobs)
            if chains.size
        ]
        self.level = 0
        for group in self.groups:
            start_anywhere(bitext, group, np.float32(settings.null))

    def _group(self, numbers: NDArray[np.int64], slots: int, seed: int) -> Chains:
        C, V = numbers.size, max(self.sizes)
        forward = int((numbers < self.settings.samplers).sum())
        words = max(self.bitext.source.size, self.bitext.target.size)
        return Chains(
            forward,
            np.full((C, words), -1, np.int16),
            _seeds(seed, numbers),
            np.zeros((slots, C), np.int32),
            np.zeros((C, V), np.float64),
            np.zeros((C, V + 1), np.float32),
            np.zeros((C, 2, JUMPS), np.float32),
            np.zeros(C, np.float64),
            np.zeros((C, V, FERTILITIES), np.float32),
            np.zeros((C, FERTILITIES), np.float32),
        )

    def schedule(self) -> Iterator[int]:
        """Yield the model of each sweep."""
        sweeps = self.settings.sweeps or default_sweeps(self.bitext.pairs)
        for level, number in enumerate(sweeps, start=1):
            yield from [level] * number

    def advance(self, level: int) -> None:
        """Sweep over the text once with a model."""
        self.count(level)
        self._each(self._sweep)

    def count(self, level: int) -> None:
        """Count the links for a model, unless they are counted already."""
        if level != self.level:
            self.level = level
            self._each(self._count)

    def _count(self, group: Chains) -> None:
        settings = self.settings
        group.links[:] = round(settings.alpha * UNIT)
        sources, targets = self.sizes
        group.total[: group.forward] = settings.alpha * UNIT * targets
        group.total[group.forward :] = settings.alpha * UNIT * sources
        group.null[:] = 0
        group.jump[:] = settings.jump_alpha
        group.jumps[:] = settings.jump_total
        group.fertility[:] = 0
        count_links(self.bitext, group, self.level)

    def _sweep(self, group: Chains) -> None:
        self._expect(group)
        options = self.options()
        for first in range(0, self.bitext.pairs, _CHUNK):
            last = min(first + _CHUNK, self.bitext.pairs)
            sweep(self.bitext, group, options, first, last, 1, _NOTHING, _NOTHING)

    def _expect(self, group: Chains) -> None:
        """Let a word's prior fertilities be those of all words."""
        seen = group.fertility.sum(axis=1) + 1
        share = seen / seen.sum(axis=1, keepdims=True)
        group.expected[:] = self.settings.fertility_strength * share + 0.01

    def options(self) -> Options:
        """Return what the current model assumes."""
        settings = self.settings
        sources, targets = self.sizes
        return Options(
            self.level,
            np.float32(settings.null),
            np.float32(settings.null_alpha),
            np.array([targets, sources], np.float32) * np.float32(settings.null_alpha),
        )

    def posteriors(self, first: int, last: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return, for each cell of some pairs, the probability that the target word chose the
        source word, and the reverse.
        """
        cells = int(self.bitext.cell_start[last] - self.bitext.cell_start[first])
        sums = [np.zeros((2, cells), np.int32) for _ in self.groups]

        def run(number: int) -> None:
            samples = self.settings.samples
            options = self.options()
            sweep(self.bitext, self.groups[number], options, first, last, samples, *sums[number])

        self._map(run, range(len(self.groups)))
        scale = 1 / (float(CERTAIN) * self.settings.samples * self.settings.samplers)
        forward, reverse = (np.sum(sums, axis=0) * scale).astype(np.float32)
        return forward, reverse

    def _each(self, work: Callable[[Chains], None]) -> None:
        self._map(work, self.groups)

    def _map(self, work: Callable[[Any], None], items: Iterable[Any]) -> None:
        if len(self.groups) == 1:
            for item in items:
                work(item)
            return
        with ThreadPoolExecutor(len(self.groups)) as pool:
            list(pool.map(work, items))


def default_sweeps(pairs: int) -> tuple[int, int, int]:
    """Return how many sweeps a text needs: fewer, the more evidence each of them gathers."""
    sweeps = min(_MOST_SWEEPS, max(2, round(5000 / max(1, pairs) ** 0.5)))
    return max(2, sweeps // 4), max(1, sweeps // 4), sweeps


def _seeds(seed: int, numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return where the generators of chains start, anywhere but at 0."""
    sequences = [np.random.SeedSequence([seed, int(number)]) for number in numbers]
    return np.array([one.generate_state(1, np.uint64)[0] | 1 for one in sequences], np.uint64)

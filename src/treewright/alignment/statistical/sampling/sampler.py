"""Bayesian word alignment by collapsed Gibbs sampling, in the manner of eflomal.

Östling and Tiedemann, Efficient word alignment with Markov Chain Monte Carlo (2016). Chains in both
directions start at random and go through three models, each with what the one before has and more:
words, jumps (a hidden Markov model), fertilities. At the end each sentence is sampled a few more
times, and the distributions that its choices were drawn from are averaged. Priors differ: those of
two words come from their letters, those of a word's fertility from all words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.alignment.statistical.numbering import Text, join
from treewright.alignment.statistical.priors import Priors
from treewright.alignment.statistical.sampling._kernels import count_links, start_anywhere, sweep
from treewright.alignment.statistical.sampling.arrays import (
    CERTAIN,
    FERTILITIES,
    JUMPS,
    UNIT,
    Chains,
    Options,
)
from treewright.alignment.statistical.sampling.counted import Counted
from treewright.alignment.statistical.sampling.settings import Sampling
from treewright.errors import DataError

_NOTHING = np.zeros(0, np.int32)
_CHUNK = 2_000
_SLICE = 1 << 18
_MOST = 2_000_000
_MOST_PRIOR = np.iinfo(np.int32).max - UNIT * _MOST
"""With more, counts might overflow."""
_STATE = ("link", "random", "prior")


class Sampler:
    """Chains over a text, in groups that run in threads of their own."""

    def __init__(
        self,
        text: Text,
        settings: Sampling,
        *,
        seed: int = 0,
        jobs: int = 1,
        known: Counted | None = None,
    ) -> None:
        """Start chains at random.

        What is `known` counts beside their links; the first words of the text are its words.
        """
        self.settings = settings
        self.sizes = len(text.source_words), len(text.target_words)
        self.bitext, slots = join(text)
        _check_counts(text)
        self.level = 0
        words = text.source_words, text.target_words
        self._known = Counted.nothing(self.sizes) if known is None else known.widened(self.sizes)
        self._counted = self._known.find(slots, self.sizes[1])
        self._priors = Priors(slots, words)
        by_parts = np.zeros((len(slots), 2), np.float32)
        if known is not None:
            by_parts = self._known.by_parts(slots, self._counted, words)
        self._set_prior(by_parts)
        self.groups = [
            self._group(chains, len(slots), seed)
            for chains in np.array_split(np.arange(2 * settings.samplers), jobs)
            if chains.size
        ]
        for group in self.groups:
            start_anywhere(self.bitext, group, np.float32(settings.null))

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

    def _set_prior(self, by_parts: NDArray[np.float32]) -> None:
        """Let the prior counts of words be those of their letters beside `alpha`."""
        settings = self.settings
        counts = settings.parts * by_parts + settings.resemblance * self._priors.alike[:, None]
        self.prior = np.rint(UNIT * (counts + settings.alpha)).astype(np.int32)

    def renew(self) -> None:
        """Take the priors of words from the links of their parts."""
        self._set_prior(self._priors.by_parts(self._agreed()))
        self.level = 0

    def _agreed(self) -> NDArray[np.float64]:
        """Return how often each pair of words is linked, in both directions alike."""
        both = np.empty(len(self.prior), np.float64)
        for first in range(0, both.size, _SLICE):
            part = slice(first, first + _SLICE)
            forward, reverse = self._sums(part) / (UNIT * self.settings.samplers)
            np.sqrt(forward * reverse, out=both[part])
        return both

    def _sums(self, part: slice = slice(None)) -> NDArray[np.int64]:
        """Return how often the chains of each direction link each pair of words."""
        prior = self.prior[part].astype(np.int64) + self._counted[part]
        sums = -self.settings.samplers * prior.T
        for group in self.groups:
            links = group.links[part]
            sums[0] += links[:, : group.forward].sum(axis=1, dtype=np.int64)
            sums[1] += links[:, group.forward :].sum(axis=1, dtype=np.int64)
        return sums

    def advance(self, level: int, renewed: bool = False) -> None:
        """Sweep over the text once with a model."""
        if renewed:
            self.renew()
        self.count(level)
        self._map(self._sweep, self.groups)

    def count(self, level: int) -> None:
        """Count the links for a model, unless they are counted already."""
        if level != self.level:
            self.level = level
            self._map(self._count, self.groups)

    def _count(self, group: Chains) -> None:
        known = self._known
        unseen = round(UNIT * self.settings.alpha)
        for columns, side in ((slice(group.forward), 0), (slice(group.forward, None), 1)):
            words, size = self._priors.slots[:, side], self.sizes[side]
            prior = np.bincount(words, self.prior[:, side] - unseen, minlength=size)
            total = prior + unseen * self.sizes[1 - side] + known.total[side][:size]
            group.links[:, columns] = (self.prior[:, side] + self._counted[:, side])[:, None]
            group.total[columns, :size] = total
            group.null[columns] = known.null[side]
            group.jump[columns] = known.jump[side] + np.float32(self.settings.jump_alpha)
            group.jumps[columns] = known.jump[side, 0].sum() + self.settings.jump_total
            group.fertility[columns] = known.fertility[side]
        count_links(self.bitext, group, self.level)

    def counted(self) -> Counted:
        """Return what the chains have counted, on average."""
        self.count(3)
        sums = self._sums() + self.settings.samplers * self._counted.T
        linked = sums.any(axis=0)
        return Counted(
            self._priors.slots[linked],
            np.rint(sums.T[linked] / self.settings.samplers).astype(np.int32),
            self._means("null"),
            self._means("jump") - np.float32(self.settings.jump_alpha),
            self._means("fertility"),
        )

    def _means(self, name: str) -> NDArray[np.float32]:
        """Return counts averaged over the chains of each direction."""
        chains = np.concatenate([getattr(group, name) for group in self.groups])
        both = chains.reshape(2, self.settings.samplers, *chains.shape[1:])
        return np.asarray(both.mean(axis=1), np.float32)

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
        group.expected[:] = self.settings.fertility * share + 0.01

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

    def state(self) -> dict[str, NDArray[Any]]:
        """Return what a run needs to go on as if it had not stopped."""
        return {
            "link": np.concatenate([group.link for group in self.groups]),
            "random": np.concatenate([group.random for group in self.groups]),
            "prior": self.prior,
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go back to a state; a `ValueError` if it is not one of this text."""
        old = self.state()
        link, random, prior = (_fitting(state[name], old[name]) for name in _STATE)
        self._check_links(link)
        if (random == 0).any():
            raise ValueError("a generator of random numbers that would only give 0")
        if not ((prior > 0) & (prior <= _MOST_PRIOR)).all():
            raise ValueError(f"a prior count that is not between 1 and {_MOST_PRIOR}")
        self.prior = prior
        done = 0
        for group in self.groups:
            own = slice(done, done + len(group.random))
            group.link[:] = link[own]
            group.random[:] = random[own]
            done = own.stop
        self.level = 0

    def _check_links(self, link: NDArray[np.int16]) -> None:
        """Raise a `ValueError` if a word chooses one that is not in its pair."""
        lengths = np.diff(self.bitext.source_start), np.diff(self.bitext.target_start)
        for side, chains in enumerate(np.split(link, 2)):
            words = np.zeros(link.shape[1], np.int64)
            there = np.repeat(lengths[side], lengths[1 - side])
            words[: there.size] = there
            if ((chains < -1) | (chains >= words)).any():
                raise ValueError("a link to a word that is not there")

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

    def _map(self, work: Callable[[Any], None], items: Iterable[Any]) -> None:
        if len(self.groups) == 1:
            for item in items:
                work(item)
            return
        with ThreadPoolExecutor(len(self.groups)) as pool:
            list(pool.map(work, items))


def _check_counts(text: Text) -> None:
    """Raise a `DataError` if a word is so frequent that counts of its links might overflow."""
    for side in (text.source, text.target):
        most = int(np.bincount(side.words, minlength=1).max())
        if most > _MOST:
            raise DataError(
                f"one word occurs {most} times, more than the {_MOST} that can be counted; align "
                "the text in parts"
            )


def _fitting(array: NDArray[Any], old: NDArray[Any]) -> NDArray[Any]:
    if array.shape != old.shape or array.dtype != old.dtype:
        raise ValueError(f"an array of {array.dtype}, {array.shape}, not {old.dtype}, {old.shape}")
    return array


def _seeds(seed: int, numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return where the generators of chains start, anywhere but at 0."""
    sequences = [np.random.SeedSequence([seed, int(number)]) for number in numbers]
    return np.array([one.generate_state(1, np.uint64)[0] | 1 for one in sequences], np.uint64)

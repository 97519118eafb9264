"""Bayesian word alignment by collapsed Gibbs sampling, in the manner of eflomal.

Östling and Tiedemann, Efficient word alignment with Markov Chain Monte Carlo (2016). Chains in both
directions start at random and go through three models, each with what the one before has and more:
words, jumps (a hidden Markov model), fertilities. At the end each sentence is sampled a few more
times, and the distributions that its choices were drawn from are averaged. Priors differ: those of
two words come from their letters, those of a word's fertility from all words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.alignment.statistical.numbering import Slots, Text, join, slots_of
from treewright.alignment.statistical.priors import Priors, Relatives
from treewright.alignment.statistical.sampling._kernels import (
    count_alone,
    count_links,
    start_anywhere,
    sweep,
)
from treewright.alignment.statistical.sampling.arrays import (
    CERTAIN,
    FERTILITIES,
    JUMPS,
    UNIT,
    Chains,
    Options,
)
from treewright.alignment.statistical.sampling.counted import Counted, agreed
from treewright.alignment.statistical.sampling.settings import Sampling
from treewright.arrays import Floats, Ints, Longs, Singles
from treewright.errors import DataError
from treewright.threads import in_order

Result = TypeVar("Result")

_NOTHING = np.zeros(0, np.int32)
_NO_WORDS = np.zeros((0, 2), np.int32)
_NO_COUNT = np.zeros(0)
_CHUNK = 2_000
_MOST = 2_000_000
_MOST_PRIOR = np.iinfo(np.int32).max - UNIT * _MOST
"""With more, counts might overflow."""
_STATE = ("link", "random", "priors")


class Sparse(NamedTuple):
    """An array of one axis that is nearly all zero, without its zeros."""

    size: int
    place: Longs
    value: NDArray[Any]

    @classmethod
    def of(cls, dense: NDArray[Any]) -> Sparse:
        """Keep what is not zero."""
        place = np.flatnonzero(dense)
        return cls(dense.size, place, dense[place])

    def dense(self) -> NDArray[Any]:
        """Return the whole array."""
        found = np.zeros(self.size, self.value.dtype)
        found[self.place] = self.value
        return found


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
        self.bitext = join(text)
        _check_counts(text)
        self.level = 0
        self._known = Counted.nothing(self.sizes) if known is None else known.widened(self.sizes)
        self._priors = Priors((text.source_words, text.target_words))
        parts = slots_of(self.bitext)
        self._alike = [Sparse.of(self._priors.alike(slots.words)) for slots in parts]
        self.prior = np.empty((self.bitext.slots, 2), np.int32)
        # What is counted before there are links: priors, and what is known.
        self._before = self.prior
        if known is None:
            self._set_prior(None, [])
        else:
            self._before = np.empty_like(self.prior)
            own = [Sparse.of(agreed(counts)) for _, counts in self._find_known()]
            self._set_prior(self._known.relatives(self._priors), own)
        self.groups = [
            self._group(chains, seed)
            for chains in np.array_split(np.arange(2 * settings.samplers), jobs)
            if chains.size
        ]
        for group in self.groups:
            start_anywhere(self.bitext, group, np.float32(settings.null))

    def _group(self, numbers: Longs, seed: int) -> Chains:
        C, V = numbers.size, max(self.sizes)
        forward = int((numbers < self.settings.samplers).sum())
        words = max(self.bitext.source.size, self.bitext.target.size)
        return Chains(
            forward,
            np.full((C, words), -1, np.int16),
            _seeds(seed, numbers),
            np.zeros((self.bitext.shared, C), np.int32),
            self._before,
            np.zeros((C, V), np.float64),
            np.zeros((C, V + 1), np.float32),
            np.zeros((C, 2, JUMPS), np.float32),
            np.zeros(C, np.float64),
            np.zeros((C, V, FERTILITIES), np.float32),
            np.zeros((C, FERTILITIES), np.float32),
        )

    def _find_known(self) -> Iterator[tuple[Slots, Ints]]:
        """Stream the slots, and what is known of each."""
        find = self._known.finder(self.sizes[1])
        for slots in slots_of(self.bitext):
            yield slots, find(slots.words)

    def _set_prior(self, relatives: Relatives | None, own: Sequence[Sparse]) -> None:
        """Let the prior counts of words be those of their letters beside `alpha`.

        `own` are the counts of words that `relatives` had from themselves, part by part.
        """
        settings = self.settings
        for part, slots in enumerate(slots_of(self.bitext)):
            counts = settings.resemblance * self._alike[part].dense()[:, None]
            if relatives is not None:
                by_parts = relatives.expect(slots.words, own[part].dense())
                counts = settings.parts * by_parts + counts
            self.prior[slots.number] = np.rint(UNIT * (counts + settings.alpha))

    def renew(self) -> None:
        """Take the priors of words from the links of their parts."""
        # After a state was restored, nothing is counted yet.
        self.count(self.level or 1)
        count, words = [], []
        for slots, links in self._linked():
            part = Sparse.of(agreed(links, self.settings.samplers))
            count.append(part)
            words.append(slots.words[part.place])
        values = np.concatenate([_NO_COUNT, *[part.value for part in count]])
        relatives = self._priors.relatives(np.concatenate([_NO_WORDS, *words]), values)
        self._set_prior(relatives, count)
        self.level = 0

    def _linked(self) -> Iterator[tuple[Slots, Longs]]:
        """Stream the slots, and how often the chains of each direction link each, in units."""
        shared = self.bitext.shared
        alone = np.zeros((self.bitext.slots - shared, 2), np.uint8)
        for group in self.groups:
            count_alone(self.bitext, group, alone)
        for slots in slots_of(self.bitext):
            is_shared = slots.number < shared
            several = slots.number[is_shared]
            sums = np.empty((slots.number.size, 2), np.int64)
            sums[~is_shared] = alone[slots.number[~is_shared] - shared]
            sums *= UNIT
            before = self.settings.samplers * self._before[several].astype(np.int64)
            links = np.concatenate([group.links[several] for group in self.groups], axis=1)
            both = links.reshape(len(several), 2, self.settings.samplers)
            sums[is_shared] = both.sum(axis=2, dtype=np.int64) - before
            yield slots, sums

    def advance(self, level: int, renewed: bool = False) -> None:
        """Sweep over the text once with a model."""
        if renewed:
            self.renew()
        self.count(level)
        self._each(self._sweep)

    def count(self, level: int) -> None:
        """Count the links for a model, unless they are counted already."""
        if level != self.level:
            self.level = level
            if self._before is not self.prior:
                for slots, known in self._find_known():
                    self._before[slots.number] = self.prior[slots.number] + known
            totals = self._totals()
            self._each(lambda group: self._count(group, totals))

    def _totals(self) -> list[Floats]:
        """Return the counts of each word of both sides before there are links."""
        unseen = round(UNIT * self.settings.alpha)
        totals = []
        for side in (0, 1):
            known = self._known.total[side][: self.sizes[side]]
            totals.append(known + unseen * self.sizes[1 - side])
        for slots in slots_of(self.bitext):
            for side, words in enumerate(slots.words.T):
                more = self.prior[slots.number, side] - unseen
                totals[side] += np.bincount(words, more, minlength=self.sizes[side])
        return totals

    def _count(self, group: Chains, totals: Sequence[Floats]) -> None:
        known = self._known
        for columns, side in ((slice(group.forward), 0), (slice(group.forward, None), 1)):
            group.links[:, columns] = self._before[: self.bitext.shared, side, None]
            group.total[columns, : self.sizes[side]] = totals[side]
            group.null[columns] = known.null[side]
            group.jump[columns] = known.jump[side] + np.float32(self.settings.jump_alpha)
            group.jumps[columns] = known.jump[side, 0].sum() + self.settings.jump_total
            group.fertility[columns] = known.fertility[side]
        count_links(self.bitext, group, self.level)

    def counted(self) -> Counted:
        """Return what the chains have counted, on average."""
        self.count(3)
        pairs, links = [_NO_WORDS], [_NO_WORDS]
        known = self._known.finder(self.sizes[1])
        for slots, sums in self._linked():
            sums += self.settings.samplers * known(slots.words)
            linked = sums.any(axis=1)
            pairs.append(slots.words[linked])
            links.append(np.rint(sums[linked] / self.settings.samplers).astype(np.int32))
        return Counted(
            np.concatenate(pairs),
            np.concatenate(links),
            self._means("null"),
            self._means("jump") - np.float32(self.settings.jump_alpha),
            self._means("fertility"),
        )

    def _means(self, name: str) -> Singles:
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
            "priors": self.prior,
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
        self.prior[:] = prior
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

    def posteriors(self, first: int, last: int) -> tuple[Singles, Singles]:
        """Return, for each cell of some pairs, the probability that the target word chose the
        source word, and the reverse.
        """
        cells = int(self.bitext.cell_start[last] - self.bitext.cell_start[first])
        samples, options = self.settings.samples, self.options()

        def add_up(group: Chains) -> Ints:
            sums = np.zeros((2, cells), np.int32)
            sweep(self.bitext, group, options, first, last, samples, *sums)
            return sums

        sums = self._each(add_up)
        scale = 1 / (float(CERTAIN) * samples * self.settings.samplers)
        total = sums[0]
        for more in sums[1:]:
            total += more
        forward, reverse = ((of_side * scale).astype(np.float32) for of_side in total)
        return forward, reverse

    def _each(self, work: Callable[[Chains], Result]) -> list[Result]:
        """Do the same for each group, in a thread of its own."""
        return list(in_order(work, self.groups, len(self.groups)))


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


def _seeds(seed: int, numbers: Longs) -> NDArray[np.uint64]:
    """Return where the generators of chains start, anywhere but at 0."""
    sequences = [np.random.SeedSequence([seed, int(number)]) for number in numbers]
    return np.array([one.generate_state(1, np.uint64)[0] | 1 for one in sequences], np.uint64)

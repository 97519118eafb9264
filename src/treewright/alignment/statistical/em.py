"""Word alignment by expectation maximisation: IBM's first model, and the hidden Markov model.

Brown and others 1993; Vogel, Ney and Tillmann 1996, with a null word that keeps the last word
chosen, and one distribution of jumps for each kind of word jumped from (words, punctuation). Jumps
are priced the same in sentences of any length, so each step is exact and the likelihood never
falls. Directions that must agree (Liang, Taskar and Klein 2006) learn from the links that both
believe in: that is not the likeliest model of either, but a much better aligner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.alignment.statistical._em_kernels import REACH, Choosing, Counts, expect_choices
from treewright.alignment.statistical.numbering import Bitext, Text, join, slots_of
from treewright.arrays import Floats, Singles
from treewright.corpora import Vocabulary, is_word
from treewright.threads import in_order

_CHUNK = 500
_UNSEEN = 0.01
"""What choices of none and jumps count beside those expected, where directions must agree: no
sentence becomes impossible when links disappear.
"""


@dataclass(frozen=True, kw_only=True)
class Maximisation:
    """How often each model is improved."""

    ibm1: int = 5
    hmm: int = 0
    null: float = 0.2
    """The probability that a word chooses none."""
    agree: bool = False
    """Whether both directions learn from the links that they agree on."""


class Direction:
    """The model of one side that chooses, and what is expected of it."""

    def __init__(self, slots: int, generating: Vocabulary, choosing: int) -> None:
        self.table = np.full(slots, 1 / max(1, choosing), np.float64)
        self.null = np.full(choosing, 1 / max(1, choosing), np.float64)
        self.kind = np.array([is_word(word) for word in generating.words], np.int64)
        self.jump = np.full((2, 2 * REACH + 1), 1 / (2 * REACH + 1))
        self.likelihood: list[float] = []
        self.links = np.zeros_like(self.table)
        self.nulls = np.zeros_like(self.null)
        self.jumps = np.zeros_like(self.jump)

    def forget(self) -> None:
        """Set what is expected to nothing."""
        for expected in (self.links, self.nulls, self.jumps):
            expected[:] = 0

    def maximise(self, bitext: Bitext, side: int, *, markov: bool) -> None:
        """Make what is expected likeliest; the words that generate are those of a side."""
        mass = np.zeros(self.kind.size)
        for number, words in slots_of(bitext):
            np.add.at(mass, words[:, side], self.links[number])
        for number, words in slots_of(bitext):
            of_word = mass[words[:, side]]
            seen = of_word > 0
            self.table[number[seen]] = self.links[number[seen]] / of_word[seen]
        if self.nulls.sum() > 0:
            self.null = self.nulls / self.nulls.sum()
        if markov:
            mass = self.jumps.sum(axis=1, keepdims=True)
            np.divide(self.jumps, mass, out=self.jump, where=mass > 0)


class Maximiser:
    """Both directions of a text."""

    def __init__(self, text: Text, settings: Maximisation, *, jobs: int = 1) -> None:
        self.settings = settings
        self.bitext = join(text)
        self.markov = False
        self.jobs = min(jobs, 2)
        words = text.source_words, text.target_words
        self.directions = [
            Direction(self.bitext.slots, words[side], len(words[1 - side])) for side in (0, 1)
        ]

    def steps(self) -> list[bool]:
        """Return, for each iteration, whether it is one of the hidden Markov model."""
        return [False] * self.settings.ibm1 + [True] * self.settings.hmm

    def advance(self, markov: bool) -> None:
        """Improve the model once."""
        self.markov = markov
        for direction in self.directions:
            direction.forget()
        likelihood = np.zeros(2)
        agreed = np.zeros(self.bitext.slots if self.settings.agree else 0)
        for first in range(0, self.bitext.pairs, _CHUNK):
            last = min(first + _CHUNK, self.bitext.pairs)
            (forward, reverse), added = self._expected(first, last)
            likelihood += added
            if self.settings.agree:
                begin, end = self.bitext.cell_start[[first, last]]
                np.add.at(agreed, self.bitext.cell[begin:end], forward * reverse)
        for direction, total in zip(self.directions, likelihood.tolist(), strict=True):
            direction.likelihood.append(total)
            if self.settings.agree:
                direction.links[:] = agreed
                direction.nulls += _UNSEEN
                direction.jumps += _UNSEEN

        def maximise(side: int) -> None:
            self.directions[side].maximise(self.bitext, side, markov=markov)

        list(in_order(maximise, (0, 1), self.jobs))

    def _expected(self, first: int, last: int) -> tuple[Floats, Floats]:
        """Add what is expected of some pairs to each direction; return the probability of each
        cell, in both, and the log-likelihood of both.
        """
        cells = int(self.bitext.cell_start[last] - self.bitext.cell_start[first])
        found = np.zeros((2, cells))

        def expect(side: int) -> float:
            return self._expect(side, first, last, found[side])

        return found, np.array(list(in_order(expect, (0, 1), self.jobs)))

    def _expect(self, side: int, first: int, last: int, posterior: Floats) -> float:
        own = self.directions[side]
        model = Choosing(own.table, own.null, own.jump, own.kind, self.settings.null)
        counts = Counts(own.links, own.nulls, own.jumps)
        likelihood = expect_choices(
            self.bitext, first, last, side, self.markov, model, counts, posterior
        )
        return float(likelihood)

    def posteriors(self, first: int, last: int) -> tuple[Singles, Singles]:
        """Return, for each cell of some pairs, the probability that the target word chose the
        source word, and the reverse.
        """
        found, _ = self._expected(first, last)
        forward, reverse = found.astype(np.float32)
        return forward, reverse

"""Settings of the sampler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_MOST_SWEEPS = 400


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """What the sampler assumes and how long it runs."""

    samplers: int = 3
    """Chains in each direction, at most 255."""
    sweeps: tuple[int, int, int] | None = None
    """Of each of the three models; by default, the more the smaller the text is."""
    samples: int = 4
    """Of each sentence at the end, in each chain."""
    alpha: float = 0.001
    """Prior count of each pair of words."""
    resemblance: float = 1.0
    """Prior count of two words that are the same."""
    parts: float = 5.0
    """Prior counts of a word's links, spread as its parts are linked in other words."""
    renewals: int = 2
    """How often the third model takes these from the links found so far."""
    null: float = 0.2
    """How much likelier no word is to be chosen than any one word."""
    null_alpha: float = 0.001
    """Prior count of each word that chooses none."""
    jump_alpha: float = 0.5
    """Prior count of each jump."""
    jump_total: float = 50.0
    """Prior count of all jumps together."""
    fertility: float = 4.0
    """Prior counts of a word's fertility, spread as those of all words are."""

    def steps(self, pairs: int) -> Iterator[tuple[int, bool]]:
        """Yield the model of each sweep, and whether priors are renewed before it."""
        sweeps = self.sweeps or default_sweeps(pairs)
        for level, number in enumerate(sweeps, start=1):
            for sweep in range(number):
                before, after = sweep * self.renewals, (sweep - 1) * self.renewals
                yield level, level == 3 and before // number != after // number


def default_sweeps(pairs: int) -> tuple[int, int, int]:
    """Return how many sweeps a text needs: fewer, the more evidence each of them gathers."""
    sweeps = min(_MOST_SWEEPS, max(2, round(4000 / max(1, pairs) ** 0.5)))
    return max(2, sweeps // 4), max(1, sweeps // 4), sweeps

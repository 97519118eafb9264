"""Whether the difference between two systems could be chance.

Both tests work on the per-sentence statistics, so a corpus score of a resampled corpus costs a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

import numpy as np

from treewright.arrays import Floats
from treewright.errors import UsageError
from treewright.randomness import generator

_CELLS = 1 << 22
_ROUNDING = 1e-12

Interval = tuple[float, float]


class Measured(Protocol):
    """A system's scores on a corpus, from statistics that add up over sentences."""

    @property
    def name(self) -> str:
        """What the system is called."""
        ...

    @property
    def signature(self) -> str:
        """What was measured, and how."""
        ...

    def statistics(self, metric: str) -> tuple[Any, Callable[[Any], Floats]]:
        """Return one row per sentence, and the function that scores sums of rows."""
        ...

    def score(self, metric: str) -> float:
        """Return the score of the corpus."""
        ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems under one metric; `difference` is the second's score minus the first's.

    `p_value` is two-sided. Intervals are present if the test gives them.
    """

    test: str
    metric: str
    first: str
    second: str
    first_score: float
    second_score: float
    difference: float
    p_value: float
    samples: int
    seed: int
    level: float | None = None
    first_interval: Interval | None = None
    second_interval: Interval | None = None
    difference_interval: Interval | None = None

    def as_dict(self) -> dict[str, object]:
        """Return everything as plain values."""
        return asdict(self)

    def sentence(self, score: str, difference: str) -> str:
        """Say what was found, with the name of the score and the difference as it is written."""
        return (
            f"{score} of {self.second} minus that of {self.first}: {difference}, "
            f"p = {self.p_value:.4f} ({self.test}, {self.samples} samples, seed {self.seed})"
        )


def paired_bootstrap(
    first: Measured,
    second: Measured,
    *,
    metric: str = "relation_f1",
    samples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Draw sentences with replacement, the same for both systems; intervals are percentiles.

    The p-value is the share of resampled differences that lie as far from their mean as the
    observed one lies from 0 (the null hypothesis, by shifting), counting the observed one.
    """
    _check(first, second)
    a, b = _resampled([first, second], metric, samples, level, seed)
    observed = second.score(metric) - first.score(metric)
    differences = b - a
    extreme = np.abs(differences - differences.mean()) >= abs(observed) - _ROUNDING
    comparison = _comparison("bootstrap", first, second, metric, int(extreme.sum()), samples, seed)
    return replace(
        comparison,
        level=level,
        first_interval=_interval(a, level),
        second_interval=_interval(b, level),
        difference_interval=_interval(differences, level),
    )


def bootstrap_interval(
    system: Measured, metric: str, *, samples: int = 1000, level: float = 0.95, seed: int = 0
) -> Interval:
    """Return between which scores a system lies on texts of the same kind and size."""
    return _interval(_resampled([system], metric, samples, level, seed)[0], level)


def approximate_randomisation(
    first: Measured,
    second: Measured,
    *,
    metric: str = "relation_f1",
    samples: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Swap the two systems' outputs sentence by sentence at random.

    The p-value is the share of such shuffles whose difference is as large as the observed one,
    counting the observed one.
    """
    _check(first, second)
    _check_samples(samples)
    (a, score), (b, _) = first.statistics(metric), second.statistics(metric)
    rng = generator(seed)
    observed = second.score(metric) - first.score(metric)
    change = (b - a).astype(np.float64)
    extreme = 0
    for size in _batches(samples, len(a)):
        moved = rng.integers(0, 2, size=(size, len(a))).astype(np.float64) @ change
        differences = score(b.sum(axis=0) - moved) - score(a.sum(axis=0) + moved)
        extreme += int((np.abs(differences) >= abs(observed) - _ROUNDING).sum())
    return _comparison("randomisation", first, second, metric, extreme, samples, seed)


TESTS: dict[str, Callable[..., Comparison]] = {
    "bootstrap": paired_bootstrap,
    "randomisation": approximate_randomisation,
}


def _check(first: Measured, second: Measured) -> None:
    if first.signature != second.signature:
        raise UsageError(
            f"{first.name} and {second.name} were not measured on the same pairs in the same way "
            f"({first.signature} against {second.signature})"
        )


def _check_samples(samples: int) -> None:
    if samples < 1:
        raise UsageError(f"a test needs at least one sample, found {samples}")


def _resampled(
    systems: Sequence[Measured], metric: str, samples: int, level: float, seed: int
) -> list[Floats]:
    """Return each system's scores on the same resampled corpora."""
    measured = [system.statistics(metric) for system in systems]
    _check_samples(samples)
    if not 0 < level < 1:
        raise UsageError(f"a confidence level must lie between 0 and 1, found {level}")
    rng = generator(seed)
    number = len(measured[0][0])
    scores: list[list[Floats]] = [[] for _ in systems]
    for size in _batches(samples, number):
        weights = rng.multinomial(number, np.full(number, 1 / number), size=size)
        for found, (table, score) in zip(scores, measured, strict=True):
            # Sums of counts are exact in floating point, whose product is many times faster.
            found.append(score(weights.astype(np.float64) @ table.astype(np.float64)))
    return [np.concatenate(found) for found in scores]


def _batches(samples: int, number: int) -> Iterator[int]:
    """Divide the samples so that the weights of a batch fit into a fixed amount of memory."""
    most = max(1, _CELLS // number)
    for start in range(0, samples, most):
        yield min(most, samples - start)


def _interval(values: Floats, level: float) -> Interval:
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _comparison(
    test: str,
    first: Measured,
    second: Measured,
    metric: str,
    extreme: int,
    samples: int,
    seed: int,
) -> Comparison:
    a, b = first.score(metric), second.score(metric)
    return Comparison(
        test=test,
        metric=metric,
        first=first.name,
        second=second.name,
        first_score=a,
        second_score=b,
        difference=b - a,
        p_value=(extreme + 1) / (samples + 1),
        samples=samples,
        seed=seed,
    )

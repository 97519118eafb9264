"""Whether several systems' mean scores differ: analysis of variance, and which of them do (Tukey).

scipy computes both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from treewright.errors import DataError, UsageError


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of `second` minus that of `first`, its simultaneous interval and p-value (Tukey)."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Variance:
    """A one-way analysis of variance: the F statistic, its degrees of freedom, and every pair."""

    means: Mapping[str, float]
    sizes: Mapping[str, int]
    f: float
    between: int
    within: int
    p_value: float
    level: float
    differences: tuple[Difference, ...]

    def as_dict(self) -> dict[str, object]:
        """Return everything as plain values."""
        return asdict(self)


def analyse_variance(groups: Mapping[str, Sequence[float]], *, level: float = 0.95) -> Variance:
    """Test whether groups of independent scores have the same mean, and which pairs do not.

    Post-hoc tests are Tukey's, or Tukey and Kramer's if the groups differ in size. A `DataError`
    says why a test is impossible.
    """
    from scipy.stats import f_oneway, tukey_hsd

    if not 0 < level < 1:
        raise UsageError(f"a confidence level must lie between 0 and 1, found {level}")
    if len(groups) < 2:
        raise DataError(f"a test needs two groups or more, found {len(groups)}")
    for name, scores in groups.items():
        if len(scores) < 2:
            raise DataError(f"a test needs two scores or more of {name}, found {len(scores)}")
    samples = [np.asarray(scores, dtype=np.float64) for scores in groups.values()]
    if all(np.ptp(sample) == 0 for sample in samples):
        raise DataError(
            "within each group all scores are the same, so there is no variance to test"
        )
    overall = f_oneway(*samples)
    pairwise = tukey_hsd(*samples)
    interval = pairwise.confidence_interval(level)
    low, high = np.asarray(interval.low), np.asarray(interval.high)
    names = list(groups)
    differences = tuple(
        Difference(
            first=names[i],
            second=names[j],
            difference=float(pairwise.statistic[j, i]),
            low=float(low[j, i]),
            high=float(high[j, i]),
            p_value=float(pairwise.pvalue[j, i]),
        )
        for i in range(len(names))
        for j in range(i + 1, len(names))
    )
    total = sum(len(sample) for sample in samples)
    return Variance(
        means={name: float(sample.mean()) for name, sample in zip(names, samples, strict=True)},
        sizes={name: len(sample) for name, sample in zip(names, samples, strict=True)},
        f=float(overall.statistic),
        between=len(names) - 1,
        within=total - len(names),
        p_value=float(overall.pvalue),
        level=level,
        differences=differences,
    )

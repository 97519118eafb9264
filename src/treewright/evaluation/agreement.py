"""How far people agree who judged the same items: raw agreement, kappas, alpha, the G-index.

All are 1 for perfect agreement; all but the raw one are 0 where people agree as often as chance
would have it, which each defines in its own way. One that is undefined, such as a kappa where
everyone always gave the same answer, is NaN.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np

from treewright.arrays import Floats
from treewright.errors import UsageError, choose

Answers = Sequence[Mapping[str, str]]
"""For each item, the answers of those who judged it."""


LEVELS = ("nominal", "ordinal", "interval")
"""How answers relate: not at all, by their order, or as numbers."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The measures of one question, and on how many items with how many judgements they rest.

    Only items that several people judged are counted. `cohen` is the mean over all pairs of people,
    weighted by the number of items they share; `pairs` is their number.
    """

    items: int
    judgements: int
    people: int
    pairs: int
    raw: float
    cohen: float
    fleiss: float
    alpha: float
    g: float

    def as_dict(self) -> dict[str, float]:
        """Return everything as plain values."""
        return asdict(self)


def measure_agreement(
    answers: Answers, categories: Sequence[str], *, level: str = "nominal"
) -> Agreement:
    """Return all measures of one question, whose possible answers are the `categories`, in order.

    Items need not have the same number of answers, nor be judged by the same people. Only alpha
    depends on the `level`.
    """
    counts = count_answers(answers, categories)
    shared = [given for given in answers if len(given) > 1]
    pairs = _kappas(shared)
    return Agreement(
        items=len(shared),
        judgements=sum(len(given) for given in shared),
        people=len({person for given in shared for person in given}),
        pairs=len(pairs),
        raw=raw_agreement(counts),
        cohen=_weighted_mean(pairs),
        fleiss=fleiss_kappa(counts),
        alpha=krippendorff_alpha(counts, _values(categories, level), level=level),
        g=g_index(counts),
    )


def count_answers(answers: Answers, categories: Sequence[str]) -> Floats:
    """Return how often each item (row) got each answer (column)."""
    if len(set(categories)) != len(categories) or len(categories) < 2:
        raise UsageError(
            f"agreement needs two or more different categories, found {list(categories)}"
        )
    column = {category: place for place, category in enumerate(categories)}
    counts = np.zeros((len(answers), len(categories)))
    for row, given in enumerate(answers):
        for answer in given.values():
            if answer not in column:
                raise UsageError(f"the answer {answer!r} is not among {', '.join(categories)}")
            counts[row, column[answer]] += 1
    return counts


def raw_agreement(counts: Floats) -> float:
    """Return the share of pairs of answers to an item that are equal, averaged over items."""
    shared = counts[counts.sum(axis=1) > 1]
    if not len(shared):
        return math.nan
    totals = shared.sum(axis=1)
    equal = (shared * (shared - 1)).sum(axis=1) / (totals * (totals - 1))
    return float(equal.mean())


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float:
    """Return Cohen's kappa (1960) of two people's answers to the same items, in the same order."""
    number = len(first)
    if number != len(second):
        raise UsageError(f"{number} answers by the first person, {len(second)} by the second")
    if not number:
        return math.nan
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / number
    mine, yours = Counter(first), Counter(second)
    expected = sum(mine[value] * yours[value] for value in mine) / number**2
    return _beyond_chance(observed, expected)


def fleiss_kappa(counts: Floats) -> float:
    """Return Fleiss' kappa (1971); items with fewer answers weigh as much as others (Gwet 2014)."""
    answered = counts[counts.sum(axis=1) > 0]
    if not len(answered):
        return math.nan
    shares = (answered / answered.sum(axis=1, keepdims=True)).mean(axis=0)
    return _beyond_chance(raw_agreement(counts), float((shares**2).sum()))


def g_index(counts: Floats) -> float:
    """Return the G-index (Holley and Guilford 1964): chance is 1 / the number of categories."""
    return _beyond_chance(raw_agreement(counts), 1 / counts.shape[1])


def krippendorff_alpha(counts: Floats, values: Floats, *, level: str = "nominal") -> float:
    """Return Krippendorff's alpha: 1 minus observed over expected disagreement (2011, section C).

    `values` are the categories as numbers; they matter at the interval level only.
    """
    shared = counts[counts.sum(axis=1) > 1]
    if not len(shared):
        return math.nan
    weights = shared / (shared.sum(axis=1, keepdims=True) - 1)
    coincidences = weights.T @ shared - np.diag(weights.sum(axis=0))
    marginals = shared.sum(axis=0)
    distances = _distances(marginals, values, choose(level, LEVELS, "level"))
    expected = float((np.outer(marginals, marginals) * distances).sum())
    if expected == 0:
        return math.nan
    observed = float((coincidences * distances).sum())
    return 1 - (float(marginals.sum()) - 1) * observed / expected


def _distances(marginals: Floats, values: Floats, level: str) -> Floats:
    """Return the squared difference between any two categories."""
    if level == "nominal":
        return 1 - np.eye(len(marginals))
    if level == "ordinal":
        # Between two ranks lie the answers in between, and half of those at either end.
        values = np.cumsum(marginals) - marginals / 2
    return np.subtract.outer(values, values) ** 2


def _values(categories: Sequence[str], level: str) -> Floats:
    if level != "interval":
        return np.arange(len(categories), dtype=np.float64)
    try:
        return np.array([float(category) for category in categories])
    except ValueError:
        raise UsageError(
            f"at the interval level answers must be numbers, found {', '.join(categories)}"
        ) from None


def _kappas(answers: Answers) -> list[tuple[float, int]]:
    """Return Cohen's kappa of each pair of people, and how many items they share."""
    both: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for given in answers:
        for one, other in combinations(sorted(given), 2):
            both[one, other].append((given[one], given[other]))
    kappas = [
        (cohen_kappa([a for a, _ in same], [b for _, b in same]), len(same))
        for same in both.values()
    ]
    return [(kappa, number) for kappa, number in kappas if not math.isnan(kappa)]


def _weighted_mean(kappas: Sequence[tuple[float, int]]) -> float:
    total = sum(number for _, number in kappas)
    return sum(kappa * number for kappa, number in kappas) / total if total else math.nan


def _beyond_chance(observed: float, expected: float) -> float:
    """Return which share of the agreement that chance leaves open there is."""
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan

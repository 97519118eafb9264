"""Checks of settings and of pairs that all learners share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from treewright.corpora import Pair, check_alignment
from treewright.errors import DataError, Problems, UsageError


def check_whole(name: str, value: object, *, least: int = 1, most: int | None = None) -> None:
    """Raise unless a setting is a whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError(f"{name} must be at least {least} and whole, found {value!r}")
    if most is not None and value > most:
        raise UsageError(f"{name} must be at most {most}, found {value!r}")


def check_number(
    name: str,
    value: object,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    below: float = math.inf,
    most: float = math.inf,
) -> None:
    """Raise unless a setting is a finite number within bounds."""
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or not math.isfinite(value)
        or not (above < value < below and least <= value <= most)
    ):
        raise UsageError(f"{name} must {_bounds(above, least, min(below, most))}, found {value!r}")


def _bounds(above: float, least: float, most: float) -> str:
    low = max(above, least)
    if math.isfinite(most):
        return f"lie between {low:g} and {most:g}"
    if low == 0.0:
        return "not be negative" if least == 0.0 else "be positive"
    return f"be at least {low:g}" if least == low else f"be greater than {low:g}"


def good_pairs(
    pairs: Iterable[Pair],
    problems: Problems | None,
    check: Callable[[Pair], None] | None = None,
) -> list[Pair]:
    """Return the pairs to learn from, those that pass a check; the others are problems."""
    return list(each_good_pair(pairs, problems, check))


def each_good_pair(
    pairs: Iterable[Pair],
    problems: Problems | None,
    check: Callable[[Pair], None] | None = None,
) -> Iterator[Pair]:
    """Yield the pairs to learn from one by one; it is an error if there is none."""
    problems, check = problems or Problems(strict=True), check or check_pair
    found = False
    for pair in pairs:
        try:
            check(pair)
        except DataError as error:
            problems.add(error)
        else:
            found = True
            yield pair
    if not found:
        raise DataError("there is nothing to learn from; training needs at least one aligned pair")


def check_pair(pair: Pair) -> None:
    """Raise a `DataError` unless something can be learned from a pair."""
    if pair.alignment is None:
        raise DataError("the pair has no word alignment; align it first", where=pair.id)
    sizes = len(pair.source.words()), len(pair.target_words)
    check_alignment(pair.alignment, *sizes, where=pair.id)
    if not sizes[1]:
        raise DataError("the target has no words; nothing can be learned from it", where=pair.id)

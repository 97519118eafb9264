import math
from typing import Any

import pytest

from treewright.compression import Budget
from treewright.errors import UsageError


def test_without_limits_nothing_is_capped() -> None:
    assert Budget().cap(10) is None
    assert Budget(corpus_rate=0.5).cap(10) is None


def test_caps() -> None:
    assert Budget(max_words=4).cap(10) == 4
    assert [Budget(rate=0.6).cap(n) for n in (0, 1, 2, 3, 10)] == [0, 1, 1, 2, 6]
    assert [Budget(rate=0.5).cap(n) for n in (1, 3, 5, 7)] == [round(n / 2) for n in (1, 3, 5, 7)]
    assert (Budget(rate=0.0).cap(9), Budget(rate=1.0).cap(9), Budget(max_words=0).cap(9)) == (
        0,
        9,
        0,
    )


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"rate": 0.5, "max_words": 3}, "rate and max_words contradict each other; give one"),
        ({"rate": 0.0, "max_words": 0}, "rate and max_words contradict"),
        ({"corpus_rate": 0.5, "rate": 0.5}, "rate and corpus_rate contradict"),
        ({"corpus_rate": 0.5, "rate": 0.5, "max_words": 1}, "rate and max_words and corpus_rate"),
        ({"rate": 1.01}, "rate must lie between 0 and 1, found 1.01"),
        ({"rate": -0.1}, "rate must lie between 0 and 1"),
        ({"corpus_rate": 63}, "corpus_rate must lie between 0 and 1, found 63"),
        ({"rate": math.nan}, "rate must lie between 0 and 1, found nan"),
        ({"max_words": -1}, "max_words must not be negative, found -1"),
    ],
)
def test_contradictions_and_ranges_are_usage_errors(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Budget(**limits)

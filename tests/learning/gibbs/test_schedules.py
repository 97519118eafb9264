from __future__ import annotations

import math

import pytest

from treewright.errors import UsageError
from treewright.learning.gibbs.run import SCHEDULES, Annealing

every_schedule = pytest.mark.parametrize("schedule", sorted(SCHEDULES))


def temperatures(schedule: str, hottest: float, coldest: float, iterations: int) -> list[float]:
    annealing = Annealing(schedule, hottest, coldest, iterations)
    return [annealing.temperature(iteration) for iteration in range(iterations)]


@every_schedule
def test_a_run_begins_at_the_hottest_and_ends_at_the_coldest(schedule: str) -> None:
    found = temperatures(schedule, 5.0, 0.5, 21)
    assert found[0] == 5.0
    assert found[-1] == (5.0 if schedule == "constant" else pytest.approx(0.5))


@every_schedule
def test_temperatures_never_rise(schedule: str) -> None:
    found = temperatures(schedule, 5.0, 0.5, 21)
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == (1 if schedule == "constant" else 21)


@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_the_last_sweep_takes_the_best_of_all(schedule: str) -> None:
    assert temperatures(schedule, 5.0, 0.0, 7)[-1] == 0.0


def test_values_between_the_ends() -> None:
    assert temperatures("linear", 5.0, 0.0, 6) == [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]
    assert temperatures("cosine", 4.0, 0.0, 3)[1] == pytest.approx(2.0)
    assert temperatures("geometric", 4.0, 1.0, 3) == pytest.approx([4.0, 2.0, 1.0])
    assert temperatures("constant", 1.5, 0.0, 3) == [1.5, 1.5, 1.5]


def test_a_single_sweep_is_the_last_one() -> None:
    assert temperatures("linear", 5.0, 0.0, 1) == [0.0]
    assert temperatures("constant", 5.0, 0.0, 1) == [5.0]


@pytest.mark.parametrize(
    ("schedule", "hottest", "coldest", "message"),
    [
        ("steep", 5.0, 0.0, "unknown schedule 'steep'; choose one of: constant, cosine, geometric"),
        ("linear", 0.0, 0.0, "hottest must be positive, found 0"),
        ("linear", math.inf, 0.0, "hottest must be positive, found inf"),
        ("linear", math.nan, 0.0, "hottest must be positive, found nan"),
        ("linear", 5.0, -1.0, "coldest must lie between 0 and 5, found -1"),
        ("linear", 5.0, 6.0, "coldest must lie between 0 and 5, found 6"),
        ("geometric", 5.0, 0.0, "a geometric schedule never reaches 0; give coldest"),
    ],
)
def test_a_schedule_that_makes_no_sense(
    schedule: str, hottest: float, coldest: float, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        Annealing(schedule, hottest, coldest, 10)

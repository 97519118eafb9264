"""Work in stages: the order in which it is done, and what becomes of errors."""

from __future__ import annotations

from treewright.compression.staging import TOGETHER, Stages, in_step
from treewright.errors import DataError


def counting(name: int, stages: int, done: list[tuple[int, int]]) -> Stages[int]:
    for stage in range(stages):
        done.append((stage, name))
        yield
    return 10 * name


def failing() -> Stages[int]:
    yield
    raise DataError("no version")


def test_all_do_a_stage_before_any_does_the_next() -> None:
    done: list[tuple[int, int]] = []
    works = [counting(name, stages, done) for name, stages in enumerate([2, 0, 3])]
    assert in_step(works) == [0, 10, 20]
    assert done == [(0, 0), (0, 2), (1, 0), (1, 2), (2, 2)]


def test_only_so_many_are_in_a_stage_together() -> None:
    done: list[tuple[int, int]] = []
    works = [counting(name, 2, done) for name in range(TOGETHER + 1)]
    assert in_step(works) == [10 * name for name in range(TOGETHER + 1)]
    assert done[-2:] == [(0, TOGETHER), (1, TOGETHER)]


def test_an_error_takes_the_place_of_a_result() -> None:
    first, second, third = in_step([counting(1, 1, []), failing(), counting(3, 2, [])])
    assert (first, third) == (10, 30)
    assert isinstance(second, DataError)

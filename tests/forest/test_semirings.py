from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest

from treewright.forest import BOOLEAN, COUNTING, LOG, MAX, Semiring

SAMPLES: list[tuple[Semiring[Any], list[Any]]] = [
    (LOG, [-math.inf, -700.0, -1.5, 0.0, 2.0]),
    (MAX, [-math.inf, -700.0, -1.5, 0.0, 2.0]),
    (COUNTING, [0, 1, 2, 10**30]),
    (BOOLEAN, [False, True]),
]


@pytest.mark.parametrize(("semiring", "values"), SAMPLES, ids=["log", "max", "counting", "boolean"])
def test_axioms(semiring: Semiring[Any], values: list[Any]) -> None:
    plus, times = semiring.plus, semiring.times

    def same(a: Any, b: Any) -> bool:
        return bool(a == b or a == pytest.approx(b, rel=1e-12))

    for a in values:
        assert plus(a, semiring.zero) == a == plus(semiring.zero, a)
        assert times(a, semiring.one) == a == times(semiring.one, a)
        assert times(a, semiring.zero) == semiring.zero == times(semiring.zero, a)
    for a, b, c in product(values, repeat=3):
        assert same(plus(a, b), plus(b, a))
        assert same(plus(plus(a, b), c), plus(a, plus(b, c)))
        assert same(times(times(a, b), c), times(a, times(b, c)))
        assert same(times(a, plus(b, c)), plus(times(a, b), times(a, c)))
        assert same(times(plus(a, b), c), plus(times(a, c), times(b, c)))


@pytest.mark.parametrize(("semiring", "values"), SAMPLES, ids=["log", "max", "counting", "boolean"])
def test_lifting_keeps_zero_and_one(semiring: Semiring[Any], values: list[Any]) -> None:
    assert semiring.lift(-math.inf) == semiring.zero
    assert semiring.lift(0.0) == semiring.one
    assert type(semiring.lift(0.0)) is type(values[-1])

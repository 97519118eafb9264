from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from treewright.compression.sharing import cap_budget, leave_words, share_budget, upper_hull
from treewright.errors import UsageError

from ..profiles import examples

Curve = NDArray[np.float64]
scores = st.one_of(st.just(-np.inf), st.integers(-9, 9).map(float))
curves = (
    st.lists(scores, min_size=1, max_size=6).map(np.array).filter(lambda c: np.isfinite(c).any())
)


def all_choices(given: list[Curve]) -> list[tuple[float, int, tuple[int, ...]]]:
    """Every choice of lengths that has outputs: its score, its sum, its lengths."""
    lengths = [np.flatnonzero(np.isfinite(curve)).tolist() for curve in given]
    return [
        (sum(curve[n] for curve, n in zip(given, counts, strict=True)), sum(counts), counts)
        for counts in product(*lengths)
    ]


@examples(300)
@given(st.lists(curves, min_size=1, max_size=4), st.integers(0, 16), st.booleans())
def test_exact_sharing_is_the_best_of_all_choices(
    given_curves: list[Curve], total: int, exactly: bool
) -> None:
    choices = all_choices(given_curves)
    result = share_budget(given_curves, total, exactly=exactly, method="exact")
    within = [choice for choice in choices if choice[1] <= total]
    if not within:
        assert not result.met
        assert result.total == min(choice[1] for choice in choices)
        return
    if exactly:
        reach = max(choice[1] for choice in within)
        within = [choice for choice in within if choice[1] == reach]
    # The documented order: score, then fewer words in all, then fewer in the last sentence, …
    best = min(within, key=lambda choice: (-choice[0], choice[1], choice[2][::-1]))
    assert (result.score, result.total, result.counts) == best
    assert result.met


@examples(300)
@given(st.lists(curves, min_size=1, max_size=4), st.integers(0, 16), st.integers(0, 18))
def test_the_sum_is_not_below_the_least_if_it_need_not_be(
    given_curves: list[Curve], total: int, least: int
) -> None:
    choices = all_choices(given_curves)
    result = share_budget(given_curves, total, least=least, method="exact")
    within = [choice for choice in choices if choice[1] <= total]
    if not within:
        assert not result.met
        assert result.total == min(choice[1] for choice in choices)
        return
    above = [choice for choice in within if choice[1] >= least]
    reach = max(choice[1] for choice in within)
    above = above or [choice for choice in within if choice[1] == reach]
    best = min(above, key=lambda choice: (-choice[0], choice[1], choice[2][::-1]))
    assert (result.score, result.total, result.counts) == best
    assert result.met


@examples(200)
@given(
    st.lists(st.lists(st.integers(-9, 9), min_size=1, max_size=6), min_size=1, max_size=4),
    st.integers(0, 16),
    st.integers(0, 18),
)
def test_sharing_by_price_reaches_the_least_where_all_lengths_exist(
    given_curves: list[list[int]], total: int, least: int
) -> None:
    result = share_budget(
        [np.array(curve, dtype=float) for curve in given_curves],
        total,
        least=least,
        method="lagrange",
    )
    most = sum(len(curve) - 1 for curve in given_curves)
    assert min(least, total, most) <= result.total <= total


@examples(200)
@given(st.lists(curves, min_size=1, max_size=4), st.integers(0, 16), st.booleans())
def test_sharing_by_price_is_possible_within_budget_and_never_better_than_exact(
    given_curves: list[Curve], total: int, exactly: bool
) -> None:
    exact = share_budget(given_curves, total, exactly=exactly, method="exact")
    near = share_budget(given_curves, total, exactly=exactly, method="lagrange")
    assert near.met == exact.met
    assert np.isfinite(near.score)
    assert near.total <= max(total, exact.total)
    if near.total == exact.total or not exactly:
        assert near.score <= exact.score


@given(
    st.lists(st.lists(st.integers(-9, 9), max_size=5), min_size=1, max_size=4), st.integers(0, 20)
)
def test_sharing_by_price_is_exact_on_concave_curves(steps: list[list[int]], total: int) -> None:
    concave = [np.cumsum([0, *sorted(step, reverse=True)]).astype(float) for step in steps]
    for exactly in (False, True):
        near = share_budget(concave, total, exactly=exactly, method="lagrange")
        exact = share_budget(concave, total, exactly=exactly, method="exact")
        assert (near.score, near.total) == (exact.score, exact.total)


@given(curves)
def test_the_hull_lies_on_and_above_the_curve(curve: Curve) -> None:
    corners = upper_hull(curve)
    possible = np.flatnonzero(np.isfinite(curve))
    line = np.interp(possible, corners, curve[corners])
    assert (line >= curve[possible] - 1e-9).all()
    assert (np.diff(np.diff(curve[corners]) / np.diff(corners)) < 0).all()


@given(curves, st.integers(0, 8))
def test_a_cap_takes_the_best_length_within_it(curve: Curve, limit: int) -> None:
    possible = np.flatnonzero(np.isfinite(curve)).tolist()
    within = [n for n in possible if n <= limit]
    expected = min(within, key=lambda n: (-curve[n], n)) if within else possible[0]
    assert cap_budget(curve, limit) == expected


def test_a_budget_that_cannot_be_met_gives_the_shortest_and_says_so() -> None:
    curve = np.array([-np.inf, -np.inf, 1.0, 5.0])
    result = share_budget([curve, curve], 3)
    assert (result.counts, result.total, result.score, result.met) == ((2, 2), 4, 2.0, False)


def test_more_budget_than_words_is_no_problem() -> None:
    result = share_budget([np.array([0.0, 2.0, 1.0])] * 2, 10**9)
    assert (result.counts, result.met) == ((1, 1), True)
    assert share_budget([np.array([0.0, 2.0, 1.0])] * 2, 10**9, exactly=True).counts == (2, 2)


def test_no_sentences_need_no_words() -> None:
    assert share_budget([], 5).counts == ()
    assert share_budget([], 5, method="lagrange", exactly=True).counts == ()


def test_large_inputs_go_to_the_price_method(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps = [np.array([0.0, -np.inf, -np.inf, 9.0]), np.array([0.0, -np.inf, 7.0])]
    assert share_budget(gaps, 4).score == 9.0
    # The steepest segment is the second curve's; the exact method sees that the first pays more.
    monkeypatch.setattr("treewright.compression.sharing.EXACT_WORK", 0)
    assert share_budget(gaps, 4).score == 7.0


@pytest.mark.parametrize("bad", [[], [-np.inf], [0.0, np.nan], [np.inf, 0.0], [[0.0]]])
def test_curves_that_make_no_sense_are_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="curve 1 has"):
        share_budget([np.zeros(2), np.array(bad)], 3)


def test_an_unknown_method_lists_the_choices() -> None:
    with pytest.raises(UsageError, match="choose one of: auto, exact, lagrange"):
        share_budget([np.zeros(1)], 1, method="magic")


def test_saying_nothing_is_left_only_where_there_is_nothing_else() -> None:
    curve = np.array([0.0, -np.inf, -2.0])
    assert leave_words(curve).tolist() == [-np.inf, -np.inf, -2.0]
    assert curve[0] == 0.0
    for alone in (np.array([0.0]), np.array([0.0, -np.inf])):
        assert leave_words(alone).tolist() == alone.tolist()

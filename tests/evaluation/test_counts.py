from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from treewright.counts import Counts, compare

bags = st.lists(st.sampled_from("abc"), max_size=8)


@given(bags, bags)
def test_a_match_is_counted_as_often_as_both_have_it(ours: list[str], theirs: list[str]) -> None:
    matched = sum(min(ours.count(x), theirs.count(x)) for x in "abc")
    assert compare(ours, theirs) == Counts(matched, len(ours), len(theirs))


@given(bags, bags)
def test_f1_is_the_harmonic_mean(ours: list[str], theirs: list[str]) -> None:
    counts = compare(ours, theirs)
    p, r = counts.precision, counts.recall
    assert abs(counts.f1 - (2 * p * r / (p + r) if p + r else 0.0)) < 1e-12


def test_counts_add_up() -> None:
    total = sum([Counts(1, 2, 3), Counts(1, 1, 1)], start=Counts())
    assert total == Counts(2, 3, 4)
    assert total.as_dict()["precision"] == 2 / 3


def test_nothing_scores_zero() -> None:
    assert (Counts().precision, Counts().recall, Counts().f1) == (0.0, 0.0, 0.0)


def test_any_iterable_is_a_bag() -> None:
    assert compare(iter("ab"), Counter("b").elements()) == Counts(1, 2, 1)

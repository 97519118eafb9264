"""Agreement: published worked examples (figures only), and what must hold for any answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.errors import UsageError
from treewright.evaluation import LEVELS, measure_agreement
from treewright.evaluation.agreement import cohen_kappa, count_answers, g_index

from ..profiles import examples

Answers = list[dict[str, str]]


def answers_of(people: Sequence[str]) -> Answers:
    """Read ratings: a string for each person, a character for each item, `.` for none."""
    return [
        {str(person): row[item] for person, row in enumerate(people) if row[item] != "."}
        for item in range(len(people[0]))
    ]


def crossed(table: Sequence[Sequence[int]]) -> Answers:
    """Return the answers of two people from how often they gave each pair of answers."""
    return [
        {"a": str(i), "b": str(j)}
        for i, row in enumerate(table)
        for j, number in enumerate(row)
        for _ in range(number)
    ]


# Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), example C; also Gwet, "Handbook
# of inter-rater reliability" (2014), whose package irrCAC has it as cac.raw4raters.
FOUR_OBSERVERS = answers_of(["123321412...", "1233224125..", ".33323422513", "12332441251."])

# Fleiss, "Measuring nominal scale agreement among many raters" (1971), table 1: each row has the
# diagnoses of one of 30 patients by six psychiatrists.
PATIENTS = """
444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444
224445 333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444
133333 555555
"""


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_krippendorffs_example(level: str, alpha: float) -> None:
    found = measure_agreement(FOUR_OBSERVERS, list("12345"), level=level)
    assert found.alpha == pytest.approx(alpha, abs=0.0005)
    assert (found.items, found.judgements, found.people) == (11, 40, 4)


def test_the_same_ratings_in_gwets_handbook() -> None:
    found = measure_agreement(FOUR_OBSERVERS, list("12345"))
    assert found.raw == pytest.approx(0.81818, abs=5e-6)
    assert found.fleiss == pytest.approx(0.76117, abs=5e-6)
    assert found.g == pytest.approx(0.77273, abs=5e-6)
    assert found.alpha == pytest.approx(0.74342, abs=5e-6)


def test_gwets_two_abstractors() -> None:
    """Gwet 2014, irrCAC's cont3x3abstractors: 100 charts."""
    found = measure_agreement(crossed([[13, 0, 0], [0, 20, 7], [0, 4, 56]]), list("012"))
    assert found.raw == pytest.approx(0.89)
    assert found.cohen == pytest.approx(0.7964094, abs=5e-8)
    assert found.g == pytest.approx(0.835)
    assert found.alpha == pytest.approx(0.7972585, abs=5e-8)
    assert found.pairs == 1


def test_cohens_kappa_as_sas_prints_it() -> None:
    """The example of PROC FREQ, option AGREE, that statsmodels is checked with, too."""
    found = measure_agreement(crossed([[0, 4, 1], [0, 8, 0], [0, 1, 5]]), list("012"))
    assert found.cohen == pytest.approx(0.4842, abs=5e-5)


def test_fleiss_thirty_patients() -> None:
    answers = [{str(person): value for person, value in enumerate(row)} for row in PATIENTS.split()]
    found = measure_agreement(answers, list("12345"))
    assert found.fleiss == pytest.approx(0.430, abs=5e-4)
    assert found.raw == pytest.approx(0.5556, abs=5e-5)
    assert (found.items, found.pairs) == (30, 15)


def test_the_g_index_of_the_propositions_paper() -> None:
    """Hovy et al. 2011, table 3, the random sample: agreement .76 is G = .53, as they round."""
    counts = count_answers(crossed([[38, 12], [12, 38]]), ["0", "1"])
    assert g_index(counts) == pytest.approx(0.53, abs=0.015)


def test_kappa_is_low_where_one_answer_prevails_and_g_is_not() -> None:
    found = measure_agreement(crossed([[90, 5], [5, 0]]), ["0", "1"])
    assert found.raw == pytest.approx(0.9)
    assert found.cohen < 0
    assert found.fleiss < 0
    assert found.g == pytest.approx(0.8)


categories = list("1234")
people = list("abcde")
some_answers = st.lists(
    st.dictionaries(st.sampled_from(people), st.sampled_from(categories), max_size=5),
    min_size=1,
    max_size=12,
)


def figures(
    answers: Answers, names: Sequence[str] = categories, level: str = "nominal"
) -> list[float]:
    found = measure_agreement(answers, names, level=level)
    return [found.raw, found.cohen, found.fleiss, found.alpha, found.g]


def same(first: Sequence[float], second: Sequence[float]) -> bool:
    return list(first) == pytest.approx(list(second), nan_ok=True)


@examples(60)
@given(st.lists(st.sampled_from(categories), min_size=2, max_size=9), st.sampled_from(LEVELS))
def test_perfect_agreement_is_1(values: list[str], level: str) -> None:
    assume(len(set(values)) > 1)
    answers = [dict.fromkeys(people, value) for value in values]
    assert figures(answers, level=level) == pytest.approx([1.0] * 5)


@examples(60)
@given(some_answers)
def test_it_does_not_matter_what_answers_and_people_are_called(answers: Answers) -> None:
    value = dict(zip(categories, "wxyz", strict=True))
    name = dict(zip(people, reversed(people), strict=True))
    renamed = [{name[one]: value[a] for one, a in given.items()} for given in answers]
    assert same(figures(renamed, "zxyw"), figures(answers))


@examples(60)
@given(some_answers, st.sampled_from(LEVELS))
def test_it_does_not_matter_in_which_order_items_come(answers: Answers, level: str) -> None:
    assert same(figures(answers[::-1], level=level), figures(answers, level=level))


@examples(60)
@given(some_answers)
def test_reversing_a_scale_leaves_alpha_as_it_is(answers: Answers) -> None:
    turned = [{one: str(5 - int(a)) for one, a in given.items()} for given in answers]
    for level in ("ordinal", "interval"):
        assert same(figures(turned, level=level), figures(answers, level=level))


@examples(60)
@given(some_answers, st.sampled_from(LEVELS))
def test_items_that_one_person_judged_leave_alpha_as_it_is(answers: Answers, level: str) -> None:
    alone = [*answers, {"a": "1"}, {"b": "4"}, {}]
    assert same(figures(alone, level=level)[3:], figures(answers, level=level)[3:])


@examples(60)
@given(some_answers, st.sampled_from(LEVELS))
def test_alpha_by_its_definition(answers: Answers, level: str) -> None:
    """One minus observed over expected disagreement, pair by pair of answers."""
    units = [list(given.values()) for given in answers if len(given) > 1]
    pool = [value for unit in units for value in unit]

    def distance(a: str, b: str) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (int(a) - int(b)) ** 2
        low, high = sorted((a, b))
        between = sum(low <= value <= high for value in pool)
        return (between - (pool.count(low) + pool.count(high)) / 2) ** 2

    expected = sum(distance(a, b) for a, b in permutations(pool, 2))
    assume(expected > 0)
    observed = sum(
        sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    alpha = 1 - (observed / len(pool)) / (expected / (len(pool) * (len(pool) - 1)))
    assert measure_agreement(answers, categories, level=level).alpha == pytest.approx(alpha)


@examples(60)
@given(st.lists(st.tuples(*[st.sampled_from(categories)] * 2), min_size=1, max_size=20))
def test_two_people_have_fleiss_kappa_below_cohens(pairs: list[tuple[str, str]]) -> None:
    """Chance agreement from the pooled shares is never below that from the separate ones."""
    answers = [{"a": first, "b": second} for first, second in pairs]
    found = measure_agreement(answers, categories)
    assume(not math.isnan(found.cohen) and not math.isnan(found.fleiss))
    assert found.fleiss <= found.cohen + 1e-12


def test_what_is_undefined_is_nan() -> None:
    alone = measure_agreement([{"a": "1"}, {"b": "2"}], categories)
    assert all(math.isnan(value) for value in (alone.raw, alone.cohen, alone.fleiss, alone.alpha))
    constant = measure_agreement([{"a": "1", "b": "1"}] * 3, categories)
    assert (constant.raw, constant.g) == (1, 1)
    assert all(math.isnan(value) for value in (constant.cohen, constant.fleiss, constant.alpha))
    assert math.isnan(measure_agreement([], categories).raw)


def test_bad_requests_are_named() -> None:
    with pytest.raises(UsageError, match="the answer '9' is not among 1, 2"):
        measure_agreement([{"a": "9"}], ["1", "2"])
    with pytest.raises(UsageError, match="two or more different categories"):
        measure_agreement([], ["1"])
    with pytest.raises(UsageError, match="answers must be numbers, found yes, no"):
        measure_agreement([], ["yes", "no"], level="interval")
    with pytest.raises(UsageError, match="choose one of: interval, nominal, ordinal"):
        measure_agreement([{"a": "1", "b": "2"}], ["1", "2"], level="ratio")
    with pytest.raises(UsageError, match="1 answers by the first person, 2 by the second"):
        cohen_kappa(["1"], ["1", "2"])

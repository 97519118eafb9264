"""Whose work counts: hidden tests, the 25 % rule, repetition, truisms, agreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from treewright.annotation import Screening, Slot, Study, read_answers, screen, settle
from treewright.errors import Problems

from .toys import saved, scale_study, write, yes_no_study


def screened(
    folder: Path, study: Study, files: Sequence[dict[str, Any]], **options: Any
) -> Screening:
    paths = [write(folder, str(i), each) for i, each in enumerate(files)]
    return screen(
        settle(read_answers(paths, study, Problems(strict=True)), study), study, **options
    )


def rejected(found: Screening) -> dict[str, str | None]:
    return {person.name: person.rejected for person in found.people}


def failing(*pages: str) -> Callable[[Slot], str]:
    """Answer yes to everything, but fail the tests of these pages."""
    return lambda slot: "no" if slot.kind == "test" and slot.id.split("-")[0] in pages else "yes"


def test_one_failed_test_costs_its_page_and_a_quarter_everything(tmp_path: Path) -> None:
    study = yes_no_study(20)
    assert len(study.pages) == 5
    files = [saved(study, "Ann", failing()), saved(study, "Ben", failing("3"))]
    found = screened(tmp_path, study, files, deviations=None)
    assert found.pages == {("Ben", "3"): "hidden test failed"}
    assert rejected(found) == {"Ann": None, "Ben": None}
    # At least 25 %: one of four pages is enough, one of five is not.
    files = [saved(study, "Ben", failing("3"), pages=("1", "2", "3", "4"))]
    found = screened(tmp_path, study, files)
    assert rejected(found) == {"Ben": "failed too many tests"}
    assert found.reasons() == {"failed too many tests": 4}
    assert (found.people[0].passed, found.people[0].failed) == (3, 1)
    assert rejected(screened(tmp_path, study, files, share=0.3)) == {"Ben": None}


def test_an_unanswered_test_costs_the_page_but_is_not_held_against_anyone(tmp_path: Path) -> None:
    study = yes_no_study(8)
    shy = saved(study, "Ann", lambda s: None if s.id == hidden_slot(study, "1") else "yes")
    found = screened(tmp_path, study, [shy])
    assert found.pages == {("Ann", "1"): "hidden test unanswered"}
    assert (found.people[0].passed, found.people[0].failed) == (1, 0)
    assert found.people[0].rejected is None


def hidden_slot(study: Study, page: str) -> str:
    [slots] = [each.slots for each in study.pages if each.name == page]
    return next(slot.id for slot in slots if slot.kind == "test")


def test_who_answers_the_repeated_item_differently_fails(tmp_path: Path) -> None:
    study = yes_no_study(8, repeat=True)
    fickle = saved(study, "Ann", lambda slot: "no" if slot.kind == "repeat" else "yes")
    shy = saved(study, "Ben", lambda slot: None if slot.kind == "repeat" else "yes")
    found = screened(tmp_path, study, [fickle, shy, saved(study, "Cleo", failing())], share=1.0)
    assert {name for name, _ in found.pages} == {"Ann", "Ben"}
    assert found.reasons() == {"repetition differs": 2, "hidden test unanswered": 2}
    # Half of Ann's tests, repetitions and truisms, failed.
    found = screened(tmp_path, study, [fickle], share=0.5)
    assert rejected(found) == {"Ann": "failed too many tests"}
    assert (found.people[0].passed, found.people[0].failed) == (2, 2)


def test_a_share_of_0_rejects_whoever_failed_once_and_nobody_else(tmp_path: Path) -> None:
    study = yes_no_study(20)
    files = [saved(study, "Ann", failing()), saved(study, "Ben", failing("3"))]
    found = screened(tmp_path, study, files, share=0.0, deviations=None)
    assert rejected(found) == {"Ann": None, "Ben": "failed too many tests"}


def contrary(number: int) -> Callable[[Slot], str]:
    """Say yes, except no to the items with these numbers, but pass all tests."""
    return lambda slot: "no" if slot.kind == "item" and slot.index < number else "yes"


def test_who_agrees_much_less_than_the_average_is_rejected(tmp_path: Path) -> None:
    study = yes_no_study(8)
    files = [saved(study, name, contrary(0)) for name in ("Ann", "Ben", "Cleo", "Dan")]
    files.append(saved(study, "Eve", contrary(6)))
    found = screened(tmp_path, study, files)
    assert rejected(found)["Eve"] == "agrees too little with others"
    assert [person.rejected for person in found.people[:4]] == [None] * 4
    agreement = {person.name: person.agreement for person in found.people}
    # Of the eight items, Eve agrees on two with everyone; the others on all with three, on two
    # with her.
    assert agreement["Eve"] == pytest.approx(2 / 8)
    assert agreement["Ann"] == pytest.approx((8 * 3 + 2) / (8 * 4))
    assert found.mean == pytest.approx((4 * 26 / 32 + 0.25) / 5)
    assert set(rejected(screened(tmp_path, study, files, deviations=None)).values()) == {None}
    assert rejected(screened(tmp_path, study, files, deviations=2.0))["Eve"] is None


def test_those_who_failed_tests_do_not_count_in_the_agreement(tmp_path: Path) -> None:
    study = yes_no_study(8)
    files = [saved(study, name, contrary(0)) for name in ("Ann", "Ben")]
    files.append(saved(study, "Bot", lambda slot: "no"))
    found = screened(tmp_path, study, files)
    assert rejected(found) == {"Ann": None, "Ben": None, "Bot": "failed too many tests"}
    assert {person.name: person.agreement for person in found.people} == {
        "Ann": 1.0,
        "Ben": 1.0,
        "Bot": None,
    }


def test_nobody_is_an_outlier_where_all_agree_equally_or_nobody_shares_items(
    tmp_path: Path,
) -> None:
    study = yes_no_study(8)
    alike = [saved(study, name, contrary(0)) for name in ("Ann", "Ben", "Cleo")]
    assert set(rejected(screened(tmp_path, study, alike)).values()) == {None}
    apart = [
        saved(study, "Ann", contrary(0), pages=("1",)),
        saved(study, "Ben", contrary(8), pages=("2",)),
    ]
    found = screened(tmp_path, study, apart)
    assert (found.mean, found.deviation) == (None, None)
    assert found.pages == {}


def test_without_tests_only_agreement_counts(tmp_path: Path) -> None:
    study = scale_study(6)
    files = [saved(study, name, lambda slot: "3") for name in ("Ann", "Ben", "Cleo")]
    files.append(saved(study, "Dan", lambda slot: "5"))
    found = screened(tmp_path, study, files)
    assert rejected(found)["Dan"] == "agrees too little with others"
    assert [person.passed for person in found.people] == [0, 0, 0, 0]

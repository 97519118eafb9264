"""Scores of systems, figures of items, and what the analysis of variance sees."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treewright.annotation import (
    Item,
    Origin,
    Passage,
    Results,
    Study,
    evaluate_answers,
    make_study,
    read_answers,
)
from treewright.errors import DataError, Problems, UsageError
from treewright.evaluation import Variance, analyse_variance, measure_agreement

from .toys import TRUE, YES_NO, saved, scale_study, write, yes_no_study


def results(folder: Path, study: Study, files: list[dict[str, Any]], **options: Any) -> Results:
    paths = [write(folder, str(i), each) for i, each in enumerate(files)]
    answers = read_answers(paths, study, Problems(strict=True))
    return evaluate_answers(study, answers, **{"deviations": None, **options})


def weighted_study() -> Study:
    """Return three items: the first by both systems, and weighted."""
    made = [
        Item("1", (Passage("", "a"),), (Origin("A", 1, 3.0), Origin("B", 2)), {"id": "first"}),
        Item("2", (Passage("", "b"),), (Origin("A", 2, 1.0),)),
        Item("3", (Passage("", "c"),), (Origin("B", 1),)),
    ]
    return make_study(YES_NO, made, [TRUE])


# Who says yes to which of the three items; tests are passed.
YES = {"Ann": {0, 1}, "Ben": {0}, "Cleo": {1}}


def judged(study: Study) -> list[dict[str, Any]]:
    return [
        saved(
            study,
            name,
            lambda slot, yes=yes: "yes" if slot.kind == "test" or slot.index in yes else "no",
        )
        for name, yes in YES.items()
    ]


def test_aggregate_and_majority_by_hand(tmp_path: Path) -> None:
    found = results(tmp_path, weighted_study(), judged(weighted_study()))
    a, b = found.scores
    # Items 1 and 2 got two yes of three; item 3 none. A's weights are 3 and 1, B's 1 and 1.
    assert (a.system, a.items, a.judgements) == ("A", 2, 6)
    assert a.aggregate == pytest.approx((3 * 2 + 1 * 2) / (3 * 3 + 1 * 3))
    assert a.majority == 1
    assert (b.system, b.aggregate, b.majority) == ("B", pytest.approx(2 / 6), 0.5)
    json.dumps(found.as_dict())


def test_a_tie_is_no_majority(tmp_path: Path) -> None:
    study = weighted_study()
    found = results(tmp_path, study, judged(study)[:2])
    assert [score.majority for score in found.scores] == [0.75, 0.5]


def test_rows_of_items(tmp_path: Path) -> None:
    rows = list(results(tmp_path, weighted_study(), judged(weighted_study())).item_rows())
    assert rows[0] == {
        "item": "1",
        "id": "first",
        "texts": {"text": "a"},
        "systems": {"A": {"rank": 1, "weight": 3.0}, "B": {"rank": 2, "weight": 1.0}},
        "annotators": 3,
        "answers": {"so": {"no": 1, "yes": 2}},
        "scores": {"so": pytest.approx(2 / 3)},
        "majority": {"so": True},
    }
    assert rows[2]["scores"] == {"so": 0}


def test_agreement_is_that_of_the_answers_that_count(tmp_path: Path) -> None:
    study = weighted_study()
    bot = saved(study, "Bot", lambda slot: "no")
    found = results(tmp_path, study, [*judged(study), bot])
    answers = [
        {name: "yes" if index in yes else "no" for name, yes in YES.items()} for index in range(3)
    ]
    wanted = measure_agreement(answers, ["yes", "no"])
    assert found.agreement["so"].as_dict() == pytest.approx(wanted.as_dict())
    assert found.unscreened["so"].judgements == 12
    counts = found.counts()
    assert (counts["annotators"], counts["annotators_counted"]) == (4, 3)
    assert (counts["judgements"], counts["judgements_counted"]) == (12, 9)
    assert counts["reasons"] == {"failed too many tests": 1}
    status = {(row["annotator"], row["status"]) for row in found.answer_rows()}
    assert ("Bot", "failed too many tests") in status
    assert ("Ann", "counted") in status


def scales(study: Study) -> list[dict[str, Any]]:
    def rate(shift: int) -> Any:
        return lambda slot: str(1 + (slot.index + shift) % 2 + 2 * (slot.index % 2))

    return [
        saved(study, name, {"grammar": rate(shift), "importance": lambda slot: "3"})
        for name, shift in (("Ann", 0), ("Ben", 1), ("Cleo", 0))
    ]


def test_the_analysis_of_variance_sees_items_or_judgements(tmp_path: Path) -> None:
    study = scale_study(12, "EM", "GS")
    grammar = {name: [] for name in ("EM", "GS")}  # type: dict[str, list[float]]
    means = {name: [] for name in ("EM", "GS")}  # type: dict[str, list[float]]
    for index in range(12):
        ratings = [1.0 + (index + shift) % 2 + 2 * (index % 2) for shift in (0, 1, 0)]
        grammar["GS" if index % 2 else "EM"] += ratings
        means["GS" if index % 2 else "EM"].append(sum(ratings) / 3)
    found = results(tmp_path, study, scales(study), unit="judgement")
    variance = found.variances["grammar"]
    assert isinstance(variance, Variance)
    assert variance.f == pytest.approx(analyse_variance(grammar).f)
    assert variance.differences[0].p_value < 0.01
    # All of a system's items have the same mean here, so by item there is nothing to test.
    assert len(set(means["EM"])) == 1
    found = results(tmp_path, study, scales(study))
    assert "no variance to test" in str(found.variances["grammar"])
    assert isinstance(found.variances["importance"], DataError)
    assert found.as_dict()["variance"]["importance"]["error"]
    assert [score.majority for score in found.scores] == [None] * 4


def test_one_system_is_not_tested_and_no_answers_are_no_error(tmp_path: Path) -> None:
    study = scale_study(3, "EM")
    assert results(tmp_path, study, scales(study)).variances == {}
    empty = evaluate_answers(yes_no_study(), [])
    assert empty.scores == ()
    assert empty.counts()["items_short"] == 8
    with pytest.raises(UsageError, match="choose one of: item, judgement"):
        evaluate_answers(yes_no_study(), [], unit="page")


def test_optional_remarks_are_counted_but_not_scored(tmp_path: Path) -> None:
    from treewright.annotation import load_form

    form = replace(load_form("propositions"), tests=0, repeat=False)
    study = make_study(form, [Item("1", (Passage("", "a"),), (Origin("A"),))], [])
    files = [
        saved(study, "Ann", {"sensible": lambda slot: "no", "remark": lambda slot: "odd"}),
        saved(study, "Ben", {"sensible": lambda slot: "yes"}),
    ]
    found = results(tmp_path, study, files)
    [row] = found.item_rows()
    assert row["answers"] == {"sensible": {"no": 1, "yes": 1}, "remark": {"odd": 1}}
    assert row["scores"] == {"sensible": 0.5}
    assert list(found.agreement) == ["sensible"]
    assert found.counts()["missing"] == 0

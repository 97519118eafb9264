"""Files of answers: good and bad ones, missing, double and late answers."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from treewright.annotation import Answer, Settled, Slot, parse_time, read_answers, settle
from treewright.errors import DataError, Problems

from .toys import saved, scale_study, write, yes_no_study

STUDY = yes_no_study(8)


def yes(_: Slot) -> str:
    return "yes"


def no(_: Slot) -> str:
    return "no"


def read(*paths: str) -> list[Answer]:
    return read_answers(paths, STUDY, Problems(strict=True))


def settled(*paths: str, until: str | None = None) -> Settled:
    return settle(read(*paths), STUDY, until=None if until is None else parse_time(until))


def test_what_the_page_saves_is_read(tmp_path: Path) -> None:
    answers = read(write(tmp_path, "a.json", saved(STUDY, " Anna  B. ", yes)))
    assert len(answers) == 10
    assert {answer.annotator for answer in answers} == {"Anna B."}
    assert answers[0].time == datetime(2026, 11, 17, 10, tzinfo=UTC)


def test_of_several_files_of_one_session_the_latest_counts(tmp_path: Path) -> None:
    early = write(tmp_path, "1", saved(STUDY, "Anna", no, pages=("1",), session="s"))
    late = saved(STUDY, "Anna", yes, session="s", at="2026-11-17T11:00:00.000Z")
    path = write(tmp_path, "2", late)
    for order in ((early, path), (path, early)):
        found = settled(*order)
        assert {answer.value for answer in read(*order)} == {"yes"}
        assert (found.missing, found.same, found.different) == (0, [], [])


def test_of_two_sessions_the_first_answers_count(tmp_path: Path) -> None:
    first = write(tmp_path, "1", saved(STUDY, "Anna", yes, session="s"))
    again = saved(
        STUDY,
        "Anna",
        lambda slot: "yes" if slot.id.startswith("1") else "no",
        session="t",
        at="2026-11-18T10:00:00.000Z",
    )
    second = write(tmp_path, "2", again)
    for order in ((first, second), (second, first)):
        found = settled(*order)
        assert {found.value("Anna", slot, "so") for slot in STUDY.slots} == {"yes"}
        assert (len(found.same), len(found.different)) == (5, 5)


def test_without_times_the_first_in_the_files_counts(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "annotator,slot,answer\nAnna,1-1,no\nAnna,1-1,yes\n")
    found = settled(path)
    assert found.value("Anna", "1-1", "so") == "no"
    assert len(found.different) == 1


def test_late_answers_do_not_count(tmp_path: Path) -> None:
    rows = "annotator,slot,answer,time\n" + "".join(
        f"{name},1-1,yes,{time}\n"
        for name, time in (
            ("Anna", "2026-11-17T10:00:00Z"),
            ("Ben", "2026-11-17T12:00:00+01:00"),
            ("Cleo", "2026-11-17T11:00:01Z"),
            ("Dan", ""),
        )
    )
    found = settled(write(tmp_path, "a.csv", rows), until="2026-11-17T11:00:00")
    assert sorted(found.answers) == ["Anna", "Ben", "Dan"]
    assert [answer.annotator for answer in found.late] == ["Cleo"]
    assert found.undated == 1


def test_a_late_second_answer_leaves_the_first(tmp_path: Path) -> None:
    rows = "annotator,slot,answer,time\nA,1-1,yes,2026-11-17\nA,1-1,no,2026-11-19\n"
    found = settled(write(tmp_path, "a.csv", rows), until="2026-11-18")
    assert found.value("A", "1-1", "so") == "yes"
    assert (len(found.late), found.different) == (1, [])


def test_missing_answers_are_counted_on_pages_begun(tmp_path: Path) -> None:
    path = write(tmp_path, "a", saved(STUDY, "Anna", lambda s: "yes" if s.id == "1-1" else None))
    found = settled(path)
    assert found.missing == 4
    assert [(name, page.name) for name, page in found.pages(STUDY)] == [("Anna", "1")]


def test_results_of_a_platform_are_read(tmp_path: Path) -> None:
    """A row for a page, as Mechanical Turk gives it."""
    head = "HITId,WorkerId,SubmitTime,Input.study,Input.page,Input.item1,Input.item1_text1,"
    rows = [
        f"{head}{','.join(f'Answer.item{i}_so' for i in range(1, 6))}",
        f"h,W1,Tue Nov 17 02:00:00 PST 2026,{STUDY.id},2,2-1,some text,yes,no,,yes,yes",
    ]
    answers = read(write(tmp_path, "batch.csv", "\n".join(rows) + "\n"))
    assert [(answer.slot, answer.value) for answer in answers] == [
        ("2-1", "yes"),
        ("2-2", "no"),
        ("2-4", "yes"),
        ("2-5", "yes"),
    ]
    assert {answer.time for answer in answers} == {datetime(2026, 11, 17, 10, tzinfo=UTC)}
    assert settle(answers, STUDY).missing == 1


def test_a_platform_may_have_a_column_for_each_value(tmp_path: Path) -> None:
    rows = [
        "WorkerId,Input.page,Answer.item1_so.no,Answer.item1_so.yes,Answer.item2_so.no",
        "W1,1,false,true,false",
        "W2,1,TRUE,FALSE,",
    ]
    answers = read(write(tmp_path, "batch.csv", "\n".join(rows) + "\n"))
    assert [(each.annotator, each.slot, each.value) for each in answers] == [
        ("W1", "1-1", "yes"),
        ("W2", "1-1", "no"),
    ]


def test_a_row_may_name_its_question(tmp_path: Path) -> None:
    study = scale_study(4)
    rows = 'annotator,slot,question,answer\nA,1-1,importance,3\nA,1-1,,4\n"B, C",1-2,grammar,5\n'
    answers = read_answers([write(tmp_path, "a.csv", rows)], study, Problems(strict=True))
    assert [(each.annotator, each.question, each.value) for each in answers] == [
        ("A", "importance", "3"),
        ("A", "grammar", "4"),
        ("B, C", "grammar", "5"),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("Anna,9-9,yes,", "the study has no item '9-9'"),
        ("Anna,1-2,maybe,", "'maybe' is no answer to 'so'; choose one of: yes, no"),
        (" ,1-2,yes,", "no annotator's name"),
        ("Anna,1-2,yes,yesterday", "'yesterday' is not a time"),
        ("Anna,1-2", "2 cells, expected 4"),
    ],
)
def test_a_bad_row_costs_only_itself(tmp_path: Path, row: str, message: str) -> None:
    text = f"annotator,slot,answer,time\nAnna,1-1,yes,\n{row}\nAnna,1-3,no,\n"
    problems = Problems()
    path = write(tmp_path, "a.csv", text)
    assert [each.slot for each in read_answers([path], STUDY, problems)] == ["1-1", "1-3"]
    [error] = problems.errors
    assert error.where == f"{path}:3"
    assert message in error.message


def test_a_bad_answer_in_a_saved_file_costs_only_itself(tmp_path: Path) -> None:
    content = saved(STUDY, "Anna", yes)
    content["answers"][0]["answer"] = "perhaps"
    content["answers"][1] = 7
    content["answers"][2]["question"] = "why"
    problems = Problems()
    assert len(read_answers([write(tmp_path, "a", content)], STUDY, problems)) == 7
    told = [str(error) for error in problems.errors]
    assert "answer 1: 'perhaps' is no answer" in told[0]
    assert "answer 2: expected an object" in told[1]
    assert "answer 3: no question 'why'; there are: so" in told[2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it is empty"),
        ("{", "not a file of answers"),
        ('{"format": "other"}', "not a file of answers"),
        ("annotator,answer\n", "columns are missing; expected a column 'annotator'"),
        ("slot,answer\n", "columns are missing"),
        ("annotator,slot,slot,answer\n", "two columns have the same name"),
        ('annotator,slot,answer\n"x\n', "not CSV: unexpected end of data"),
        ("annotator,page,item1_so\nA,7,yes\n", "the study has no page '7'"),
        ("annotator,page,item6_so\nA,1,yes\n", "an answer to item 6, but page 1 has 5"),
        ("study,annotator,slot,answer\nfeed,A,1-1,yes\n", "answers to another study (feed, not"),
    ],
)
def test_a_bad_file_costs_only_itself(tmp_path: Path, content: str, message: str) -> None:
    good = write(tmp_path, "good", saved(STUDY, "Anna", yes))
    problems = Problems()
    found = read_answers([write(tmp_path, "bad", content), good], STUDY, problems)
    assert len(found) == 10
    assert message in str(problems.errors[0])


def test_answers_to_another_study_are_refused(tmp_path: Path) -> None:
    other = saved(yes_no_study(8, seed=5), "Anna", yes)
    with pytest.raises(DataError, match="answers to another study"):
        read(write(tmp_path, "a", other))
    (tmp_path / "b").write_bytes(b"annotator,slot,answer\nAn\xe9,1-1,yes\n")
    with pytest.raises(DataError, match=r"b:2: not UTF-8"):
        read(str(tmp_path / "b"))

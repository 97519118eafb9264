"""Answers as people give them: files that the page saves, tables of crowd platforms."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from treewright.annotation.study import Study
from treewright.errors import DataError, Problems
from treewright.files import FORBIDDEN, open_text

FORMAT = "treewright answers"
VERSION = 1
MAX_FILE = 1 << 28
"""Larger files are rejected, so that a wrong one does not fill the memory."""
_FIELDS = ("slot", "question", "answer")
_ANNOTATOR = ("annotator", "workerid", "worker_id", "worker", "participant_id", "prolific_pid")
_TIME = ("time", "submittime", "submitted_at", "completed_at", "_created_at")
_ANSWER = re.compile(r"(?:answer\.)?item(\d{1,4})_([a-z][a-z0-9_]*)(?:\.(.+))?")
"""A column with answers, or, as Mechanical Turk has them for radio buttons, one for each value."""
_TEXT = re.compile(r"(?:label|text)\d+")
_COLUMNS = (
    "expected a column 'annotator' (or 'WorkerId'), and either 'slot' and 'answer', or 'page' and "
    "a column for each answer, such as 'Answer.item1_meaning'"
)
_TURK = re.compile(r"\w{3} (\w{3} \d{1,2} \d\d:\d\d:\d\d) ([A-Z]{3,4}) (\d{4})")
"""Tue Nov 17 09:59:51 PST 2026, as in the results of Mechanical Turk."""
_ZONES = {"PST": -8, "PDT": -7, "UTC": 0, "GMT": 0}


@dataclass(frozen=True, slots=True)
class Answer:
    """One person's answer to one question about one slot; `where` it was found."""

    annotator: str
    slot: str
    question: str
    value: str
    time: datetime | None
    where: str


def read_answers(paths: Sequence[str], study: Study, problems: Problems) -> list[Answer]:
    """Read all answers, in the order of the files; bad ones go to `problems`.

    Of several files that the page saved for the same person and sheet in one browser, the latest
    counts.
    """
    found: list[Answer] = []
    sessions: dict[str, tuple[str, list[Answer]]] = {}
    for path in paths:
        try:
            text = _content(path)
            if text.lstrip().startswith("{"):
                session, saved, answers = _saved_page(text, path, study, problems)
                if session not in sessions or saved >= sessions[session][0]:
                    sessions[session] = saved, answers
            else:
                found += _table(text, path, study, problems)
        except DataError as error:
            problems.add(error)
    return [*found, *(answer for _, answers in sessions.values() for answer in answers)]


def _content(path: str) -> str:
    with open_text(path) as handle:
        text = handle.read(MAX_FILE + 1)
    if len(text) > MAX_FILE:
        raise DataError(f"more than {MAX_FILE} characters; is this a file of answers?", where=path)
    if not text.strip():
        raise DataError("it is empty; a file of answers expected", where=path)
    bad = FORBIDDEN.search(text)
    if bad:
        line = text.count("\n", 0, bad.start()) + 1
        raise DataError("not UTF-8 text; convert the file first", where=f"{path}:{line}")
    return text


def _saved_page(
    text: str, path: str, study: Study, problems: Problems
) -> tuple[str, str, list[Answer]]:
    """Return the session, the time and the answers of a file that the page saved."""
    try:
        values: Any = json.loads(text)
        if values["format"] != FORMAT or values["version"] != VERSION:
            raise ValueError
        name, session, saved = (str(values[key]) for key in ("annotator", "session", "saved"))
        listed, of = list(values["answers"]), str(values["study"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise DataError(
            "not a file of answers; give files that the page saved, or CSV", where=path
        ) from None
    _check_study(of, study, path)
    answers = []
    for number, each in enumerate(listed, start=1):
        where = f"{path}: answer {number}"
        try:
            if not isinstance(each, dict):
                raise DataError("expected an object with slot, question and answer", where=where)
            slot, question, value = (str(each.get(key, "")) for key in _FIELDS)
            time = parse_time(str(each.get("time") or ""), where)
            answers.append(_checked(name, slot, question, value, time, where, study))
        except DataError as error:
            problems.add(error)
    return session, saved, answers


def _table(text: str, path: str, study: Study, problems: Problems) -> Iterator[Answer]:
    """Yield the answers of a CSV file: one in each row, or those of a page."""
    for where, row in _rows(text, path, problems):
        read = _one_answer if {"slot", "answer"} <= row.keys() else _answers_of_page
        try:
            _check_study(row.get("study") or study.id, study, where)
            name = next(row[key] for key in _ANNOTATOR if key in row)
            time = parse_time(next((row[key] for key in _TIME if key in row), ""), where)
            given = list(read(row, where, study))
        except DataError as error:
            problems.add(error)
            continue
        for slot, question, value in given:
            try:
                yield _checked(name, slot, question, value, time, where, study)
            except DataError as error:
                problems.add(error)


def _rows(text: str, path: str, problems: Problems) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield where each row of a CSV file is, and its cells by column."""
    lines = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        names = [name.strip().lower().removeprefix("input.") for name in next(lines)]
        if len(set(names)) < len(names):
            raise DataError("two columns have the same name", where=f"{path}:1")
        answered = "page" in names or {"slot", "answer"} <= {*names}
        if not answered or not {*names} & {*_ANNOTATOR}:
            raise DataError(f"columns are missing; {_COLUMNS}", where=f"{path}:1")
        for cells in lines:
            where = f"{path}:{lines.line_num}"
            if len(cells) == len(names):
                yield where, dict(zip(names, (cell.strip() for cell in cells), strict=True))
            elif any(cells):
                problems.add(DataError(f"{len(cells)} cells, expected {len(names)}", where=where))
    except csv.Error as error:
        raise DataError(f"not CSV: {error}", where=f"{path}:{lines.line_num}") from None


def _one_answer(row: Mapping[str, str], where: str, study: Study) -> Iterator[tuple[str, str, str]]:
    question = row.get("question") or study.form.questions[0].name
    if row["answer"]:
        yield row["slot"], question, row["answer"]


def _answers_of_page(
    row: Mapping[str, str], where: str, study: Study
) -> Iterator[tuple[str, str, str]]:
    page = next((page for page in study.pages if page.name == row["page"]), None)
    if page is None:
        raise DataError(f"the study has no page {row['page']!r}", where=where)
    for name, value in row.items():
        match = _ANSWER.fullmatch(name)
        if match is None or not value or _TEXT.fullmatch(match[2]):
            continue
        place = int(match[1])
        if not 1 <= place <= len(page.slots):
            raise DataError(
                f"an answer to item {place}, but page {page.name} has {len(page.slots)}",
                where=where,
            )
        if match[3] is None:
            yield page.slots[place - 1].id, match[2], value
        elif value.lower() == "true":
            yield page.slots[place - 1].id, match[2], _written(match[3], match[2], study)


def _written(value: str, question: str, study: Study) -> str:
    """Return a value as the form writes it; names of columns are read in lower case."""
    asked = study.form.question(question)
    known = () if asked is None else asked.values
    return next((each for each in known if each.lower() == value), value)


def _check_study(found: str, study: Study, where: str) -> None:
    if found != study.id:
        raise DataError(f"answers to another study ({found}, not {study.id})", where=where)


def _checked(
    annotator: str,
    slot: str,
    question: str,
    value: str,
    time: datetime | None,
    where: str,
    study: Study,
) -> Answer:
    """Return an answer that the study can have, or raise a `DataError`."""
    name = " ".join(annotator.split())
    if not name:
        raise DataError("no annotator's name", where=where)
    if slot not in study.slots:
        raise DataError(f"the study has no item {slot!r}", where=where)
    asked = study.form.question(question)
    if asked is None:
        names = ", ".join(each.name for each in study.form.questions)
        raise DataError(f"no question {question!r}; there are: {names}", where=where)
    if value not in asked.values:
        raise DataError(
            f"{value!r} is no answer to {question!r}; choose one of: {', '.join(asked.values)}",
            where=where,
        )
    return Answer(name, slot, question, value, time, where)


def parse_time(text: str, where: str = "") -> datetime | None:
    """Read a time; without a zone it is in UTC, and no text is no time."""
    text = text.strip()
    if not text:
        return None
    match = _TURK.fullmatch(text)
    try:
        if match is not None and match[2] in _ZONES:
            time = datetime.strptime(f"{match[1]} {match[3]}", "%b %d %H:%M:%S %Y")
            return time.replace(tzinfo=timezone(timedelta(hours=_ZONES[match[2]])))
        time = datetime.fromisoformat(text)
    except ValueError:
        raise DataError(
            f"{text!r} is not a time; expected one such as 2026-11-20T18:00+01:00", where=where
        ) from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)

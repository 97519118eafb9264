"""Items and hidden tests from JSON Lines or TSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from treewright.annotation.form import Form, Question
from treewright.annotation.item import MAX_TEXT, HiddenTest, Item, Passage, Pool
from treewright.corpora import read_object, scan_plain
from treewright.errors import DataError, Problems
from treewright.files import FORBIDDEN

_SCHEMA = (
    'expected {"text": "…"} or {"texts": {"label": "…", …}}, and where wanted "id", "system", '
    '"weight", and "answer" in tests'
)
_COLUMNS = ("text", "id", "system")


def read_items(sources: Sequence[tuple[str, str]], problems: Problems) -> list[Item]:
    """Read the items of several files, given as (system, path); equal ones become one.

    A record's own system counts more than the file's.
    """
    pool = Pool()
    for system, path in sources:
        for where, fields in scan_objects(path, problems):
            try:
                passages = _passages(fields, where)
                weight = _weight(fields, where)
                own = fields.get("system")
                name = system if own is None else text_of(own, "'system'", where)
                about = {} if fields.get("id") is None else {"id": str(fields["id"])}
            except DataError as error:
                problems.add(error)
            else:
                pool.add(passages, passages, name, weight=weight, about=about)
    return pool.items()


def read_tests(path: str, form: Form, problems: Problems) -> list[HiddenTest]:
    """Read hidden tests: items with an `answer`, which may be left out if the form knows it."""
    tests: list[HiddenTest] = []
    for where, fields in scan_objects(path, problems):
        try:
            item = Item(f"test {len(tests) + 1}", _passages(fields, where))
            tests.append(HiddenTest(item, _answers(fields.get("answer"), form, where)))
        except DataError as error:
            problems.add(error)
    if not tests:
        raise DataError("no hidden tests in it", where=path)
    return tests


def scan_objects(path: str, problems: Problems) -> Iterator[tuple[str, dict[str, Any]]]:
    """Stream where each record of a file is, and its fields.

    A `.tsv` file has columns, a `.jsonl` file objects; for any other, the first line decides.
    Columns are text, id and system, or those that a first line with a column `text` names.
    """
    by_tabs = {".tsv": True, ".jsonl": False}.get(Path(path).suffix)
    columns: Sequence[str] | None = None
    for where, line in scan_plain(path):
        if isinstance(line, DataError):
            problems.add(line)
            continue
        if not line.strip():
            continue
        if by_tabs is None:
            by_tabs = not line.lstrip().startswith("{")
        try:
            if not by_tabs:
                yield where, read_object(line, where, _SCHEMA)
                continue
            cells = [cell.strip() for cell in line.split("\t")]
            if columns is None:
                columns = cells if "text" in cells else _COLUMNS
                if columns is cells:
                    continue
            yield where, _row(columns, cells, where)
        except DataError as error:
            problems.add(error)


def text_of(value: object, what: str, where: str) -> str:
    """Return a text that can be shown, with its white space made plain, or raise a `DataError`."""
    if not isinstance(value, str):
        raise DataError(f"{what} must be a string; {_SCHEMA}", where=where)
    if FORBIDDEN.search(value):
        raise DataError(f"{what} has characters that are not text; remove them", where=where)
    text = " ".join(value.split())
    if not text:
        raise DataError(f"{what} is empty", where=where)
    if len(text) > MAX_TEXT:
        raise DataError(
            f"{what} has {len(text)} characters, the limit is {MAX_TEXT}; shorten it", where=where
        )
    return text


def _row(columns: Sequence[str], cells: Sequence[str], where: str) -> dict[str, Any]:
    if len(cells) > len(columns):
        raise DataError(
            f"{len(cells)} columns, expected at most {len(columns)}: {', '.join(columns)}",
            where=where,
        )
    return {name: cell for name, cell in zip(columns, cells, strict=False) if cell}


def _passages(fields: Mapping[str, Any], where: str) -> tuple[Passage, ...]:
    """Return the texts of a record; `source` and `text` are what `compress --json` writes."""
    texts = fields.get("texts")
    if texts is None and "source" in fields:
        texts = {"Original": fields["source"], "Shorter version": fields.get("text")}
    if texts is None:
        if "text" not in fields:
            raise DataError(f"no text; {_SCHEMA}", where=where)
        return (Passage("", text_of(fields["text"], "'text'", where)),)
    if not isinstance(texts, dict) or not texts:
        raise DataError(
            f"'texts' must be an object with a text for each label; {_SCHEMA}", where=where
        )
    return tuple(
        Passage(" ".join(label.split()), text_of(text, f"the text {label!r}", where))
        for label, text in texts.items()
    )


def _weight(fields: Mapping[str, Any], where: str) -> float:
    try:
        weight = float(fields.get("weight", 1.0))
    except (TypeError, ValueError):
        weight = -1.0
    if not 0 < weight < float("inf"):
        raise DataError(f"'weight' must be above 0, found {fields['weight']!r}", where=where)
    return weight


def _answers(answer: object, form: Form, where: str) -> dict[str, tuple[str, ...]]:
    """Return the answers that pass a test, by question."""
    if answer is None:
        given = {each.name: each.truism for each in form.questions if each.truism is not None}
        if not given:
            raise DataError("a test without 'answer', and the form knows none", where=where)
        return {name: (value,) for name, value in given.items()}
    if not isinstance(answer, dict):
        answer = {next(each.name for each in form.questions if each.required): answer}
    found = {}
    for name, values in answer.items():
        question = form.question(name)
        if question is None:
            names = ", ".join(each.name for each in form.questions)
            raise DataError(f"'answer' names no question {name!r}; there are: {names}", where=where)
        listed = values if isinstance(values, list) else [values]
        found[name] = tuple(_value(each, question, where) for each in listed)
    if not found or not all(found.values()):
        raise DataError("'answer' is empty; give the value that passes", where=where)
    return found


def _value(value: object, question: Question, where: str) -> str:
    if str(value) not in question.values:
        raise DataError(
            f"{value!r} is no answer to {question.name!r}; choose one of: "
            f"{', '.join(question.values)}",
            where=where,
        )
    return str(value)

"""Small studies, and answers to them as the page saves them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from treewright.annotation import (
    Form,
    HiddenTest,
    Item,
    Origin,
    Passage,
    Slot,
    Study,
    load_form,
    make_study,
)

YES_NO = Form.read(
    {
        "title": "Is it so?",
        "page": {"items": 4, "tests": 1, "repeat": False},
        "rejection": {"share": 0.25},
        "question": [
            {
                "name": "so",
                "text": "Is it so?",
                "choices": [{"value": "yes", "label": "Yes"}, {"value": "no", "label": "No"}],
                "positive": {"so": ["yes"]},
                "truism": "yes",
            }
        ],
    }
)
TRUE = HiddenTest(Item("test 1", (Passage("", "Two is a number"),)), {"so": ("yes",)})


def items(number: int, *systems: str) -> list[Item]:
    """Return items that the systems made in turn."""
    names = systems or ("A", "B")
    return [
        Item(str(i), (Passage("", f"text {i}"),), (Origin(names[i % len(names)]),))
        for i in range(number)
    ]


def yes_no_study(number: int = 8, *, repeat: bool = False, **options: Any) -> Study:
    """Return a study of yes-or-no questions, four items and a test on each page."""
    return make_study(replace(YES_NO, repeat=repeat), items(number), [TRUE], **options)


def scale_study(number: int, *systems: str) -> Study:
    """Return a study with the five-point scales of compressions."""
    return make_study(load_form("compressions"), items(number, *systems))


Answering = Callable[[Slot], str | None]


def saved(
    study: Study,
    name: str,
    answering: Answering | dict[str, Answering],
    *,
    session: str | None = None,
    at: str = "2026-11-17T10:00:00.000Z",
    pages: tuple[str, ...] | None = None,
) -> dict[str, Any]:
    """Return what the page saves for someone who answers slots as told (`None`: not at all)."""
    told = (
        answering
        if isinstance(answering, dict)
        else {question.name: answering for question in study.form.questions if question.required}
    )
    answers = [
        {"slot": slot.id, "question": question, "answer": value, "time": at}
        for page in study.pages
        if pages is None or page.name in pages
        for slot in page.slots
        for question, answer in told.items()
        if (value := answer(slot)) is not None
    ]
    return {
        "format": "treewright answers",
        "version": 1,
        "study": study.id,
        "sheet": 1,
        "annotator": name,
        "session": session or name,
        "started": at,
        "saved": at,
        "complete": True,
        "answers": answers,
    }


def write(folder: Path, name: str, content: dict[str, Any] | str) -> str:
    """Write a file of answers, and return its path."""
    path = folder / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return str(path)

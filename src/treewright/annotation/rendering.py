"""A study as annotators get it: one HTML page that works offline, or CSV for crowd platforms.

The page holds neither answers to tests nor names of systems. It makes no request: its script and
its style are part of it, and its policy lets no others run. The CSV has a row for each page of the
study, and the texts of its items in columns.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from treewright.annotation.item import Passage
from treewright.annotation.study import Page, Study
from treewright.files import atomic_write

_FOLDER = Path(__file__).parent / "page"


def write_page(study: Study, path: str | Path) -> None:
    """Write the page completely or not at all; `-` is standard output."""
    with atomic_write(path) as handle:
        handle.write(page_html(study))


def page_html(study: Study) -> str:
    """Return the page."""
    template, style, script = (
        (_FOLDER / name).read_text(encoding="utf-8")
        for name in ("page.html", "page.css", "page.js")
    )
    return Template(template).substitute(
        title=escape(study.form.title),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        # Inside a script element only `<` could end it.
        data=json.dumps(_visible(study), ensure_ascii=False).replace("<", "\\u003c"),
    )


def _visible(study: Study) -> dict[str, Any]:
    """Return what annotators may know."""
    return {
        "id": study.id,
        "title": study.form.title,
        "instructions": list(study.form.instructions),
        "questions": [
            {
                "name": question.name,
                "text": question.text,
                "required": question.required,
                "choices": [[choice.value, choice.label] for choice in question.choices],
            }
            for question in study.form.questions
        ],
        "pages": [
            {
                "slots": [
                    {
                        "id": slot.id,
                        "passages": [
                            [each.label, each.text, _in_utf16(each.text, each.marked)]
                            for each in study.shown(slot).passages
                        ],
                    }
                    for slot in page.slots
                ]
            }
            for page in study.pages
        ],
        "sheets": [[[each.page, list(each.order)] for each in sheet] for sheet in study.sheets],
    }


def _in_utf16(text: str, marked: tuple[int, int] | None) -> list[int] | None:
    """Return positions as JavaScript counts them."""
    if marked is None:
        return None
    return [len(text[:place].encode("utf-16-le")) // 2 for place in marked]


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def write_tasks(study: Study, path: str | Path) -> None:
    """Write the tasks completely or not at all; `-` is standard output."""
    with atomic_write(path) as handle:
        handle.write(tasks_csv(study))


def tasks_csv(study: Study) -> str:
    """Return the tasks: `page`, and for each place on it `item1`, its slot, and `item1_text1`, …

    What is marked in a text stands between `<mark>` and `</mark>`, the rest is escaped for HTML.
    """
    places = max(len(page.slots) for page in study.pages)
    shown = [study.shown(slot) for page in study.pages for slot in page.slots]
    texts = max(len(item.passages) for item in shown)
    columns = ["study", "page"]
    for place in range(1, places + 1):
        columns.append(f"item{place}")
        columns += [
            f"item{place}_{part}{i + 1}" for i in range(texts) for part in ("label", "text")
        ]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\r\n", restval="")
    writer.writeheader()
    writer.writerows(_row(study, page) for page in study.pages)
    return out.getvalue()


def _row(study: Study, page: Page) -> dict[str, str]:
    row = {"study": study.id, "page": page.name}
    for place, slot in enumerate(page.slots, start=1):
        row[f"item{place}"] = slot.id
        for i, passage in enumerate(study.shown(slot).passages, start=1):
            row[f"item{place}_label{i}"] = escape(passage.label)
            row[f"item{place}_text{i}"] = _html(passage)
    return row


def _html(passage: Passage) -> str:
    if passage.marked is None:
        return escape(passage.text)
    start, end = passage.marked
    text = passage.text
    return f"{escape(text[:start])}<mark>{escape(text[start:end])}</mark>{escape(text[end:])}"

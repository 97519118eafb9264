"""Tasks as CSV for crowd platforms: a row for each page, the texts of its items in columns."""

from __future__ import annotations

import csv
import io
from html import escape
from pathlib import Path

from treewright.annotation.item import Passage
from treewright.annotation.study import Page, Study
from treewright.files import atomic_write


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

"""A study as one HTML page that works offline.

The page holds neither answers to tests nor names of systems. It makes no request: its script and
its style are part of it, and its policy lets no others run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from treewright.annotation.study import Study
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

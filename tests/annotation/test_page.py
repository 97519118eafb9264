"""The page as text: what it tells annotators, what it must not, and that it can be read."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import treewright.annotation
from treewright.annotation import (
    HiddenTest,
    Item,
    Origin,
    Passage,
    make_study,
    page_html,
    tasks_csv,
)

from .toys import YES_NO

ODD = "</script><b>&amp; 𝒳 “was” $HOME ${x}"
AT = ODD.index("was")
FORM = replace(YES_NO, tests=1)
STUDY = make_study(
    FORM,
    [
        Item(
            "i77",
            (Passage("Label", ODD, (AT, AT + 3)),),
            (Origin("SystemX", 5, 0.125),),
            {"id": "id9"},
        )
    ],
    [HiddenTest(Item("test 1", (Passage("", "Two is a number"),)), {"so": ("yes",)})],
)
PAGE = page_html(STUDY)


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="study">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found[1])


def test_texts_come_through_whatever_is_in_them() -> None:
    data = data_of(PAGE)
    assert data["id"] == STUDY.id
    slots = data["pages"][0]["slots"]
    shown = {slot["id"]: slot["passages"] for slot in slots}
    [item] = [slot for slot in STUDY.pages[0].slots if slot.kind == "item"]
    # JavaScript counts the letter outside the basic plane as two.
    assert shown[item.id] == [["Label", ODD, [AT + 1, AT + 4]]]


def test_nothing_tells_tests_from_items_or_one_system_from_another() -> None:
    for text in (json.dumps(data_of(PAGE)), tasks_csv(STUDY)):
        for secret in ("SystemX", "test", "0.125", "i77", "id9", "truism", "kind"):
            assert secret not in text
    assert {frozenset(slot) for slot in data_of(PAGE)["pages"][0]["slots"]} == {
        frozenset({"id", "passages"})
    }


def test_marks_in_the_table_are_elements_and_the_rest_is_escaped() -> None:
    assert "&lt;/script&gt;&lt;b&gt;&amp;amp; 𝒳 “<mark>was</mark>”" in tasks_csv(STUDY)


def test_the_page_asks_for_nothing_and_lets_nothing_else_run() -> None:
    assert "http:" not in PAGE
    assert "https:" not in PAGE
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', PAGE)
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].split(";"))
    assert rules["default-src"] == "'none'"
    for name, pattern in (
        ("script-src", r"<script>(.*?)</script>"),
        ("style-src", r"<style>(.*?)</style>"),
    ):
        [content] = re.findall(pattern, PAGE, re.S)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert re.findall(r"""\b(?:src|href)\s*=\s*["']([^"']*)""", PAGE) == ["data:,"]
    for banned in ("innerHTML", "eval(", "fetch(", "XMLHttpRequest", "sendBeacon"):
        assert banned not in PAGE


def test_the_same_study_gives_the_same_page() -> None:
    assert page_html(STUDY) == PAGE


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: str) -> None:
    """WCAG 2.2, level AA: a contrast of 4.5 for text."""
    style = (Path(treewright.annotation.__file__).parent / "page" / "page.css").read_text()
    light, dark = re.findall(r":root \{(.*?)\}", style, re.S)
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", light if scheme == "light" else dark))
    pairs = [
        *(("ink", ground) for ground in ("ground", "card", "chosen")),
        *((ink, ground) for ink in ("soft", "accent", "wrong") for ground in ("ground", "card")),
        ("on-accent", "accent"),
        ("mark-ink", "mark"),
    ]
    for ink, ground in pairs:
        low, high = sorted(luminance(colours[name]) for name in (ink, ground))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)

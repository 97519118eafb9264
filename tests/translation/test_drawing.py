"""Pictures of translations: well-formed, with a box for each phrase and both scores."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from treewright.translation import Input, Step, Translation, draw_translations

SVG = "{http://www.w3.org/2000/svg}"
WEIGHTS = {"lm": 0.5, "skeleton lm": 0.25}


def step(start: int, end: int, *words: str) -> Step:
    return Step(start, end, words, "table", "monotone", {})


def drawn(skeleton: tuple[int, ...] | None) -> tuple[list[str], list[str]]:
    """Return the classes of boxes and the texts of a picture."""
    steps = (step(0, 2, "the", "cost"), step(3, 4, "<of>"), step(2, 3, "&"), step(4, 5, "."))
    features = {"lm": -6.0, "skeleton lm": -4.0}
    given = Input(("a", "b", "c", "d", "."))
    translation = Translation((), -4.0, features, steps, skeleton=skeleton)
    root = ElementTree.fromstring(draw_translations([(given, translation)], WEIGHTS))
    boxes = [box.attrib["class"] for box in root.iter(f"{SVG}rect")]
    return boxes, [text.text or "" for text in root.iter(f"{SVG}text")]


def test_the_skeleton_is_told_apart_and_scored_by_itself() -> None:
    boxes, texts = drawn((0, 1, 4))
    assert boxes == ["bone", "other", "other", "bone"] * 2
    assert texts[:8] == ["a b", "c", "d", ".", "the cost", "<of>", "&", "."]
    assert texts[8].split() == ["full", "g(d)", "=", "-3.00"]
    assert texts[9].split()[:4] == ["skeleton", "g(d′)", "=", "-1.00"]
    assert texts[9].endswith("lm′ sees: the cost X .")


@pytest.mark.parametrize("skeleton", [None, ()])
def test_without_a_skeleton_no_box_is_marked(skeleton: tuple[int, ...] | None) -> None:
    boxes, texts = drawn(skeleton)
    assert set(boxes) == {"other"}
    assert ("score -4.00" in texts) == (skeleton is None)

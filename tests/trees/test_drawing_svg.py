from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from treewright.trees import Tree, parse_tree
from treewright.trees.drawing import draw_svg
from treewright.trees.drawing.characters import ems
from treewright.trees.drawing.layout import LONGEST, Box, Fonts, lay_out

from .strategies import trees

SVG = "{http://www.w3.org/2000/svg}"
FONTS = Fonts(word=10, label=8, gap=4)
FELL = parse_tree("(ROOT (S (NP (DT The) (NN price)) (VP (VBD fell)) (. .)))")


def texts(picture: str, kind: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return [node.text or "" for node in root.iter(f"{SVG}text") if node.get("class") == kind]


def places(picture: str, kind: str) -> list[tuple[float, float]]:
    root = ElementTree.fromstring(picture)
    nodes = [node for node in root.iter(f"{SVG}text") if node.get("class") == kind]
    return [(float(node.get("x", "")), float(node.get("y", ""))) for node in nodes]


def test_words_tags_and_categories_are_all_there() -> None:
    picture = draw_svg(FELL)
    assert texts(picture, "w") == ["The", "price", "fell", "."]
    assert texts(picture, "t") == ["DT", "NN", "VBD", "."]
    assert texts(picture, "c") == ["ROOT", "S", "NP", "VP"]


def test_words_stand_in_one_row_in_their_order() -> None:
    words = places(draw_svg(FELL), "w")
    tags = places(draw_svg(FELL), "t")
    assert [x for x, _ in words] == sorted(x for x, _ in words) == [x for x, _ in tags]
    assert len({y for _, y in words}) == len({y for _, y in tags}) == 1
    assert words[0][1] > tags[0][1]


def test_the_same_tree_gives_the_same_bytes() -> None:
    assert draw_svg(FELL) == draw_svg(parse_tree(str(FELL)))
    assert draw_svg(FELL).startswith('<svg xmlns="http://www.w3.org/2000/svg" width="')
    assert draw_svg(FELL).endswith("</svg>\n")


def test_several_trees_stand_below_one_another() -> None:
    root = ElementTree.fromstring(draw_svg([FELL, parse_tree("(NN x)"), FELL]))
    groups = root.findall(f"{SVG}g")
    assert [group.findtext(f"{SVG}title") for group in groups] == [
        "The price fell .",
        "x",
        "The price fell .",
    ]
    tops = [float((group.get("transform") or "").rstrip(")").split()[-1]) for group in groups]
    assert tops == sorted(set(tops))
    assert float(root.get("height", "0")) > tops[-1]
    assert ElementTree.fromstring(draw_svg([])).findall(f"{SVG}g") == []


def test_any_text_can_be_drawn() -> None:
    words = ["<b>", "&amp;", "\"'", "]]>", "\x00\x1b\x85", "\ud800", "\ufffe", "السلام", "中国"]
    tree = Tree("S", [Tree("<&>", word=word) for word in words])
    picture = draw_svg(tree)
    picture.encode()
    assert texts(picture, "w") == [*words[:4], "␀␛�", "�", "�", *words[7:]]
    assert texts(picture, "t") == ["<&>"] * len(words)


@given(trees(st.text(min_size=1, max_size=5)))
def test_any_tree_is_well_formed(tree: Tree) -> None:
    picture = draw_svg(tree)
    assert len(texts(picture, "w")) == len(tree.words())
    assert "nan" not in picture


def test_long_words_end_in_an_ellipsis() -> None:
    picture = draw_svg(Tree("NN", word="x" * 50_000))
    assert texts(picture, "w") == ["x" * (LONGEST - 1) + "…"]
    assert float(ElementTree.fromstring(picture).get("width", "0")) < 1000


def test_depth_does_not_matter() -> None:
    deep = Tree("NN", word="x")
    for _ in range(3000):
        deep = Tree("X", [deep, Tree("NN", word="y")])
    assert draw_svg(deep).count("<text") == 9002


def edges(box: Box) -> tuple[float, float]:
    return box.left, box.left + box.width


@given(trees())
def test_every_subtree_has_a_strip_of_its_own(tree: Tree) -> None:
    boxes = lay_out(tree, FONTS)
    for box in boxes:
        left, right = edges(box)
        half = ems(box.label) * FONTS.label / 2
        assert left - 1e-6 <= box.x - half and box.x + half <= right + 1e-6
        for child in box.children:
            assert left - 1e-6 <= edges(child)[0] and edges(child)[1] <= right + 1e-6
            assert child.row < box.row
        for one, other in pairwise(box.children):
            assert edges(one)[1] <= edges(other)[0] + 1e-6
        if box.children:
            middle = (box.children[0].x + box.children[-1].x) / 2
            assert abs(box.x - middle) < 1e-6
    assert all(box.row == 0 for box in boxes if box.word is not None)


def test_wide_characters_take_more_room() -> None:
    assert ems("中国") == 2
    assert ems("e\u0301") == ems("e")
    assert ems("iii") < ems("nnn") < ems("mmm")


def test_numbers_are_short() -> None:
    assert not re.search(r"\d\.\d\d", draw_svg(FELL).split("</style>")[1])

"""The Chinese parser in the package: it is there, small enough, and as good as its card says."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.parsing import open_parser, read_treebank
from treewright.parsing.embedded import SHIPPED, EmbeddedParser
from treewright.parsing.scoring import score_brackets
from treewright.trees import parse_tree

MODEL = SHIPPED.with_name("chinese.model")


@pytest.fixture(scope="module")
def parser() -> EmbeddedParser:
    return EmbeddedParser.load(MODEL)


def test_it_is_small_and_has_a_card() -> None:
    assert MODEL.stat().st_size <= 10_000_000
    card = MODEL.with_name("chinese.md").read_text(encoding="utf-8")
    for part in ("## Data", "## Settings", "## Scores", "## Limits", "Licence"):
        assert part in card


def test_a_plain_sentence_by_name() -> None:
    [tree] = open_parser("chinese").parse([["我", "喜欢", "喝", "茶", "。"]])
    assert str(tree) == "(ROOT (S (NP (Nh 我)) (VK 喜欢) (VP (VC 喝) (NP (Na 茶)))) (PU 。))"


@pytest.mark.parametrize(
    "text",
    [
        "茶",
        "。",
        "� 🙂 ½",
        "-LRB- （ ) 》",
        "Only English words here .",
        "茶" * 50_000,
        "茶 ， " * 400,
    ],
)
def test_the_words_are_the_tokens_whatever_they_are(parser: EmbeddedParser, text: str) -> None:
    words = text.split()
    [tree] = parser.parse([words])
    assert tree.words() == tuple(words)
    assert parse_tree(str(tree)).label == "ROOT"


def test_either_width_of_a_sign_gives_the_same_tree(parser: EmbeddedParser) -> None:
    wide = ["他", "２０", "岁", "，", "我", "３０", "岁", "！"]
    narrow = ["他", "20", "岁", ",", "我", "30", "岁", "!"]
    first, second = parser.parse([wide, narrow])
    assert [node.label for node in first.nodes()] == [node.label for node in second.nodes()]


def test_it_is_as_good_as_promised(parser: EmbeddedParser, data: Path) -> None:
    trees = list(read_treebank(data / "treebank" / "sinica.dev.mrg"))
    scores = score_brackets(trees, parser.parse([tree.words() for tree in trees]))
    assert scores.f1 >= 0.64
    assert scores.token_tag_accuracy >= 0.875

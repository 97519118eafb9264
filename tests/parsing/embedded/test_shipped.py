"""The parser in the package: it is there, small enough, and as good as its card says."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.parsing import open_parser
from treewright.parsing.embedded import EmbeddedParser
from treewright.parsing.embedded.parser import SHIPPED
from treewright.parsing.scoring import score_brackets
from treewright.parsing.treebanks import read_treebank
from treewright.text import split_sentences
from treewright.trees import parse_tree


@pytest.fixture(scope="module")
def parser() -> EmbeddedParser:
    return EmbeddedParser.load()


def test_it_is_small_and_has_a_card() -> None:
    assert SHIPPED.stat().st_size <= 10_000_000
    card = SHIPPED.with_name("english.md").read_text(encoding="utf-8")
    for part in ("## Data", "## Settings", "## Scores", "## Limits", "Licence"):
        assert part in card


def test_a_plain_sentence(parser: EmbeddedParser) -> None:
    [tree] = parser.parse([["The", "cat", "sat", "on", "the", "mat", "."]])
    assert str(tree) == (
        "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Wow",
        "؟ مرحبا بالعالم",
        "你好世界。",
        "a/b (c) [d] {e} <f>",
        "🙂 👩‍👩‍👧 !",
        "-LRB- `` '' -RRB- \\/ \\*",
        "x" * 50_000,
    ],
)
def test_the_words_are_the_tokens_whatever_they_are(parser: EmbeddedParser, text: str) -> None:
    words = text.split()
    [tree] = parser.parse([words])
    assert tree.words() == tuple(words)
    assert parse_tree(str(tree)).label == "ROOT"


def test_text_of_ten_thousand_words_without_a_stop_is_parsed(parser: EmbeddedParser) -> None:
    [sentence] = split_sentences("word " * 10_000)
    [tree] = parser.parse([sentence.words])
    assert tree.words() == sentence.words


def test_the_styles_of_its_treebanks_can_be_asked_for() -> None:
    for style in ("any", "wsj", "gum"):
        [tree] = open_parser("embedded", treebank=style).parse([["Prices", "fell", "."]])
        assert tree.words() == ("Prices", "fell", ".")


@pytest.mark.parametrize(
    ("file", "style", "least"),
    [("wsj-sample.dev.mrg", "wsj", 0.89), ("gum.dev.mrg", "gum", 0.855)],
)
def test_it_is_as_good_as_promised(data: Path, file: str, style: str, least: float) -> None:
    trees = list(read_treebank(data / "treebank" / file))
    guessed = EmbeddedParser.load(treebank=style).parse([tree.words() for tree in trees])
    scores = score_brackets(trees, guessed)
    assert scores.f1 >= least
    assert scores.token_tag_accuracy >= 0.97

"""The parser with weights too small to be good: what it promises holds whatever they are."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import DataError, UsageError
from treewright.parsing import ParserError, open_parser, parse_each
from treewright.parsing.embedded import EmbeddedParser
from treewright.parsing.embedded import parser as parser_module
from treewright.parsing.embedded.pieces import cut_long
from treewright.trees import Tree

from ...profiles import examples
from .strategies import words
from .toys import SENTENCES, random_weights

STRANGE = [
    ("(", "[", "{", "-LRB-", "}", "]", ")"),
    ("1/2", "and/or", "/", "\\", "'s", "``", "“", "”", '"'),
    ("🙂", "👩‍👩‍👧", "e\u0301", "\u200d"),
    ("中国", "经济", "发展", "。"),
    ("القطة", "تنام", "."),
    ("a" * 20_000, "pneumonoultramicroscopicsilicovolcanoconiosis" * 9),
    ("<s>", "</s>", "<unknown>", "ROOT", "+"),
    ("\ud800", "x\udfff"),
    ("yes",),
]


@pytest.fixture(scope="module")
def parser() -> EmbeddedParser:
    return EmbeddedParser(random_weights())


def test_a_tree_a_sentence_in_order_with_the_very_tokens(parser: EmbeddedParser) -> None:
    sentences = [*STRANGE, *SENTENCES]
    trees = parser.parse(sentences)
    assert [tree.words() for tree in trees] == sentences
    assert {tree.label for tree in trees} == {"ROOT"}
    tags = {leaf.label for tree in trees for leaf in tree.preterminals()}
    assert tags <= set(parser.inventory.tags)


def test_these_weights_do_find_constituents(parser: EmbeddedParser) -> None:
    trees = parser.parse(SENTENCES)
    assert sum(len(list(tree.nodes())) for tree in trees) > 2 * sum(map(len, SENTENCES))
    assert any(len(tree.children) == 1 and tree.children[0].word is None for tree in trees)


@examples(30)
@given(st.lists(words, min_size=1, max_size=8))
def test_any_tokens_are_parsed(parser: EmbeddedParser, tokens: list[str]) -> None:
    try:
        (tree,) = parser.parse([tokens])
    except DataError as error:
        assert "holds no white space" in str(error)
        assert any(character.isspace() for token in tokens for character in token)
    else:
        assert list(tree.words()) == tokens


def test_no_sentences_no_trees(parser: EmbeddedParser) -> None:
    assert parser.parse([]) == []


def test_neither_order_nor_company_matters(
    parser: EmbeddedParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = parser.parse(SENTENCES)
    assert parser.parse(SENTENCES[::-1])[::-1] == together
    assert [tree for words in SENTENCES for tree in parser.parse([words])] == together
    monkeypatch.setattr(parser_module, "_BATCH", 12)
    assert parser.parse(SENTENCES * 3) == together * 3


def test_several_threads_give_the_same_trees() -> None:
    shared = EmbeddedParser(random_weights())
    batches = [[words, *SENTENCES[:place]] for place, words in enumerate(SENTENCES * 4)]
    expected = [EmbeddedParser(random_weights()).parse(batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(shared.parse, batches)) == expected


def test_a_long_sentence_is_cut_at_clauses_and_joined_under_one_root(
    parser: EmbeddedParser,
) -> None:
    words = [*["the", "cat", "sees", "a", "dog"] * 80]
    words[119], words[130], words[250], words[251] = ";", ",", ":", ","
    pieces = cut_long(words)
    assert [len(piece) for piece in pieces] == [120, 131, 149]
    tree, short = parser.parse([words, ["yes"]])
    assert list(tree.words()) == words
    assert tree == Tree(
        "ROOT", [child for piece in pieces for child in parser.parse([piece])[0].children]
    )
    assert short == parser.parse([["yes"]])[0]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ([], "sentence 2: no tokens; leave empty sentences out"),
        (["a", ""], "sentence 2: token 2 is ''; a token is not empty and holds no white space"),
        (["a b"], "sentence 2: token 1 is 'a b'; a token is not empty and holds no white space"),
    ],
)
def test_a_sentence_that_is_none(parser: EmbeddedParser, sentence: list[str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        parser.parse([["yes"], sentence])
    assert str(caught.value) == message
    good, bad = parse_each(parser, [["yes"], sentence])
    assert isinstance(good, Tree)
    assert isinstance(bad, DataError)


def test_the_style_is_that_asked_for_or_the_files_own_or_any(tmp_path: Path) -> None:
    assert EmbeddedParser(random_weights()).treebank == "any"
    random_weights(style="web").write(tmp_path / "p.tw")
    assert EmbeddedParser.load(tmp_path / "p.tw").treebank == "web"
    assert EmbeddedParser.load(tmp_path / "p.tw", treebank="news").treebank == "news"


def test_an_unknown_style_lists_the_choices() -> None:
    with pytest.raises(UsageError) as caught:
        EmbeddedParser(random_weights(), treebank="poems")
    message = "unknown treebank 'poems'; choose one of: any, news, web"
    assert str(caught.value) == message


def test_styles_differ() -> None:
    weights = random_weights()
    styles = [EmbeddedParser(weights, treebank=name).parse(SENTENCES) for name in ("news", "web")]
    assert styles[0] != styles[1]


def test_a_parser_is_opened_by_name(tmp_path: Path) -> None:
    path = tmp_path / "p.tw"
    random_weights().write(path)
    opened = open_parser(f"embedded={path}", treebank="news")
    assert opened.parse(SENTENCES) == EmbeddedParser.load(path, treebank="news").parse(SENTENCES)
    missing = open_parser(f"embedded={tmp_path / 'missing.tw'}")
    with pytest.raises(ParserError, match="cannot read it"):
        missing.parse(SENTENCES)

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import DataError
from treewright.parsing import ParserError, fit_words, parse_each
from treewright.parsing.protocol import check_sentences
from treewright.trees import Tree, parse_tree

from ..trees.strategies import trees


def test_a_tree_gets_the_very_tokens_and_loses_the_rest() -> None:
    tree = parse_tree("(TOP (S (NP-SBJ=1 (-NONE- *)) (VP (VB -LRB-) (NP-2 (NN x)))))")
    fitted = fit_words(tree, ["(", "y"])
    assert fitted.words() == ("(", "y")
    assert str(fitted) == "(ROOT (S (VP (VB -LRB-) (NP (NN y)))))"


def test_a_bare_preterminal_gets_a_root() -> None:
    assert str(fit_words(parse_tree("(NN x)"), ["x"])) == "(ROOT (NN x))"


def test_another_number_of_tokens_is_an_error() -> None:
    with pytest.raises(DataError) as caught:
        fit_words(parse_tree("(S (NN a) (NN b))"), ["a b"], where="sentence 7")
    assert str(caught.value) == (
        "sentence 7: the parser's tree has 2 words, the sentence 1 tokens; make the parser keep "
        "the tokens as they are, or leave this sentence out"
    )


@given(trees(st.sampled_from(["NP", "S-X", "-LRB-", "ROOT", "TOP"])))
def test_every_tree_fits_its_own_words(tree: Tree) -> None:
    fitted = fit_words(tree, tree.words())
    assert fitted.label == "ROOT"
    assert fitted.words() == tree.words()


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([["a"], []], "sentence 2: no tokens"),
        ([["a", ""]], "sentence 1: token 2 is ''"),
        ([["a b"]], "sentence 1: token 1 is 'a b'"),
        ([["a\u3000"]], "sentence 1: token 1 is"),
    ],
)
def test_what_no_parser_takes(sentences: list[list[str]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        check_sentences(sentences)


class Choosy:
    """A parser that fails on some sentences, and counts its calls."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.calls = 0

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        self.calls += 1
        if any("bad" in words for words in sentences):
            raise self.error
        return [Tree("ROOT", [Tree("X", word=words[0])]) for words in sentences]


def test_one_bad_sentence_keeps_its_place() -> None:
    error = DataError("no")
    found = parse_each(Choosy(error), [["a"], ["bad"], ["b"]])
    assert [str(result) for result in found] == ["(ROOT (X a))", "no", "(ROOT (X b))"]
    parser = Choosy(error)
    parse_each(parser, [["a"], ["b"]])
    assert parser.calls == 1


def test_a_parser_that_cannot_work_is_asked_once() -> None:
    parser = Choosy(ParserError("no server"))
    with pytest.raises(ParserError):
        parse_each(parser, [["a"], ["bad"], ["b"]])
    assert parser.calls == 1

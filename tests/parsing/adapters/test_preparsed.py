from __future__ import annotations

from pathlib import Path

import pytest

from treewright.errors import DataError
from treewright.parsing import ParserError, parse_each
from treewright.parsing.adapters import PreparsedTrees
from treewright.trees import Tree

from .fakes import BRACKETS, FITTED, SENTENCE, SHORT

FIRST, SECOND = "(ROOT (S (NN a) (NN b)))", "(ROOT (FRAG (NN a) (NN b)))"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trees"


def write(path: Path, *trees: str) -> PreparsedTrees:
    path.write_text("".join(f"{tree}\n" for tree in trees), encoding="utf-8")
    return PreparsedTrees(str(path))


def test_trees_are_found_by_their_words(path: Path) -> None:
    parser = write(path, *BRACKETS.values())
    for sentences in ([SENTENCE, SHORT], [SHORT, SENTENCE], [SHORT, SHORT]):
        trees = parser.parse(sentences)
        assert [str(tree) for tree in trees] == [FITTED[words] for words in sentences]
        assert [tree.words() for tree in trees] == sentences


@pytest.mark.parametrize(
    "words",
    [
        ("``", "f-LRB-x-RRB-", "-LSB-", "1\\/2", "''"),
        ('"', "f(x)", "[", "1/2", '"'),
    ],
)
def test_escapes_do_not_matter_on_either_side(path: Path, words: tuple[str, ...]) -> None:
    penn = "(S (`` ``) (NN f-LRB-x-RRB-) (-LRB- -LSB-) (CD 1\\/2) ('' ''))"
    plain = "(S (`` \") (NN f-LRB-x-RRB-) (-LRB- [) (CD 1/2) ('' \"))"
    for tree in (penn, plain):
        assert write(path, tree).parse([words])[0].words() == words


def test_trees_with_the_same_words_come_in_the_order_of_the_file(path: Path) -> None:
    parser = write(path, FIRST, BRACKETS[SHORT], SECOND)
    words = ("a", "b")
    assert [str(tree) for tree in parser.parse([words, SHORT, words, words])] == [
        FIRST,
        FITTED[SHORT],
        SECOND,
        SECOND,
    ]


def test_a_sentence_without_a_tree_is_named_and_costs_no_other_its_tree(path: Path) -> None:
    parser = write(path, FIRST, SECOND)
    unknown = ("no", "such", "sentence") * 5
    with pytest.raises(DataError) as caught:
        parser.parse([("a", "b"), unknown])
    assert str(caught.value) == (
        f"sentence 2: {path} has no tree with the words "
        "'no such sentence no such sentence no such …'; "
        "parse the same tokens, or use another parser"
    )
    found = parse_each(parser, [("a", "b"), unknown, ("a", "b")])
    assert [str(tree) if isinstance(tree, Tree) else None for tree in found] == [
        FIRST,
        None,
        SECOND,
    ]


def test_traces_do_not_count(path: Path) -> None:
    parser = write(path, "(S (NP-SBJ (-NONE- *)) (VP (VB Go)))", "(S (-NONE- *))")
    assert str(parser.parse([("Go",)])[0]) == "(ROOT (S (VP (VB Go))))"


def test_a_bad_file_is_no_sentences_fault(path: Path) -> None:
    with pytest.raises(ParserError, match=r"trees: cannot read it: No such file"):
        PreparsedTrees(str(path)).parse([SHORT])
    with pytest.raises(ParserError, match=r"trees:2:1: the text ends inside \(S"):
        write(path, FIRST, "(S (NN x)").parse([SHORT])

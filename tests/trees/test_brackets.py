from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treewright.errors import DataError, ParseError
from treewright.trees import (
    MAX_DEPTH,
    Tree,
    escape,
    escape_token,
    format_tree,
    parse_tree,
    read_trees,
    unescape,
)
from treewright.trees.brackets import _lines_of, _parse_plain, _scan

from ..profiles import examples
from .strategies import names, soup, spaced, trees

DOG = Tree(
    "S",
    [
        Tree("NP", [Tree("DT", word="a"), Tree("NN", word="dog")]),
        Tree("VP", [Tree("VBZ", word="barks")]),
    ],
)
ONE_LINE = "(S (NP (DT a) (NN dog)) (VP (VBZ barks)))"


@pytest.mark.parametrize(
    "text",
    [
        ONE_LINE,
        f"  {ONE_LINE}\t\n\n",
        "(S(NP(DT a)(NN dog))(VP(VBZ barks)))",
        "( S ( NP ( DT a ) ( NN dog ) ) ( VP ( VBZ barks ) ) )",
        "(S\n  (NP (DT a)\n      (NN dog))\n\n  (VP (VBZ barks)))\n",
        "(S\r\n  (NP (DT a) (NN dog))\r\n  (VP (VBZ barks)))\r\n",
        "(\nS\n(\nNP\n(\nDT\na\n)\n(NN\ndog)\n)\n(VP (VBZ\nbarks)))",
        "(S\u00a0(NP (DT\u3000a) (NN dog)) (VP (VBZ barks)))",
    ],
)
def test_white_space_is_free(text: str, tmp_path: Path) -> None:
    assert parse_tree(text) == DOG
    path = tmp_path / "trees"
    path.write_bytes(text.encode())
    assert list(read_trees(path)) == [DOG]


@pytest.mark.parametrize("text", [f"( {ONE_LINE} )", f"({ONE_LINE})", f"(\n  {ONE_LINE}\n)"])
def test_the_root_label_may_be_empty(text: str) -> None:
    assert parse_tree(text) == Tree("", [DOG])
    assert format_tree(Tree("", [DOG])) == f"( {ONE_LINE})"


def test_unary_chains_are_kept() -> None:
    text = "(ROOT (S (VP (VP (VB Go)))))"
    assert [node.label for node in parse_tree(text).nodes()] == ["ROOT", "S", "VP", "VP", "VB"]
    assert format_tree(parse_tree(text)) == text


def test_words_stay_as_the_file_has_them() -> None:
    text = "(NP (-LRB- -LRB-) (NN a\\/b) (`` ``) (-RRB- -RCB-) (CD =) (. .))"
    assert parse_tree(text).words() == ("-LRB-", "a\\/b", "``", "-RCB-", "=", ".")
    assert format_tree(parse_tree(text)) == text


def test_brackets_in_words_are_escaped_when_written() -> None:
    tree = Tree("NP", [Tree("(", word="("), Tree("SYM", word=":-)")])
    assert format_tree(tree) == "(NP (-LRB- -LRB-) (SYM :--RRB-))"
    assert [unescape(w) for w in ("-LRB-", "-RSB-", "-LCB-", "dog")] == ["(", "]", "{", "dog"]
    assert escape("f(x)") == "f-LRB-x-RRB-"


def test_a_token_that_is_a_bracket_is_escaped_and_back() -> None:
    escaped = [escape_token(bracket) for bracket in "()[]{}"]
    assert escaped == ["-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"]
    assert "".join(map(unescape, escaped)) == "()[]{}"
    others = ["f(x)", "a[0]", "-LRB-", "dog"]
    assert [escape_token(token) for token in others] == ["f-LRB-x-RRB-", *others[1:]]


@pytest.mark.parametrize("bad", ["a b", "a\nb", "a\u00a0b", " "])
def test_white_space_in_a_word_cannot_be_written(bad: str) -> None:
    for tree in (Tree("NN", word=bad), Tree(bad, [Tree("NN", word="x")])):
        with pytest.raises(DataError, match="may not contain white space"):
            format_tree(tree)


def test_a_frontier_node_is_written_but_not_read() -> None:
    assert format_tree(Tree("NP", [Tree("DT", word="a"), Tree("NN")])) == "(NP (DT a) (NN))"
    with pytest.raises(ParseError, match=r"\(NN\) is empty"):
        parse_tree("(NP (DT a) (NN))")


@given(trees())
def test_what_is_written_is_read_back(tree: Tree) -> None:
    text = format_tree(tree)
    assert parse_tree(text) == tree
    assert format_tree(parse_tree(text)) == text


@given(trees(names))
def test_any_word_can_be_written_and_read(tree: Tree) -> None:
    """Brackets come back escaped; what has been written once does not change again."""
    once = parse_tree(format_tree(tree))
    assert once.words() == tuple(escape(word) for word in tree.words())
    assert parse_tree(format_tree(once)) == once


@examples(300)
@example("(\na (b b))", 5)
@example("(\n(\n(a b)))", 5)
@given(st.one_of(soup, spaced()), st.integers(1, 5))
def test_the_fast_path_agrees_with_the_automaton(text: str, max_depth: int) -> None:
    """What the fast path reads, the careful automaton reads as the same one tree."""
    fast = _parse_plain(text, max_depth)
    if fast is not None:
        careful = list(_scan(_lines_of(text, 1), "x", max_depth, many=False))
        assert [scanned.tree for scanned in careful] == [fast]


@examples(300)
@given(st.one_of(soup, spaced()))
def test_white_space_never_changes_a_tree(text: str) -> None:
    """A line's end is white space like any other, whichever way the text is read."""
    try:
        tree = parse_tree(text)
    except ParseError:
        tree = None
    try:
        flat = parse_tree(" ".join(text.split("\n")))
    except ParseError:
        flat = None
    assert tree == flat


@examples(500)
@given(soup)
def test_any_text_is_one_tree_or_a_parse_error_with_its_place(text: str) -> None:
    try:
        parse_tree(text, where="f", line=3)
    except ParseError as error:
        file, line, *column = error.where.split(":")
        assert file == "f"
        assert 3 <= int(line) <= 3 + text.count("\n")
        assert all(int(number) >= 1 for number in column)


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("(S (NP a)", "1:1", r"the text ends inside \(S, 1 bracket still open; add the missing"),
        ("(S\n  (NP\n  (DT a)", "2:3", r"the text ends inside \(NP, 2 brackets still open"),
        ("(S (NP a)))", "1:11", r"'\)' without a matching '\('"),
        (")", "1:1", r"'\)' without a matching"),
        ("(S (NP) (VP x))", "1:7", r"\(NP\) is empty; a node needs a word or children"),
        ("()", "1:2", r"\(\) is empty"),
        ("(S ())", "1:5", r"\(\) is empty"),
        ("(NP dog (NN cat))", "1:9", r"'\(NN cat\)' stands beside other content of \(NP"),
        ("(NP (NN cat) dog)", "1:14", "'dog' stands beside other content"),
        ("(NP dog (NP (NN cat)))", "1:9", r"'\(NP' stands beside other content"),
        ("(NP dog cat)", "1:9", "'cat' stands beside other content"),
        ("dog", "1:1", r"expected '\(' at the start of a tree, found 'dog'"),
        ("(S x)\n\n  dog", "3:3", r"expected '\(' at the start of a tree, found 'dog'"),
        ("(NN a\x00b)", "1:6", "a NUL byte; the file is not text"),
        ("(NN a\udce9b)", "1:6", "byte 0xe9 is not UTF-8; convert the file"),
        ("(S x) (S y)", "1", "expected one tree, found 2"),
        (" \n", "1", "expected one tree, found 0"),
        ("", "1", "expected one tree, found 0"),
    ],
)
def test_errors_say_what_and_where(text: str, where: str, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        parse_tree(text, where="f")
    assert caught.value.where == f"f:{where}"
    assert "\n" not in str(caught.value)


def test_nesting_has_a_limit() -> None:
    def nested(depth: int) -> str:
        return "(X " * depth + "(N x)" + ")" * depth

    assert sum(1 for _ in parse_tree(nested(MAX_DEPTH)).nodes()) == MAX_DEPTH + 1
    for depth in (MAX_DEPTH + 1, 5000):
        with pytest.raises(ParseError, match=f"^f:1:{3 * MAX_DEPTH + 1}: nesting deeper than the"):
            parse_tree(nested(depth), where="f")
    assert sum(1 for _ in parse_tree(nested(5000), max_depth=5000).nodes()) == 5001
    with pytest.raises(ParseError, match="nesting deeper"):
        parse_tree("(" * 1_000_000)

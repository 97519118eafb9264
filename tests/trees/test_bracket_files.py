import io
import itertools
import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from treewright.errors import DataError, ParseError, Problems
from treewright.trees import parse_tree, read_tree_lines, read_trees, scan_trees

ONE = "(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ barks))))"
TWO = "(ROOT (S (NP (NN dog)) (VP (VBZ barks))))"
SPREAD = "(ROOT\n  (S (NP (DT a)\n         (NN dog))\n     (VP (VBZ barks))))"


def scan(text: str) -> list[str]:
    """Return the items of a bracket file as text, errors as `line!place: message`."""
    return [
        f"{line}!{item}" if isinstance(item, ParseError) else str(item)
        for line, item in scan_trees("f", stream=io.StringIO(text))
    ]


def write(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "f"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_many_trees_in_one_file(tmp_path: Path) -> None:
    path = write(tmp_path, f"{ONE}\n{SPREAD}\n\n{TWO} {ONE}\n{TWO}")
    expected = [parse_tree(text) for text in (ONE, ONE, TWO, ONE, TWO)]
    assert list(read_trees(path)) == expected
    assert [scanned.line for scanned in scan_trees(path)] == [1, 2, 7, 7, 8]


def test_an_empty_file_has_no_trees(tmp_path: Path) -> None:
    for content in ("", "\n \n"):
        assert list(scan_trees(write(tmp_path, content))) == []


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        (ONE[:-1], "2!f:2:1: the next tree begins inside (ROOT, 1 bracket still open"),
        (ONE[:-9], "2!f:2:35: the next tree begins inside (VBZ, 4 brackets still open"),
        (ONE + ")", "2!f:2:49: ')' without a matching '('"),
        (ONE + " dog", "2!f:2:50: expected '(' at the start of a tree, found 'dog'"),
        ("garbage", "2!f:2:1: expected '('"),
        (")))", "2!f:2:1: ')' without"),
        ("(ROOT (S) (VP x))", "2!f:2:9: (S) is empty"),
        ("(ROOT dog (VP x))", "2!f:2:11: '(VP x)' stands beside"),
        ("(ROOT (S\n  (NP dog cat)\n  (VP x)))", "2!f:3:11: 'cat' stands beside"),
        ("(ROOT (S\n  (NP dog)\n  (VP x\x00)))", "2!f:4:8: a NUL byte"),
        ("(ROOT (S \udce9))", "2!f:2:10: byte 0xe9 is not UTF-8"),
        ("(X " * 5000 + "x" + ")" * 5000, "2!f:2:751: nesting deeper than the limit of 250"),
    ],
)
def test_one_bad_tree_never_loses_the_next(bad: str, error: str) -> None:
    [before, found, after] = scan(f"{ONE}\n{bad}\n{TWO}\n")
    assert (before, after) == (ONE, TWO)
    assert found.startswith(error)


@pytest.mark.parametrize("top", ["( (S", "(TOP (S", "(S1 (S"])
def test_an_open_tree_ends_where_the_same_top_begins_again(top: str) -> None:
    good = f"{top} (NN x)))"
    [before, error, after] = scan(f"{good}\n{top} (NN\n  y)\n{good}\n")
    assert before == after
    assert error.startswith("2!f:2:")
    assert "the next tree begins inside" in error


def test_an_open_tree_under_another_label_costs_the_rest() -> None:
    [before, error] = scan("(S (NN x))\n(S (NN x)\n(S (NN x))\n(S (NN x))\n")
    assert before == "(S (NN x))"
    assert error.startswith("2!f:2:1: the text ends inside (S, 1 bracket still open")


def test_lines_after_an_error_are_passed_over_up_to_the_next_tree() -> None:
    items = scan(f"(ROOT (S (NP))\n  (VP (V x)))\n{ONE}\n")
    assert [item.startswith("1!") for item in items] == [True, False]
    # What follows on the same line goes with the bad tree.
    assert len(scan(f"(ROOT (S)) {ONE}\n{TWO}\n")) == 2


def test_trees_before_the_bad_one_on_a_line_are_kept() -> None:
    assert scan(f"{ONE} {TWO})\n{ONE}\n")[::2] == [ONE, ONE]
    assert len(scan(f"{ONE} {TWO} )\n{ONE}\n")) == 3


def test_bad_trees_go_to_the_problems_or_stop(tmp_path: Path) -> None:
    path = write(tmp_path, f"{ONE}\n(ROOT (S))\n{TWO}\n")
    problems = Problems()
    assert [str(tree) for tree in read_trees(path, problems=problems)] == [ONE, TWO]
    assert [error.where for error in problems.errors] == [f"{path}:2:9"]
    with pytest.raises(ParseError, match="is empty"):
        list(read_trees(path))


def test_mixed_encodings_cost_only_their_lines(tmp_path: Path) -> None:
    lines = ["(ROOT (S (NN kůň)))", "(ROOT (S (NN café)))", "(ROOT (S (NN 😀)))"]
    encodings = ["utf-8", "latin-1", "utf-8"]
    content = b"\n".join(map(str.encode, lines, encodings))
    [first, error, last] = [item.tree for item in scan_trees(write(tmp_path, content))]
    assert (str(first), str(last)) == (lines[0], lines[2])
    assert "byte 0xe9 is not UTF-8" in str(error)
    [error] = [item.tree for item in scan_trees(write(tmp_path, ONE.encode("utf-16")))]
    assert isinstance(error, ParseError)


def test_a_mark_at_the_start_of_the_file_is_ignored(tmp_path: Path) -> None:
    assert len(list(read_trees(write(tmp_path, b"\xef\xbb\xbf" + ONE.encode())))) == 1


def test_a_missing_file_or_a_directory_is_a_data_error(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        for reader in (read_trees, read_tree_lines, scan_trees):
            with pytest.raises(DataError, match="cannot read it"):
                list(reader(path))


def test_lines_keep_their_positions(tmp_path: Path) -> None:
    path = write(tmp_path, f"{ONE}\n\n{ONE[:-1]}\n{TWO})\n{TWO}\n  \n{ONE} {TWO}\n{ONE}")
    problems = Problems()
    found = [tree and str(tree) for tree in read_tree_lines(path, problems=problems)]
    assert found == [ONE, None, None, None, TWO, None, None, ONE]
    assert [error.where for error in problems.errors] == [
        f"{path}:3:1",
        f"{path}:4:42",
        f"{path}:7",
    ]
    with pytest.raises(ParseError, match=":3:1: the text ends"):
        list(read_tree_lines(path))


class Generated(io.TextIOBase):
    """A file that is made while it is read, of any size."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self.pieces = pieces
        self.rest = ""

    def readline(self, size: int | None = -1, /) -> str:
        while "\n" not in self.rest and (size is None or size < 0 or len(self.rest) < size):
            more = next(self.pieces, "")
            if not more:
                break
            self.rest += more
        end = self.rest.find("\n") + 1 or len(self.rest)
        if size is not None and size >= 0:
            end = min(end, size)
        line, self.rest = self.rest[:end], self.rest[end:]
        return line


@pytest.mark.parametrize("separator", ["\n", " "], ids=["lines", "one line"])
def test_a_large_file_takes_little_memory(separator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """20 pieces, one tree a line or all on one very long line, within the memory of a few.

    The words are long, because tracemalloc takes its time over every object.
    """
    size = 1 << 17
    monkeypatch.setattr("treewright.trees.brackets._PIECE", size)
    text = ONE.replace("dog", "dog" * 300)
    number = 20 * size // len(text)
    stream = Generated(itertools.repeat(text + separator, number))
    tracemalloc.start()
    try:
        count = sum(
            scanned.tree is not None
            for scanned in scan_trees("f", stream=stream)  # type: ignore[arg-type]
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == number
    assert peak < 12 * size


def test_a_long_line_may_be_cut_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{ONE} ( (NP dog)) ( S ( NN x ) ) {TWO} (S (N)) {ONE}\n{TWO}\n"
    whole = scan(text)
    for size in range(8, 60):
        monkeypatch.setattr("treewright.trees.brackets._PIECE", size)
        assert scan(text) == whole


def test_a_word_beyond_all_limits_costs_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treewright.trees.brackets._PIECE", 20)
    for bad in ("x" * 1000, f"(ROOT {'x' * 1000} {ONE})", "x" * 21 + "(ROOT x)" + "x" * 1000):
        [before, error, after] = scan(f"{ONE}\n{bad}\n{TWO}\n")
        assert (before, after) == (ONE, TWO)
        assert error.startswith("2!f:2:")


def test_a_pipe_is_answered_line_by_line() -> None:
    """A tree is handed on when its line is complete, not when the next one comes."""
    read_end, write_end = os.pipe()
    with os.fdopen(read_end) as stream, os.fdopen(write_end, "w") as writer:
        writer.write(ONE + "\n")
        writer.flush()
        assert str(next(scan_trees("-", stream=stream)).tree) == ONE


def test_a_tree_that_never_ends_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treewright.trees.brackets.MAX_TOKENS", 50)
    path = tmp_path / "endless.mrg"
    path.write_text("(X\n" + " (A a)\n" * 100 + "(ROOT (B b))\n", encoding="utf-8")
    first, second = scan_trees(path)
    assert str(first.tree) == f"{path}:51:2: a tree of more than 50 tokens"
    assert str(second.tree) == "(ROOT (B b))"

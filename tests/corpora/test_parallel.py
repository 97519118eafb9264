from pathlib import Path

import pytest

from treewright.corpora import read_parallel, scan_parallel
from treewright.errors import DataError, Problems, UsageError
from treewright.trees import parse_tree

ONE = "(S (NP (DT a) (NN dog)) (VP (VBZ barks)))"
TWO = "(S (NP (NN dog)) (VP (VBZ barks)))"
SPREAD = "(S\n  (NP (DT a)\n\n      (NN dog))\n  (VP (VBZ barks)))"


def write(tmp_path: Path, name: str, *lines: str) -> Path:
    path = tmp_path / name
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape"))
    return path


def read(*paths: Path) -> tuple[list[str], list[str]]:
    problems = Problems()
    ids = [pair.id for pair in read_parallel(*paths, problems=problems)]
    return ids, [str(error) for error in problems.errors]


def test_trees_pair_up_by_position(tmp_path: Path) -> None:
    source, target = write(tmp_path, "s", ONE, TWO), write(tmp_path, "t", TWO, TWO)
    alignment = write(tmp_path, "a", "2-1 1-0", "")
    pairs = list(read_parallel(source, target, alignment))
    assert [pair.id for pair in pairs] == ["1", "2"]
    assert pairs[0].source == parse_tree(ONE)
    assert pairs[0].target == parse_tree(TWO)
    assert [pair.alignment for pair in pairs] == [((1, 0), (2, 1)), ()]
    assert next(read_parallel(source, target)).alignment is None


def test_trees_may_spread_over_indented_lines(tmp_path: Path) -> None:
    source = write(tmp_path, "s", "", SPREAD, "", "", SPREAD, TWO, "")
    target = write(tmp_path, "t", TWO, TWO, TWO)
    pairs = list(read_parallel(source, target))
    assert [pair.source for pair in pairs] == [parse_tree(SPREAD)] * 2 + [parse_tree(TWO)]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (ONE[:-1], "s:2:1: the text ends inside"),
        (ONE + ")", r"s:2:\d+: '\)' without a matching"),
        (f"{ONE} {ONE}", "s:2: expected one tree, found 2"),
        ("garbage", r"s:2:1: expected '\(' at the start"),
        ("(S (NP) (VP x))", "is empty; a node needs"),
        ("", "s:2: a blank line where a tree should be"),
        ("(S (X \x00))", "s:2:7: a NUL byte"),
        ("(S (X \udcff))", "s:2:7: byte 0xff is not UTF-8"),
        ("(X " * 5000 + "x" + ")" * 5000, "nesting deeper"),
        ("(X" + " (N x)" * 10_000 + ")", "s:2: the tree has 10000 words, the limit is 1000"),
        (SPREAD[:-1], "s:2:1: the text ends inside"),
        (SPREAD.replace("dog", "dog y"), r"s:5:15: 'y' stands beside"),
    ],
)
def test_a_bad_tree_loses_only_its_pair(tmp_path: Path, bad: str, message: str) -> None:
    source, target = write(tmp_path, "s", ONE, bad, ONE), write(tmp_path, "t", TWO, TWO, TWO)
    for paths in ((source, target), (target, source)):
        ids, errors = read(*paths)
        assert ids == ["1", "3"]
        assert len(errors) == 1
    with pytest.raises(DataError, match=message):
        list(read_parallel(source, target))


def test_a_shorter_side_is_an_error_with_both_counts(tmp_path: Path) -> None:
    source, target = write(tmp_path, "s", ONE, ONE, ONE), write(tmp_path, "t", TWO, TWO)
    ids, [error] = read(source, target)
    assert ids == ["1", "2"]
    assert error.startswith(
        f"{target}:2: it ends before the others: {source} has 3, {target} has 2"
    )
    alignment = write(tmp_path, "a", "0-0")
    ids, [error] = read(source, source, alignment)
    assert ids == ["1"]
    assert f"{alignment} has 1" in error


@pytest.mark.parametrize(
    ("links", "message"),
    [("0-7", "a:2: link 0-7 leads to target word 7"), ("0", "a:2: '0' is not")],
)
def test_a_bad_alignment_loses_only_its_pair(tmp_path: Path, links: str, message: str) -> None:
    side = write(tmp_path, "s", TWO, TWO, TWO)
    ids, [error] = read(side, side, write(tmp_path, "a", "0-0", links, "1-1"))
    assert ids == ["1", "3"]
    assert message in error


def test_empty_files_hold_no_pairs(tmp_path: Path) -> None:
    empty = write(tmp_path, "s")
    assert "no pairs in it" in str(next(scan_parallel(empty, empty)))


def test_only_one_side_can_be_standard_input() -> None:
    with pytest.raises(UsageError, match="only one of the files can be standard input"):
        next(read_parallel("-", "-"))

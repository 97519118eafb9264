"""Parallel text: positions are kept, and what is wrong is named by its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.corpora import MAX_SENTENCE, Sentences, Vocabulary, read_bitext, read_tokens
from treewright.errors import DataError, Problems, UsageError


def write(folder: Path, source: str | bytes, target: str | bytes) -> tuple[Path, Path]:
    paths = folder / "text.src", folder / "text.tgt"
    for path, text in zip(paths, (source, target), strict=True):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return paths


def test_pairs_are_read_by_line(tmp_path: Path) -> None:
    paths = write(tmp_path, "a b\n\nc\n", "x\n\ny  z\n")
    assert list(read_bitext(*paths)) == [(["a", "b"], ["x"]), ([], []), (["c"], ["y", "z"])]


def test_a_bad_pair_keeps_its_place(tmp_path: Path) -> None:
    paths = write(tmp_path, b"a\nb\nc \xff\nd\n" + b"e " * (MAX_SENTENCE + 1), "x\n\nz\nw\nv\n")
    problems = Problems()
    pairs = list(read_bitext(*paths, problems=problems))
    assert pairs == [(["a"], ["x"]), ([], []), ([], []), (["d"], ["w"]), ([], [])]
    assert [error.where for error in problems.errors] == [
        f"{paths[1]}:2",
        f"{paths[0]}:3:3",
        f"{paths[0]}:5",
    ]


def test_a_pair_with_two_bad_sides_is_one_problem(tmp_path: Path) -> None:
    paths = write(tmp_path, b"\xff\na\n", b"\xfe\nx\n")
    problems = Problems()
    assert list(read_bitext(*paths, problems=problems)) == [([], []), (["a"], ["x"])]
    assert [error.where for error in problems.errors] == [f"{paths[0]}:1:1"]


@pytest.mark.parametrize("source, target, short", [("a\nb\n", "x\n", 1), ("a\n", "x\ny\n", 0)])
def test_files_of_unequal_length_are_an_error(
    tmp_path: Path, source: str, target: str, short: int
) -> None:
    paths = write(tmp_path, source, target)
    with pytest.raises(DataError, match="ends after 1 lines") as caught:
        list(read_bitext(*paths, problems=Problems()))
    assert caught.value.where == str(paths[short])


def test_both_sides_cannot_be_standard_input() -> None:
    with pytest.raises(UsageError, match="only one"):
        list(read_bitext("-", "-"))


def test_a_bad_line_is_an_empty_sentence(tmp_path: Path) -> None:
    path, _ = write(tmp_path, b"a\n\xff\nb\n", "")
    problems = Problems()
    assert list(read_tokens(path, problems=problems)) == [["a"], [], ["b"]]
    assert len(problems.errors) == 1


def test_words_are_numbered_as_they_come() -> None:
    vocabulary = Vocabulary(["<unk>"])
    text = Sentences.encode([["a", "b"], [], ["b", "c"]], vocabulary)
    assert vocabulary.words == ("<unk>", "a", "b", "c")
    assert [sentence.tolist() for sentence in text] == [[1, 2], [], [2, 3]]
    closed = Sentences.encode([["c", "d"]], vocabulary, grow=False, unknown=0)
    assert closed[0].tolist() == [3, 0]
    assert "d" not in vocabulary
    assert vocabulary.numbers(["a", "d"]).tolist() == [1, -1]
    assert text.lengths.tolist() == [2, 0, 2]
    assert len(vocabulary) == 4

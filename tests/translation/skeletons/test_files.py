"""Files of skeletons: written, read back, and checked against their text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples
from treewright.errors import DataError
from treewright.translation.skeletons.files import (
    Skeleton,
    format_skeletons,
    parse_skeletons,
    read_skeleton_lists,
    read_skeletons,
    skeleton_of,
    write_skeletons,
)

SENTENCES = [["the", "old", "man", "sleeps", "."], ["yes"], []]


def test_a_file_written_by_hand_is_read(tmp_path: Path) -> None:
    path = tmp_path / "skeletons"
    path.write_text("4 2 0 3\n0 | \n\n")
    found = read_skeletons(path, SENTENCES)
    assert [kept.tolist() for kept in found] == [[True, False, True, True, True], [True], []]
    assert [len(several) for several in read_skeleton_lists(path, SENTENCES)] == [1, 2, 1]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "skeletons"
    several = [skeleton_of([0, 2], 5), skeleton_of([2], 5)]
    write_skeletons(path, [several, skeleton_of([], 1), skeleton_of([], 0)])
    assert path.read_text() == "0 2 | 2\n\n\n"
    [first, *_] = read_skeleton_lists(path, SENTENCES)
    assert [kept.tolist() for kept in first] == [kept.tolist() for kept in several]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0\n0\n", r"skeletons: it ends after 2 lines, the text after 3"),
        ("0\n0\n\n\n", r"skeletons:4: .* not there: the text has 3 lines"),
        ("0 5\n0\n\n", r"skeletons:1: it keeps token 5, but the sentence has 5 tokens"),
        ("0\n0-0\n\n", r"skeletons:2: '0-0' is not a position"),
        ("0 -1\n0\n\n", r"skeletons:1: '-1' is not a position"),
        ("0 ²\n0\n\n", r"skeletons:1: '²' is not a position"),
        (f"{'9' * 5000}\n0\n\n", r"skeletons:1: it keeps token 999"),
    ],
)
def test_skeletons_of_another_text_are_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "skeletons"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_skeletons(path, SENTENCES)


skeletons = st.integers(0, 6).flatmap(
    lambda length: st.lists(
        st.lists(st.booleans(), min_size=length, max_size=length).map(
            lambda kept: np.array(kept, np.bool_)
        ),
        min_size=1,
        max_size=3,
    )
)


@examples(50)
@given(skeletons)
def test_one_line_holds_the_skeletons_of_a_sentence(several: list[Skeleton]) -> None:
    read = parse_skeletons(format_skeletons(several), several[0].size)
    assert [kept.tolist() for kept in read] == [kept.tolist() for kept in several]

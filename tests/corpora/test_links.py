"""Links in arrays are the links of the lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.corpora import Links, read_links
from treewright.errors import DataError

ALIGNMENTS = [((0, 0), (1, 2)), (), ((2, 1),)]


def test_links_come_back_as_they_were() -> None:
    links = Links.of(ALIGNMENTS)
    assert list(links) == ALIGNMENTS
    assert list(links.lines()) == ["0-0 1-2", "", "2-1"]
    assert list(Links.of([])) == []


def test_links_are_read_for_the_text_they_belong_to(tmp_path: Path) -> None:
    path = tmp_path / "text.align"
    path.write_text("0-0 1-2\n\n2-1\n")
    assert list(read_links(path, [(2, 3), (0, 0), (3, 2)])) == ALIGNMENTS


@pytest.mark.parametrize(
    "sizes, where, message",
    [
        ([(2, 3), (0, 0), (3, 1)], ":3", "leads to target word 1"),
        ([(2, 3), (0, 0)], ":3", "the text has 2"),
        ([(2, 3), (0, 0), (3, 2), (1, 1)], "", "ends after 3 lines"),
    ],
)
def test_links_of_another_text_are_an_error(
    tmp_path: Path, sizes: list[tuple[int, int]], where: str, message: str
) -> None:
    path = tmp_path / "text.align"
    path.write_text("0-0 1-2\n\n2-1\n")
    with pytest.raises(DataError, match=message) as caught:
        read_links(path, sizes)
    assert caught.value.where == f"{path}{where}"

"""Precision, recall, F1 and AER by their definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.errors import DataError, ParseError
from treewright.evaluation import AlignmentCounts, GoldAlignment, score_alignment_files


def test_the_scores_of_one_pair() -> None:
    gold = GoldAlignment.parse("0-0 1-2 2p1 2p2")
    counts = AlignmentCounts.of(((0, 0), (2, 1), (3, 3)), gold)
    assert counts == AlignmentCounts(system=3, sure_found=1, possible_found=2, sure=2)
    assert counts.precision == pytest.approx(2 / 3)
    assert counts.recall == pytest.approx(1 / 2)
    assert counts.f1 == pytest.approx(4 / 7)
    assert counts.aer == pytest.approx(1 - 3 / 5)


def test_counts_add_up() -> None:
    one, other = AlignmentCounts(3, 1, 2, 2), AlignmentCounts(1, 1, 1, 4)
    assert one + other == AlignmentCounts(4, 2, 3, 6)


@pytest.mark.parametrize(("system", "aer"), [("", 1.0), ("0-0", 0.0)])
def test_extremes(system: str, aer: float) -> None:
    links = ((0, 0),) if system else ()
    assert AlignmentCounts.of(links, GoldAlignment.parse("0-0")).aer == aer


def test_no_links_anywhere_is_no_error() -> None:
    counts = AlignmentCounts()
    assert (counts.precision, counts.recall, counts.f1, counts.aer) == (0, 0, 0, 0)


@pytest.mark.parametrize("text", ["0", "0-", "-1-0", "a-b", "0x1", "1-1-1", "1–2"])
def test_what_is_not_a_link_is_named(text: str) -> None:
    with pytest.raises(ParseError, match=r"gold:4: '.*' is not a link"):
        GoldAlignment.parse(f"0-0 {text}", where="gold:4")


def files(folder: Path, system: str, gold: str) -> tuple[Path, Path]:
    paths = folder / "hyp", folder / "gold"
    for path, text in zip(paths, (system, gold), strict=True):
        path.write_text(text)
    return paths


def test_files_are_compared_line_by_line(tmp_path: Path) -> None:
    counts = score_alignment_files(*files(tmp_path, "0-0\n\n", "0-0 1p1\n0-0\n"))
    assert counts == [AlignmentCounts(1, 1, 1, 1), AlignmentCounts(0, 0, 0, 1)]


@pytest.mark.parametrize(
    ("system", "gold", "message"),
    [
        ("0-0\n", "0-0\n0-0\n", r"hyp: it ends after 1 lines, .*gold after 2; "),
        ("0-0\n0-0\n", "0-0\n", r"gold: it ends after 1 lines, .*hyp after 2; "),
        ("0p0\n", "0-0\n", r"hyp:1: '0p0' is not a link"),
        ("0-0\n", "0-0 2-0\n", r"gold:1: link 2-0 leads to source word 2, but that side has 2"),
        ("0-3\n", "0-0\n", r"hyp:1: link 0-3 leads to target word 3"),
    ],
)
def test_bad_files_are_errors(tmp_path: Path, system: str, gold: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        score_alignment_files(*files(tmp_path, system, gold), [(2, 3)])

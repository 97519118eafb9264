"""Skeletons carried over word links, and the pairs made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.corpora import parse_pharaoh
from treewright.errors import DataError, Problems
from treewright.translation.skeletons.files import read_skeletons, skeleton_of
from treewright.translation.skeletons.projecting import Projection, project_back, read_projected
from treewright.trees import TreeTable, parse_tree

# the dog in the garden sleeps today .
TREE = (
    "(ROOT (S (NP (PP (P 在) (NP (Na 花园))) (DE 的) (Na 狗)) (Nd 今天) (VA 睡觉) (T 了)) (PU 。))"
)
ENGLISH = "the dog in the garden sleeps today ."
LINKS = "0-2 1-4 3-1 4-6 5-5 7-7"


def projected(kept: str, links: str = LINKS, tree: str = TREE) -> str:
    """Return the words of the source's skeleton, or why there is none; `kept` are English words."""
    words = ENGLISH.split()
    target = skeleton_of([words.index(word) for word in kept.split()], len(words))
    table = TreeTable(parse_tree(tree))
    found = project_back(table, target, parse_pharaoh(links))
    if isinstance(found, str):
        return found
    return " ".join(word for word, stays in zip(table.words, found, strict=True) if stays)


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        # 的 has no links and goes with the phrase before it, 了 with the verb, its clause's head.
        ("dog sleeps .", "狗 睡觉 了 。"),
        ("dog sleeps today", "狗 今天 睡觉 了 。"),
        ("dog in garden sleeps", "在 花园 的 狗 睡觉 了 。"),
        ("dog in garden sleeps today", "nothing dropped"),
        ("dog garden sleeps", "unconnected"),
        ("dog", "unconnected"),
        ("", "nothing kept"),
    ],
)
def test_what_is_kept_of_a_source(kept: str, expected: str) -> None:
    assert projected(kept) == expected


def test_links_of_both_kinds_spoil_a_pair() -> None:
    assert projected("dog sleeps", LINKS + " 3-4") == "links of both kinds"


def test_too_few_links_say_too_little() -> None:
    assert projected("dog sleeps", "3-1 5-5") == "too few links"
    assert projected("dog sleeps", "3-1 5-5 4-6 1-4") == "狗 睡觉 了 。"


def test_a_word_without_links_goes_with_its_constituent() -> None:
    tree = (
        "(ROOT (S (NP (Na 狗)) (PP (P 在) (GP (NP (Na 花园)) (Ng 里))) (VA 睡觉) (T 了)) (PU 。))"
    )
    links = "0-1 2-4 4-5"
    assert projected("dog sleeps", links, tree) == "狗 睡觉 了 。"
    assert projected("garden sleeps", links, tree) == "在 花园 里 睡觉 了 。"


@pytest.mark.parametrize(
    ("kept", "expected"),
    [("dog sleeps today", "狗 ， 睡觉 ， 今天"), ("dog sleeps garden", "狗 ， 睡觉 花园")],
)
def test_marks_stay_between_kept_words(kept: str, expected: str) -> None:
    tree = "(S (NP (Na 狗)) (PU ，) (VA 睡觉) (PU ，) (Nd 今天) (Na 花园))"
    assert projected(kept, "0-1 2-5 4-6 5-4 3-0", tree) == expected


def test_pairs_are_made_of_files(tmp_path: Path) -> None:
    Path(tmp_path / "trees").write_text(f"{TREE}\n\n(ROOT (VA 睡觉))\n{TREE}\n")
    Path(tmp_path / "links").write_text(f"{LINKS}\n0-0\n0-0\n0-99\n")
    Path(tmp_path / "skeletons").write_text("1 5 7\n0\n0\n1 5 7\n")
    kept = read_skeletons(tmp_path / "skeletons", [range(8), range(1), range(1), range(8)])
    files = [tmp_path / name for name in ("trees", "links", "skeletons")]
    problems = Problems()
    projection = Projection()
    [record] = projection(read_projected(*files, kept, problems=problems))
    assert record.id == "1"
    assert str(record.targets[0]) == ("(ROOT (S (NP (Na 狗)) (VA 睡觉) (T 了)) (PU 。))")
    assert projection.outcomes == {"taken": 1, "too short": 1}
    assert [error.message.split(";")[0] for error in problems.errors] == [
        "no tree",
        "link 0-99 leads to target word 99, but that side has 8 words (numbered from 0)",
    ]


def test_files_of_different_length(tmp_path: Path) -> None:
    Path(tmp_path / "trees").write_text(f"{TREE}\n{TREE}\n")
    Path(tmp_path / "links").write_text(f"{LINKS}\n{LINKS}\n")
    files = [tmp_path / name for name in ("trees", "links", "skeletons")]
    items = read_projected(*files, [skeleton_of([0], 8)])
    with pytest.raises(DataError, match=r"skeletons: it ends after 1 lines, but .*trees goes on"):
        list(items)

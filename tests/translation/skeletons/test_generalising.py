"""What the skeletal language model sees of a target."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples
from tests.translation.skeletons import plain
from treewright.corpora import Alignment, Links, parse_pharaoh
from treewright.translation.skeletons.files import Skeleton, skeleton_of
from treewright.translation.skeletons.generalising import generalise, generalise_all, project

FIGURE_1 = (
    "the cost of seawater desalination treatment has been further reduced from 5 yuan per ton ."
)
FIGURE_1_LINKS = "5-0 5-1 4-2 2-3 2-4 3-5 12-6 12-7 12-8 13-9 6-10 10-10 7-11 8-12 0-13 1-14 14-15"


def test_the_paper_s_figure_1() -> None:
    kept = skeleton_of([5, 12, 13, 14], 15)
    found = generalise(FIGURE_1.split(), kept, parse_pharaoh(FIGURE_1_LINKS))
    assert " ".join(found) == "the cost X has been further reduced X ."


@pytest.mark.parametrize(
    ("words", "seen"),
    [(2, "the cost"), (6, "the cost X"), (10, "the cost X has been further reduced")],
)
def test_what_the_figure_s_decoder_has_built_step_by_step(words: int, seen: str) -> None:
    links = tuple([(s, t) for s, t in parse_pharaoh(FIGURE_1_LINKS) if t < words])
    found = generalise(FIGURE_1.split()[:words], skeleton_of([5, 12, 13, 14], 15), links)
    assert " ".join(found) == seen


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ("0-0 1-1 2-2 3-3", "a X d"),
        ("0-0 1-2 3-3", "a X d"),  # b goes with c, to its right
        ("0-0 1-1 3-3", "a X c d"),  # c goes with d
        ("0-1 1-2", "a b X"),  # after the last linked word: with that one
        ("0-0 1-1 0-1 2-2 3-3", "a b X d"),  # linked to both kinds: it stays
        ("", "X"),
    ],
)
def test_words_without_links_and_words_with_links_of_both_kinds(links: str, expected: str) -> None:
    found = generalise(list("abcd"), skeleton_of([0, 3], 4), parse_pharaoh(links))
    assert " ".join(found) == expected


def test_pairs_do_not_reach_into_one_another() -> None:
    links = Links.of([((0, 0),), (), ((0, 1),)])
    kept = [skeleton_of([0], 1), skeleton_of([], 0), skeleton_of([], 1)]
    targets = [["a", "b"], [], ["c", "d"]]
    assert generalise_all(targets, kept, links) == [["a", "b"], [], ["X"]]
    assert project(kept, links, np.array([2, 0, 2])).tolist() == [True, True, False, False]


def test_no_pairs() -> None:
    assert generalise_all([], [], Links.of([])) == []


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[str], Skeleton, Alignment]:
    """A target, the skeleton of its source, and links between them."""
    kept = draw(st.lists(st.booleans(), max_size=6))
    target = draw(st.lists(st.sampled_from("abc"), max_size=6))
    cells = [(s, t) for s in range(len(kept)) for t in range(len(target))]
    links = draw(st.sets(st.sampled_from(cells))) if cells else set()
    return target, np.array(kept, np.bool_), tuple(sorted(links))


@examples(200)
@given(st.lists(pairs(), max_size=5))
def test_generalised_text_equals_the_plain_twin(
    drawn: list[tuple[list[str], Skeleton, Alignment]],
) -> None:
    found = generalise_all(
        [target for target, _, _ in drawn],
        [kept for _, kept, _ in drawn],
        Links.of([links for _, _, links in drawn]),
    )
    assert found == [plain.generalise(*each) for each in drawn]

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from treewright.parsing.embedded.pieces import MAX_LENGTH, cut_long, join_pieces
from treewright.trees import parse_tree

STRENGTH = {
    ".": 3,
    ";": 3,
    "…": 3,
    ":": 2,
    "--": 2,
    "-RRB-": 2,
    ",": 1,
    "。": 3,
    "：": 2,
    "，": 1,
    "、": 1,
}
sentences = st.lists(st.sampled_from(["a", "b", "c", "(", *STRENGTH]), min_size=1, max_size=60)
limits = st.integers(1, 12)


@given(sentences, limits)
def test_pieces_are_the_sentence_again_and_none_is_too_long(words: list[str], limit: int) -> None:
    pieces = cut_long(words, limit)
    assert [word for piece in pieces for word in piece] == words
    assert all(0 < len(piece) <= limit for piece in pieces)
    assert all(len(a) + len(b) > limit // 2 for a, b in pairwise(pieces))


@given(sentences, limits)
def test_each_cut_is_behind_the_strongest_sign_of_the_last_half(
    words: list[str], limit: int
) -> None:
    start = 0
    for piece in cut_long(words, limit)[:-1]:
        places = range(limit // 2 + 1, limit + 1)
        assert len(piece) == max(
            places, key=lambda place: (STRENGTH.get(words[start + place - 1], 0), place)
        )
        start += len(piece)


def test_a_sentence_that_fits_stays_whole() -> None:
    words = ("a", ";") * (MAX_LENGTH // 2)
    assert cut_long(words) == [words]
    assert len(cut_long((*words, "a"))) == 2


def test_pieces_are_joined_under_one_root() -> None:
    one, two = parse_tree("(ROOT (S (NN a)))"), parse_tree("(ROOT (NP (NN b)) (. .))")
    assert join_pieces([one]) is one
    assert join_pieces([one, two]) == parse_tree("(ROOT (S (NN a)) (NP (NN b)) (. .))")

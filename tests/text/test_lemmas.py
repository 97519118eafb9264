from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples
from treewright.text import lemma


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("threw", "VBD", "throw"),
        ("Throws", "VBZ", "throw"),
        ("thrown", "VBN", "throw"),
        ("hitting", "VBG", "hit"),
        ("scored", "VBD", "score"),
        ("outscored", "VBD", "outscore"),
        ("found", "VBD", "find"),
        ("was", "VBD", "be"),
        ("'s", "VBZ", "be"),
        ("’re", "VBP", "be"),
        ("'d", "VBD", "have"),
        ("'d", "MD", "would"),
        ("wo", "MD", "will"),
        ("n't", "RB", "not"),
        ("passes", "NNS", "pass"),
        ("men", "NNS", "man"),
        ("halves", "NNS", "half"),
        ("3-pointers", "NNS", "3-pointer"),
        ("bigger", "JJR", "big"),
        ("bigger", "RBR", "big"),
        ("best", "JJS", "good"),
        ("more", "JJR", "more"),
    ],
)
def test_inflected_words(word: str, tag: str, expected: str) -> None:
    assert lemma(word, tag) == expected


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("shooting", "NN", "shooting"),
        ("left", "JJ", "left"),
        ("Passing", "NN", "passing"),
        ("lay", "VBP", "lay"),
        ("Lakers", "NNPS", "Lakers"),
        ("IBM", "NNP", "IBM"),
        ("THE", "DT", "the"),
    ],
)
def test_the_tag_decides_what_is_inflected(word: str, tag: str, expected: str) -> None:
    assert lemma(word, tag) == expected


@pytest.mark.parametrize(("word", "expected"), [("zorbed", "zorb"), ("blooping", "bloop")])
def test_verbs_that_the_lexicon_lacks(word: str, expected: str) -> None:
    assert lemma(word, "VBD" if word.endswith("ed") else "VBG") == expected


@examples(50)
@given(st.text(max_size=12), st.sampled_from(["NNS", "VBD", "VBG", "VBZ", "JJR", "RBS", "NN", "X"]))
def test_any_string_has_a_lemma(word: str, tag: str) -> None:
    found = lemma(word, tag)
    assert bool(found) == bool(word)
    assert found == lemma(word, tag)

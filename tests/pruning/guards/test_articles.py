"""Articles that fit the next word."""

import numpy as np
import pytest

from treewright.pruning import Gaps
from treewright.pruning.guards.articles import begins_with_vowel, clashing_gaps
from treewright.trees import TreeTable, parse_tree


@pytest.mark.parametrize(
    "word",
    [
        "hour",
        "honest",
        "umbrella",
        "egg",
        "unusual",
        "uninteresting",
        "8",
        "11",
        "18th",
        "MP",
        "FBI",
    ],
)
def test_words_that_want_an(word: str) -> None:
    assert begins_with_vowel(word)


@pytest.mark.parametrize(
    "word",
    [
        "house",
        "unit",
        "union",
        "user",
        "European",
        "one",
        "once",
        "1",
        "UN",
        "US",
        "NATO",
        "unanimous",
    ],
)
def test_words_that_want_a(word: str) -> None:
    assert not begins_with_vowel(word)


def closed(brackets: str) -> set[tuple[str, str]]:
    """Return what the closed gaps drop first, and what would come behind the article."""
    source = TreeTable(parse_tree(brackets))
    gaps = Gaps.of(np.array(source.end, dtype=np.int32))
    return {
        (" ".join(source.nodes[gaps.first[g]].words()), source.nodes[gaps.right[g]].words()[0])
        for g in np.flatnonzero(clashing_gaps(source, gaps)).tolist()
    }


def test_an_article_never_comes_before_a_word_that_wants_the_other() -> None:
    flat = "(NP (DT a) (RB very) (JJ old) (JJ tired) (NN owl))"
    assert closed(flat) == {("very", "old"), ("very", "owl")}


def test_what_is_dropped_at_the_start_of_a_phrase_behind_the_article_counts_too() -> None:
    nested = "(NP (DT a) (ADJP (RB very) (JJ old)) (NN dog))"
    assert closed(nested) == {("very", "old")}


def test_other_words_are_free() -> None:
    assert closed("(NP (DT the) (RB very) (JJ old) (NN dog))") == set()

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import count_words, is_word
from treewright.trees import parse_tree


@pytest.mark.parametrize(
    "token", ["cat", "'s", "U.S.", "3", "$5", "-9-", "été", "猫", "-LRB-", "-RSB-"]
)
def test_a_letter_or_digit_makes_a_word(token: str) -> None:
    assert is_word(token)


@pytest.mark.parametrize(
    "token",
    [",", ".", "--", "``", "''", "$", "...", "", "("],
)
def test_punctuation_and_bracket_escapes_are_not_words(token: str) -> None:
    assert not is_word(token)


@given(st.text())
def test_without_escapes_a_word_is_what_has_an_alphanumeric_character(token: str) -> None:
    assert is_word(token) == any(map(str.isalnum, token))


def test_words_of_trees_and_of_tokens_are_counted_alike() -> None:
    tree = parse_tree("(S (NP (NN dogs)) (, ,) (VP (VBP bark)) (: --) (. .))")
    assert count_words(tree) == count_words(list(tree.words())) == 2

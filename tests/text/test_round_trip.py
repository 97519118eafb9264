import re
from itertools import pairwise

import pytest
from hypothesis import given

from treewright.files import FORBIDDEN
from treewright.text import Sentence, Token, detokenize, join_words, split_sentences, tokenize
from treewright.text.characters import GAP
from treewright.trees import Tree, parse_tree

from .strategies import texts, words

HOSTILE = [
    *("a", "a ", "a.", "a-", "a'", "'", '"', "(", ")", "[(", "@", "a@", "http://", "www.", ". "),
    *("A. ", "...", "!", "🙂", "\u200d", "1,", "$", "%-", "*", "\x00", "\ud800", "\n", "。", "n't"),
    *("“", "’", ", ", "word, ", "a.com/(", "e\u0301", "_", "--", " -- ", "(a, ", "1. ", "你"),
]


@given(texts)
def test_tokens_slice_the_text_and_write_it_back(text: str) -> None:
    tokens = tokenize(text)
    assert all(text[start:end] == word for word, start, end in tokens)
    assert detokenize(text, tokens) == text


@given(texts)
def test_between_tokens_nothing_can_be_seen_and_in_them_nothing_cannot(text: str) -> None:
    place = 0
    for word, start, end in (*tokenize(text), Token("", len(text), len(text))):
        assert re.fullmatch(f"[{GAP}]*", text[place:start])
        assert not re.search(f"[{GAP}]", word)
        assert not FORBIDDEN.search(word)
        assert len(word.split()) == bool(word)
        place = end


@given(texts)
def test_every_token_fits_into_a_tree(text: str) -> None:
    for token in tokenize(text):
        tree = Tree("X", word=token.penn)
        assert parse_tree(str(tree)) == tree


@given(texts)
def test_sentences_share_out_all_tokens(text: str) -> None:
    sentences = split_sentences(text)
    covered = [text[s.start : s.end] for s in sentences]
    assert "".join("".join(s.words) for s in sentences) == "".join(t.text for t in tokenize(text))
    assert all(s.tokens and s.text is text for s in sentences)
    assert [s.detokenize() for s in sentences] == covered
    assert all(a.end <= b.start for a, b in pairwise(sentences))


@given(texts)
def test_windows_line_ends_split_alike(text: str) -> None:
    text = text.replace("\r", "")
    windows = split_sentences(text.replace("\n", "\r\n"))
    assert [s.words for s in windows] == [s.words for s in split_sentences(text)]


@given(texts)
def test_a_byte_order_mark_only_moves_the_places(text: str) -> None:
    moved = [Token(word, start + 1, end + 1) for word, start, end in tokenize(text)]
    assert list(tokenize(f"\ufeff{text}")) == moved


@given(words)
def test_any_words_can_be_joined(given: list[str]) -> None:
    text = join_words(given)
    assert detokenize(text, tokenize(text)) == text


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\x00", "\ud800\udfff", "\u200b\ufeff"])
def test_without_anything_to_see_there_are_no_tokens(text: str) -> None:
    assert tokenize(text) == ()
    assert split_sentences(text) == []
    assert detokenize(text, ()) == text


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_a_very_long_line_of_anything_comes_back_whole(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    tokens = tokenize(text)
    assert detokenize(text, tokens) == text
    assert sum(len(s.tokens) for s in split_sentences(text)) >= len(tokens) - 1


def test_a_replaced_word_stands_in_its_old_place() -> None:
    text = "  Two  dogs' bones. "
    tokens = [token._replace(text=token.text.upper()) for token in tokenize(text)]
    assert detokenize(text, tokens) == "  TWO  DOGS' BONES. "


@pytest.mark.parametrize("places", [(1, 0), (0, 0)])
def test_tokens_out_of_order_are_refused(places: tuple[int, ...]) -> None:
    tokens = tokenize("one two")
    with pytest.raises(ValueError, match="does not follow"):
        detokenize("one two", [tokens[place] for place in places])


def test_tokens_of_another_text_are_refused() -> None:
    with pytest.raises(ValueError, match="within the text of 3 characters"):
        detokenize("one", tokenize("one two"))


def test_a_sentence_knows_its_place_and_its_words() -> None:
    first, second = split_sentences(" Hi (you)! Bye.")
    assert (first.start, first.end, second.start, second.end) == (1, 10, 11, 15)
    assert first.words == ("Hi", "(", "you", ")", "!")
    assert first.penn == ("Hi", "-LRB-", "you", "-RRB-", "!")
    assert Sentence("", ()).detokenize() == ""


@pytest.mark.parametrize(
    ("text", "penn"),
    [("(", "-LRB-"), ("]", "-RSB-"), ("{", "-LCB-"), (":(", ":-LRB-"), ('"', '"'), ("dog", "dog")],
)
def test_brackets_are_escaped_as_treebanks_do(text: str, penn: str) -> None:
    assert Token(text, 0, len(text)).penn == penn

"""Running text → sentences: which full stops end one, judged by the tokens on both sides."""

from __future__ import annotations

import re

from treewright.text.abbreviations import needs_more
from treewright.text.characters import CLOSERS, OPENERS, STRAIGHT, is_stop, is_word
from treewright.text.tokenizer import release_stop, scan
from treewright.text.tokens import Sentence, Token
from treewright.trees import word_set

_PARAGRAPH = re.compile(r"\n[^\S\n]*\r?\n|\r[^\S\r\n]*\r|[\u2029\x0c]")
_BREAK = re.compile(r"[\n\r\x0c\u2029]")
_BULLETS = frozenset("-*•‣◦–—·●▪+")
_SPACELESS = frozenset("。！？｡．")
_NUMERAL = re.compile(r"\d{1,3}|[A-Za-z]|[ivx]{2,5}|[IVX]{2,5}")
_ASIDE = 50
"""The most tokens in an aside in brackets; a longer one is taken to be closed."""
_STARTERS = word_set(
    "a about according after all also although among an and another any are as at because"
    " before both but by can despite did do does during each earlier even every few first for"
    " from given had has have he her here his how however i if in instead is it its just last"
    " later like many meanwhile more moreover most mr. mrs. ms. much my nearly neither"
    " nevertheless no nobody none nor not nothing now of on once one only or other our over"
    " perhaps separately several she should since so some still such that the their then there"
    " these they this those though through thus to today together under unlike until was we were"
    " what when where whether which while who why will with within without yesterday yet you"
    " your"
)
_STARTERS_BEHIND_INITIALS = word_set("but he in it she the then they this we")
_SPEECH = word_set(
    "said says asked asks replied cried shouted added answered whispered exclaimed wrote"
)


def split_sentences(text: str) -> list[Sentence]:
    """Find the sentences of running text, each with its tokens and their positions in the whole
    text.

    A blank line always ends a sentence, a single line break only before a list item. A full stop
    does not end one before a lower-case word, unless the sentence itself began in lower case.
    """
    tokens = scan(text)
    sentences: list[Sentence] = []
    first = 0
    place = 0
    while place < len(tokens):
        if _goes_on(text, tokens, place):
            place += 1
            continue
        after = _past_closers(text, tokens, place)
        if after == len(tokens) or _ends(text, tokens, first, place, after):
            own = tokens[first:after]
            release_stop(own)
            sentences.append(Sentence(text, tuple(own)))
            first = after
        place = after
    return sentences


def _goes_on(text: str, tokens: list[Token], place: int) -> bool:
    """Whether a word and a space surely do not end a sentence; most tokens are that plain."""
    word, _, end = tokens[place]
    return (
        word.isalnum()
        and place + 1 < len(tokens)
        and text[end] == " "
        and tokens[place + 1].start == end + 1
    )


def _past_closers(text: str, tokens: list[Token], place: int) -> int:
    """Return the position after a token and, if it is a full stop, after its closing marks."""
    after = place + 1
    if not _stops(tokens[place].text):
        return after
    while after < len(tokens) and _closes(text, tokens, after):
        after += 1
    return after


def _stops(word: str) -> bool:
    return (word[-1] == "." and len(word) > 1) or is_stop(word)


def _closes(text: str, tokens: list[Token], place: int) -> bool:
    """Whether the token closes what came before it; for a straight quote, its spacing decides."""
    token = tokens[place]
    if token.text in CLOSERS and token.text not in STRAIGHT:
        return True
    touches = tokens[place - 1].end == token.start
    if token.text in STRAIGHT:
        return touches and not text[token.end : token.end + 1].isalnum()
    return touches and (is_stop(token.text) or token.text == "''")


def _ends(text: str, tokens: list[Token], first: int, place: int, after: int) -> bool:
    """Whether a sentence that began at `first` ends with the token before `after`.

    `place` is where the full stop would be.
    """
    gap = text[tokens[after - 1].end : tokens[after].start]
    if gap == " " and after == place + 1 and not _stops(tokens[place].text):
        return False
    if _BREAK.search(gap) and (_PARAGRAPH.search(gap) or _starts_item(text, tokens, first, after)):
        return True
    # After an abbreviation it is the question mark that counts: "at 3 p.m.?"
    place = max([place, *(i for i in range(place, after) if is_stop(tokens[i].text))])
    word = tokens[place].text
    if not _stops(word):
        return False
    if word[-1] in _SPACELESS:
        return True
    if not gap or _numbers_item(tokens, first, place):
        return False
    following = _next_word(tokens, after)
    if following == len(tokens):
        return tokens[after].text in OPENERS or not is_word(tokens[after].text)
    if is_word(word):
        return _follows_abbreviation(word, tokens, after, following)
    return _follows_stop(word, tokens, first, place, after, following)


def _starts_item(text: str, tokens: list[Token], first: int, place: int) -> bool:
    """Whether the line that begins with this token is a list item: `-`, `1.`, `a)`, `iv)`.

    A bracket that closes one opened in the sentence (from `first` on) does not make one.
    """
    token = tokens[place]
    if token.text in _BULLETS:
        return text[token.end : token.end + 1].isspace()
    if place + 1 == len(tokens) or not _NUMERAL.fullmatch(token.text):
        return False
    behind = tokens[place + 1]
    if behind.start != token.end:
        return False
    if behind.text == ")":
        return not _in_brackets(tokens[max(first, place - _ASIDE) : place])
    return behind.text == "." and token.text[0].isdigit()


def _in_brackets(tokens: list[Token]) -> bool:
    """Whether what follows these tokens is in round brackets."""
    return next(
        (token.text == "(" for token in reversed(tokens) if token.text in ("(", ")")), False
    )


def _numbers_item(tokens: list[Token], first: int, place: int) -> bool:
    """Whether the full stop belongs to the number of a list item, as in `1. Wash the rice.`"""
    return place == first + 1 and _NUMERAL.fullmatch(tokens[first].text) is not None


def _next_word(tokens: list[Token], place: int) -> int:
    """Return the position of the first word from `place` on, skipping opening marks."""
    while place < len(tokens) and (
        tokens[place].text in OPENERS
        or tokens[place].text in STRAIGHT
        or tokens[place].text == "--"
    ):
        place += 1
    return place


def _follows_abbreviation(word: str, tokens: list[Token], after: int, following: int) -> bool:
    text = tokens[following].text
    if len(word) == 2:
        return text[0].isupper() and text.lower() in _STARTERS_BEHIND_INITIALS
    if needs_more(word):
        return False
    if following > after and text[0].isupper() and tokens[after].text not in ("(", "[", "--"):
        return True
    return text[0].isupper() and text.lower() in _STARTERS


def _follows_stop(
    word: str, tokens: list[Token], first: int, place: int, after: int, following: int
) -> bool:
    text = tokens[following].text
    if not text[0].isalpha():
        # Full stops with spaces between them are an ellipsis.
        return text[0] not in ",;:/)" and not word == text == "."
    if text[0].islower():
        return text != text.lower() or tokens[first].text[0].islower()
    begins = text.lower() in _STARTERS and text[-1] != "."
    if after > place + 1 and word[0] in "?!" and not begins:
        return all(token.text not in _SPEECH for token in tokens[following + 1 : following + 4])
    return text != "I" or word in ".?!"

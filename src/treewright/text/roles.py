"""The role of each token in a sentence: a word, a full stop, one half of a pair of brackets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import Enum, auto

from treewright.text.characters import (
    CLOSERS,
    OPENERS,
    STRAIGHT,
    is_dash,
    is_separator,
    is_stop,
)
from treewright.text.tokens import Sentence, Token


class Role(Enum):
    """What a token does. `CONTENT` is everything with a meaning of its own, including emoji."""

    CONTENT = auto()
    SEPARATOR = auto()
    DASH = auto()
    STOP = auto()
    OPENER = auto()
    CLOSER = auto()
    APOSTROPHE = auto()


def find_pairs(sentence: Sentence) -> list[tuple[int, int]]:
    """Return the positions of brackets and quotes that belong together, by the closing position.

    An apostrophe counts as a quote only where its spacing says so.
    """
    pairs: list[tuple[int, int]] = []
    waiting: list[tuple[int, str]] = []
    awaited: dict[str, int] = defaultdict(int)
    for place in sentence.mark_places:
        token = sentence.tokens[place]
        name = _closing_name(token.text)
        if name and awaited[name] and _may_close(sentence, place):
            while True:
                opener, expected = waiting.pop()
                awaited[expected] -= 1
                if expected == name:
                    break
            pairs.append((opener, place))
        elif _may_open(sentence, place):
            expected = _closing_name(OPENERS.get(token.text, token.text))
            waiting.append((place, expected))
            awaited[expected] += 1
    return pairs


def find_roles(sentence: Sentence, pairs: Sequence[tuple[int, int]]) -> list[Role]:
    """Return the role of each token, given the pairs among them."""
    roles = [Role.CONTENT] * len(sentence.tokens)
    for place in sentence.mark_places:
        roles[place] = _mark(sentence, place)
    for opener, closer in pairs:
        roles[opener], roles[closer] = Role.OPENER, Role.CLOSER
    return roles


def _mark(sentence: Sentence, place: int) -> Role:
    """Return the role of a token that does not begin as a word and is not part of a pair."""
    text = sentence.tokens[place].text
    if is_stop(text):
        return Role.STOP
    if is_dash(text):
        return Role.DASH
    if is_separator(text):
        return Role.SEPARATOR
    if text in ("'", "’") and not _spaced_before(sentence, place):
        return Role.APOSTROPHE
    if text in STRAIGHT:
        return Role.OPENER if _may_open(sentence, place) else Role.CLOSER
    if text in OPENERS:
        return Role.OPENER
    return Role.CLOSER if text in CLOSERS else Role.CONTENT


def _closing_name(text: str) -> str:
    """Return one name for all marks that close the same thing, or an empty string."""
    if text in ("”", "“", "''", "＂"):
        return '"'
    if text == "’":
        return "'"
    return text if text in CLOSERS or text in STRAIGHT else ""


def _may_close(sentence: Sentence, place: int) -> bool:
    text = sentence.tokens[place].text
    return text not in ("'", "’") or not _spaced_before(sentence, place)


def _may_open(sentence: Sentence, place: int) -> bool:
    text = sentence.tokens[place].text
    if text not in STRAIGHT:
        return text in OPENERS or text == "''"
    if place + 1 == len(sentence.tokens):
        return False
    after = sentence.tokens[place].end
    touches = not sentence.text[after : after + 1].isspace()
    return touches and (text != "'" or _spaced_before(sentence, place))


def _spaced_before(sentence: Sentence, place: int) -> bool:
    """Whether something other than a word or a full stop comes right before the token."""
    token: Token = sentence.tokens[place]
    if place == 0:
        return True
    before = sentence.tokens[place - 1]
    return before.end < token.start or before.text in OPENERS or before.text == '"'

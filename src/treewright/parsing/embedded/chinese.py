"""How the parser sees a Chinese word: by its characters, of which it knows more than of words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby

from treewright.parsing.embedded.wordforms import LONGEST, bucket
from treewright.trees import unescape

_SAME = {
    "著": "着",  # The aspect marker, as texts converted from traditional characters have it.
    "「": "“",
    "『": "“",
    "」": "”",
    "』": "”",
    "‘": "“",
    "’": "”",
    "〈": "《",
    "〉": "》",
    "-": "—",
    "--": "—",
    "–": "—",
    "―": "—",
    "─": "—",
    "——": "—",
    "──": "—",
    "……": "…",
    "⋯": "…",
    "⋯⋯": "…",
    "...": "…",
    "•": "·",
    "・": "·",
}
_NUMERALS = frozenset("〇零一二三四五六七八九十百千万亿两半几数第")
_DIGIT = re.compile(r"\d")


def normal_form(word: str) -> str:
    """Return the form to look up: full-width signs as half-width ones, digits as 0."""
    return _remember(word) if len(word) <= LONGEST else _normalise(word)


def _normalise(word: str) -> str:
    word = unescape(word)
    if len(word) > LONGEST:
        word = word[: LONGEST // 2] + word[-LONGEST // 2 :]
    # The compatible form of one character may be a phrase; only one of the same length is taken.
    word = "".join(_narrow(character) for character in word)
    return _DIGIT.sub("0", _SAME.get(word, word))


_remember = lru_cache(maxsize=100_000)(_normalise)


def _narrow(character: str) -> str:
    narrow = unicodedata.normalize("NFKC", character)
    return narrow if len(narrow) == 1 else character


def outline(form: str) -> str:
    """Return the kinds of a form's characters: `h` Han, `n` numerals; runs are shortened."""
    return "".join([kind for kind, _ in groupby(map(_kind, form))])


def _kind(character: str) -> str:
    if character in _NUMERALS:
        return "n"
    if not character.isalpha():
        return character
    return "X" if character.isupper() else "x" if character.islower() else "h"


def spelling(form: str) -> list[int]:
    """Return the buckets of a normal form's features: its characters, ends, outline, length."""
    lower = form.lower()
    features = [f"s{outline(form)}", f"l{min(len(form), 6)}"]
    features += [f"c{character}" for character in lower]
    features += [f"p{lower[:1]}", f"e{lower[-1:]}"]
    if len(lower) > 2:
        features += [f"p{lower[:2]}", f"e{lower[-2:]}"]
    return sorted(set(map(bucket, features)))


def character_bucket(character: str) -> int:
    """Return the bucket of a character wherever it stands in a word."""
    return bucket(f"c{character.lower()}")

"""Character classes that tokenising, splitting and cutting share.

The names in capitals are the insides of regular-expression classes, to be put between `[` and `]`,
except those that are sets of whole tokens.
"""

from __future__ import annotations

import re

GAP = (
    r"\s\x00-\x1f\x7f-\x9f"  # white space and control characters
    r"\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"  # invisible: widths, directions, marks
    r"\ud800-\udfff"  # bytes that were not UTF-8
)
"""What is never inside a token: white space, and what no tree or reader can show."""

APOSTROPHE = "'’ʼ"
HYPHEN = r"\-‐‑"

MARKS = (
    r"!-,./:-@\[-^`{-~\-"  # ASCII without the underscore
    r"\xa1-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7"
    r"\u02bc\u060c\u061b\u061f\u06d4\u0964\u0965"
    r"\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2122\u2190-\u2bff"
    r"\u3001-\u3004\u3008-\u3020\u3030\u303d"
    r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3e\uff40\uff5b-\uff65"
    r"\U0001f000-\U0001faff"
)
"""Punctuation and symbols. Everything else makes words, so no script needs a list of its letters.
"""

WORD = rf"[^{GAP}{MARKS}]"
"""One character of a word: letters, digits, combining marks, underscores."""

OPENERS = {"(": ")", "[": "]", "{": "}", "“": "”", "‘": "’", "«": "»", "``": "''", "`": "'"}
OPENERS |= {"„": "“", "‹": "›", "「": "」", "『": "』", "（": "）", "【": "】", "《": "》"}
"""Opening brackets and quotes, and what closes each; `„` is closed by `“` or `”`."""

CLOSERS = frozenset(OPENERS.values()) - {"“"}
STRAIGHT = frozenset("\"'＂")
"""Quotes that are the same at both ends."""

_STOP = re.compile(r"[.!?…‼⁇⁈⁉。！？．｡؟۔।]+")
_SEPARATORS = frozenset(",;:/|·•،؛、，；：") | frozenset("-–—―‐‑")
_DASHES = re.compile(r"[-–—―‐‑]+")


def is_word(text: str) -> bool:
    """Whether a token contains a letter or a digit."""
    return text.isalnum() or any(character.isalnum() for character in text)


def is_stop(text: str) -> bool:
    """Whether a token ends a sentence: `.`, `?!`, `...`, `。`."""
    return not text.isalnum() and _STOP.fullmatch(text) is not None


def is_dash(text: str) -> bool:
    """Whether a token is a dash of any length, including the spaced hyphen."""
    return _DASHES.fullmatch(text) is not None


def is_separator(text: str) -> bool:
    """Whether a token only separates others and is useless without them: `,` `;` `--` `/`."""
    return text in _SEPARATORS or is_dash(text)

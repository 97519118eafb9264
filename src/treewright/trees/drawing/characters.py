"""How wide text is, and which of its characters can be shown."""

from __future__ import annotations

import re
import unicodedata

_NARROW = frozenset("iIjl|.,:;!'`’‘·")
_SLIM = frozenset('frt()[]{}/\\-"“”*° ')
_BROAD = frozenset("mwMW@%&—…")
_UNSEEN = re.compile(
    # Control characters, those that change the direction of text, and what XML cannot hold.
    "[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def shown(text: str, most: int = 0) -> str:
    """Return text that is safe to draw, cut to `most` characters unless that is 0.

    Control characters become visible symbols: a word must not move a terminal's cursor.
    """
    if most and len(text) > most:
        text = text[: most - 1] + "…"
    return _UNSEEN.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def columns(text: str) -> int:
    """Return how many terminal columns a text takes."""
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def ems(text: str) -> float:
    """Estimate the width of a text in a proportional font, as a multiple of the font's size."""
    return sum(map(_ems, text))


def _ems(character: str) -> float:
    width = _columns(character)
    if width != 1:
        return width / 2
    if character in _NARROW:
        return 0.3
    if character in _SLIM:
        return 0.4
    if character in _BROAD:
        return 0.92
    return 0.7 if character.isupper() else 0.58

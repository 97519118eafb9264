"""How the parser sees an alphabetic word: a form to look up, hashed features of its spelling."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from itertools import groupby

from treewright.trees import unescape

BUCKETS = 1 << 14
"""Rows of the table of spelling features; different features may share one."""

_SAME = {
    "’": "'",
    "‘": "'",
    "`": "'",
    "“": "``",
    "”": "''",
    "„": "``",
    "«": "``",
    "»": "''",
    "…": "...",
    "—": "--",
    "–": "-",
    "―": "--",
}
_REWRITTEN = re.compile("[" + "".join(_SAME) + "]")
_DIGIT = re.compile(r"\d")
LONGEST = 40
"""The most characters of a word to look at, half from each end, so that a word costs little."""


def normal_form(word: str) -> str:
    """Return the form to look up: typographic marks in Penn's form, digits as 0."""
    return _remember(word) if len(word) <= LONGEST else _normalise(word)


def _normalise(word: str) -> str:
    word = unescape(word).replace("\\/", "/").replace("\\*", "*")
    if len(word) > LONGEST:
        word = word[: LONGEST // 2] + word[-LONGEST // 2 :]
    if (word != "``" and not word.isascii()) or word == "`":
        word = _REWRITTEN.sub(lambda match: _SAME[match[0]], word)
    return _DIGIT.sub("0", word)


_remember = lru_cache(maxsize=100_000)(_normalise)


def shape(form: str) -> str:
    """Return the form's outline: `Xx` for Word, `0-x` for 5-year; runs are shortened."""
    return "".join([kind for kind, _ in groupby(map(_kind, form))])


def _kind(character: str) -> str:
    if not character.isalpha():
        return character
    return "X" if character.isupper() else "x" if character.islower() else "o"


def spelling(form: str) -> list[int]:
    """Return the buckets of a normal form's features: itself in lower case, shape, affixes."""
    lower = form.lower()
    features = [f"w{lower}", f"s{shape(form)}"]
    features += [f"p{lower[:size]}" for size in (1, 2, 3, 4) if size <= len(lower)]
    features += [f"e{lower[-size:]}" for size in (1, 2, 3, 4) if size <= len(lower)]
    features += [f"c{form[0]}", f"l{min(len(form), 12)}"]
    padded = f"<{lower}>"
    features += [f"n{padded[i : i + 4]}" for i in range(len(padded) - 3)]
    return sorted(set(map(bucket, features)))


def bucket(feature: str) -> int:
    """Return the row of a spelling feature."""
    return zlib.crc32(feature.encode("utf-8", "replace")) % BUCKETS

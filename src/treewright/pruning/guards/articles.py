"""Articles that fit the next word: `a very old dog` must not become `a old dog`.

Words are never changed, so a wrong article cannot be corrected: whatever would put it before the
wrong word is ruled out.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.gaps import Gaps
from treewright.pruning.guards import _kernels
from treewright.trees import TreeTable

_ARTICLES = {"a": 0, "an": 1}
"""Whether the word after it begins with a vowel sound."""
_SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir)")
_CONSONANT = re.compile(r"u(?:n(?:i(?!n|mp|mm)|an)|s[aeiu]|r[aiou]|t[aeio]|k)|eu|ew|one\b|once\b")
_SPELLED = re.compile(r"[AEFHILMNORSX](?:[A-Z.\d]|\b)")
"""Capitals that are read letter by letter and then begin with a vowel: `an MP`."""
_ACRONYMS = frozenset({"FIFA", "NAFTA", "NASA", "NATO", "SARS", "SWAT"})
_NUMBER = re.compile(r"8|11(?:\D|$)|18(?:\D|$)")


def clashing_gaps(source: TreeTable, gaps: Gaps) -> NDArray[np.bool_]:
    """Return which gaps put an article before a word that needs the other one.

    A gap is judged by the first word of its right end, even if that may be dropped.
    """
    wanted = [-1, *[_ARTICLES.get(word, -1) for word in source.lower[:-1]]]
    if max(wanted) < 0:
        return np.zeros(len(gaps.parent), dtype=np.bool_)
    sounds = [begins_with_vowel(word) for word in source.words]
    clashing: NDArray[np.bool_] = _kernels.clashing_gaps(
        gaps[:],
        source.arrays[:],
        np.array(wanted, dtype=np.int8),
        np.array(sounds, dtype=np.int8),
    )
    return clashing


@lru_cache(maxsize=1 << 14)
def begins_with_vowel(word: str) -> bool:
    """Whether a word sounds as if it begins with a vowel; a guess by its letters."""
    if word[0].isdigit():
        return _NUMBER.match(word) is not None
    if word in _ACRONYMS:
        return False
    if word.isupper() and len(word) > 1:
        return _SPELLED.match(word) is not None
    lower = word.lower()
    if _SILENT_H.match(lower):
        return True
    return lower[0] in "aeiou" and _CONSONANT.match(lower) is None

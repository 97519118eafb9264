"""Where Penn treebanks cut one written word into two: `do|n't`, `it|'s`, `can|not`."""

from __future__ import annotations

import re

from treewright.text.characters import APOSTROPHE
from treewright.trees import word_set

_FUSED = {"cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3, "lemme": 3, "gimme": 3}

FUSED = {
    form: cut for word, cut in _FUSED.items() for form in (word, word.capitalize(), word.upper())
}
"""Words of letters alone that are cut, and where."""

CLITIC = rf"(?:[nN][{APOSTROPHE}][tT]|[{APOSTROPHE}](?:[sSdDmM]|re|ve|ll|RE|VE|LL))"
"""What is cut off the end of a word."""

_ENDING = re.compile(rf"(?<=.){CLITIC}\Z")
_CLITIC = re.compile(CLITIC)
_DROPPED_G = word_set(
    "ain bein bringin callin comin doin drinkin drivin dunkin eatin fallin feelin fightin"
    " gettin givin goin havin hittin holdin keepin killin knowin leavin lettin livin lookin"
    " losin lovin makin movin nothin playin puttin readin ridin rockin rollin runnin sayin seein"
    " sellin singin sittin sleepin somethin standin startin stayin swingin takin talkin tellin"
    " thinkin tryin turnin usin waitin walkin wantin watchin winnin workin ol an th"
)
_NEGATED = word_set(
    "do does did is are was were has have had ca could wo would should must need might may sha"
    " ought dare ai"
)


def cut_contraction(word: str) -> list[int]:
    """Return the positions inside `word` where it is cut, from left to right; often none."""
    cuts: list[int] = []
    end = len(word)
    while found := _ENDING.search(word, max(0, end - 4), end):
        end = found.start()
        cuts.append(end)
    return cuts[::-1]


def is_clitic(text: str) -> bool:
    """Whether a token is the cut-off end of a contraction: `'s`, `n't`."""
    return _CLITIC.fullmatch(text) is not None


def drops_g(word: str) -> bool:
    """Whether an apostrophe after `word` is part of it, as in `goin'`, not a closing quote."""
    return word.lower() in _DROPPED_G


def takes_clitic(word: str, clitic: str) -> bool:
    """Whether `clitic` can be attached to `word`; `n't` attaches only to certain verbs."""
    return clitic[0] not in "nN" or word.lower() in _NEGATED

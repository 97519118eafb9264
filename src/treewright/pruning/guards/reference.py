"""A pronoun does not stay as a subject without what it refers to.

Of `dogs are welcome, but they must be on a lead`, the second clause alone says nothing about dogs.
Other pronouns may be left alone, but readers seldom like it: what they accept is learned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.arrays import Bools
from treewright.pruning.gaps import Gaps
from treewright.pruning.guards.nouns import TIMES
from treewright.trees import TreeTable, word_set

_PEOPLE = word_set("he she")
_THING = word_set("it")
_SEVERAL = word_set("they")
_POINTING = word_set("these those such")
_REFERRING = _PEOPLE | _THING | _SEVERAL | _POINTING
_FINITE = word_set("VBD VBZ VBP MD")
_PLURAL = word_set("NNS NNPS")
_SINGULAR = word_set("NN NNP")
_PEOPLE_NOUNS = word_set(
    "actor actress artist aunt author baby boss boy brother candidate captain chairman chancellor"
    " chief coach colleague commander daughter defendant director doctor driver employee engineer"
    " father founder friend general girl governor grandfather grandmother guest guy husband judge"
    " king lady landlord lawyer leader man manager mayor minister mother neighbour neighbor nurse"
    " officer owner passenger patient person pilot player poet policeman president prince princess"
    " professor queen scientist secretary senator singer sister soldier son speaker spokesman"
    " spokeswoman student suspect teacher uncle victim visitor waiter widow wife witness woman"
    " worker writer"
)
_WEATHER = word_set("rained rains raining snowed snows snowing")
_ANYONE = word_set("everyone everybody anyone anybody someone somebody nobody whoever")
_CLAUSAL = word_set("S SBAR")
_ANNOUNCING = word_set(
    "is 's was be been being seems seemed appears appeared takes took turns turned becomes became"
    " remains remained makes made follows followed means meant looks feels felt costs cost"
)
_ANNOUNCED = word_set("that whether how why what who to")


_PERSON, _ONE, _MANY = range(3)
_KINDS = (
    dict.fromkeys(word_set("he him his she her hers"), _PERSON)
    | dict.fromkeys(word_set("it its itself"), _ONE)
    | dict.fromkeys(word_set("they them their theirs themselves those these ones both"), _MANY)
)
"""What pronouns refer to."""
_BEGINNING = 4
"""Tokens of a sentence among which a pronoun is looked for that refers to the one before."""
_ALONE = word_set("those these both")
"""Those of them that are pronouns unless something follows that they belong to."""


def orphans(source: TreeTable, kept: Sequence[int]) -> list[int]:
    """Return the places of the pronouns that a version keeps without anything before them that they
    may refer to, by the tokens that it keeps, though the sentence has it.
    """
    if _KINDS.keys().isdisjoint(source.lower):
        return []
    stays = set(kept)
    found: dict[int, int] = {}
    for place in sorted(stays):
        kind = _KINDS.get(source.lower[place])
        if kind is None or kind in found or not _is_pronoun(source, place):
            continue
        before = [at for at in range(place) if _names(source, kind, at)]
        if before and not _refers_outside(source, kind, before[0]):
            # Any noun that stays may be a person's.
            nouns = [at for at in range(place) if kind == _PERSON and _names(source, _ONE, at)]
            found[kind] = place if stays.isdisjoint([*before, *nouns]) else -1
    return [place for place in found.values() if place >= 0]


def leans(source: TreeTable) -> bool:
    """Whether a sentence begins with a pronoun for something that was said before it."""
    for place, word in enumerate(source.lower[:_BEGINNING]):
        kind = _KINDS.get(word)
        if kind is not None and _is_pronoun(source, place):
            return not any(_names(source, kind, at) for at in range(place))
    return False


def _is_pronoun(source: TreeTable, place: int) -> bool:
    word = source.lower[place]
    behind = source.labels[source.leaves[place + 1]] if place + 1 < len(source.leaves) else ""
    if word in _ALONE:
        return behind[:2] not in ("NN", "JJ", "CD", "WP", "IN", "VB")
    if word in _THING:
        # Not `it is clear that …` or `found it hard to say`.
        return _is_subject(source, place) if behind in _FINITE else behind[:2] not in ("JJ", "IN")
    return True


def _names(source: TreeTable, kind: int, at: int) -> bool:
    """Whether a pronoun of some kind may refer to what stands there."""
    word, tag = source.lower[at], source.labels[source.leaves[at]]
    if kind == _PERSON:
        return tag == "NNP" or word in _PEOPLE_NOUNS
    return tag in (_PLURAL if kind == _MANY else _SINGULAR) and word not in TIMES


def _refers_outside(source: TreeTable, kind: int, first: int) -> bool:
    """Whether a pronoun of some kind comes before all that it may refer to."""
    return any(_KINDS.get(word) == kind for word in source.lower[:first])


def orphaning_gaps(source: TreeTable, gaps: Gaps) -> Bools:
    """Return which gaps drop all that a pronoun may refer to, at the beginning of a phrase, and
    keep the clause whose subject it is.
    """
    orphaning = np.zeros(len(gaps.parent), dtype=np.bool_)
    if _REFERRING.isdisjoint(source.lower):
        return orphaning
    for place, word in enumerate(source.lower):
        if word in _REFERRING and _is_subject(source, place):
            _close(source, gaps, place, orphaning)
    return orphaning


def _is_subject(source: TreeTable, place: int) -> bool:
    """Whether the word begins the subject of a finite verb; `it` in `it is clear that …` refers to
    nothing.
    """
    leaf = source.leaves[place]
    node = leaf
    while node and source.left[source.parent[node]] == place and source.labels[node] != "NP":
        node = source.parent[node]
    if source.labels[node] != "NP":
        return False
    behind = source.children[source.parent[node]][source.place[node] + 1 :]
    predicate = [x for x in behind if source.labels[x] == "VP" or source.labels[x] in _FINITE]
    if not predicate:
        return False
    return source.lower[place] not in _THING or not _announces(source, predicate[0])


def _is_told(source: TreeTable, start: int, end: int) -> bool:
    """Whether a stretch has a finite verb: what `in court` names is hardly meant by `he`."""
    return any(source.labels[source.leaves[at]] in _FINITE for at in range(start, end))


def _announces(source: TreeTable, predicate: int) -> bool:
    """Whether a predicate has a clause that `it` stands for, or is about the weather."""
    start, end = source.left[predicate], source.right[predicate]
    if not _WEATHER.isdisjoint(source.lower[start:end]):
        return True
    if _ANNOUNCING.isdisjoint(source.lower[start:end]):
        return False
    below = range(predicate + 1, source.arrays.end[predicate])
    return any(
        source.labels[x] in _CLAUSAL and source.lower[source.left[x]] in _ANNOUNCED for x in below
    )


def _close(source: TreeTable, gaps: Gaps, place: int, orphaning: Bools) -> None:
    node = source.leaves[place]
    word = source.lower[place]
    while node:
        above = source.parent[node]
        start, end = source.left[above], source.left[node]
        if start < end and _refers(source, word, range(start, end)):
            told = _is_told(source, start, end)
            if told and not _refers(source, word, [*range(start), *range(end, place)]):
                own = slice(gaps.pointer[above], gaps.pointer[above + 1])
                orphaning[own] |= (gaps.left[own] < 0) & (gaps.right[own] == node)
            return
        node = above


def _refers(source: TreeTable, word: str, places: range | list[int]) -> bool:
    """Whether a word may refer to something that stands at one of these places.

    If the same pronoun comes first there, what it refers to stands outside the sentence.
    """
    if word in _POINTING:
        return any(source.labels[source.leaves[at]] in _FINITE for at in places)
    wanted = _PLURAL if word in _SEVERAL else _SINGULAR
    for at in places:
        other, tag = source.lower[at], source.labels[source.leaves[at]]
        named = word not in _PEOPLE or tag == "NNP" or other in _PEOPLE_NOUNS
        if tag in wanted and named and other not in TIMES:
            return True
        if word not in _THING and other in _ANYONE:
            return True
        if other == word and _is_subject(source, at):
            return False
    return False

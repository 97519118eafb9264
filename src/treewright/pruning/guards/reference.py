"""A pronoun stays only with something that it may stand for.

Of `dogs are welcome, but they must be on a lead`, the second clause alone says nothing about dogs;
nor does `a postman has agreed to sell it` say what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from treewright.pruning.guards.antecedents import (
    FINITE,
    antecedents,
    antecedents_before,
    is_pronoun,
    is_subject,
)
from treewright.pruning.needing import Need
from treewright.trees import TreeTable, word_set

_POINTING = word_set("these those such")
_NAMED_BEFORE = word_set("that such those")
_DETERMINERS = word_set("DT JJ PDT")
_RECENT = 64
"""How many sentences are remembered: those that are guarded together."""
_CONNECTING = word_set("otherwise instead likewise nonetheless nevertheless neither")
_NOT_CONNECTED = word_set("JJ VBN IN RB")
"""What makes `otherwise healthy` and `instead of rain` of them."""
_BEGINNING = 4
"""Tokens of a sentence among which a pronoun is looked for that refers to the one before."""


def orphans(source: TreeTable, kept: Sequence[int]) -> list[int]:
    """Return the places of the pronouns, and of words such as `these`, that a version keeps without
    anything that they may stand for, by the tokens that it keeps, though the sentence has it.
    """
    stays = set(kept)
    return [
        min(need.wanting & stays)
        for need in references(source)
        if not stays.isdisjoint(need.wanting) and stays.isdisjoint(need.wanted)
    ]


@lru_cache(maxsize=_RECENT)
def references(source: TreeTable) -> tuple[Need, ...]:
    """Return what pronouns need, one of the words that they may stand for, and what words such as
    `these` need, something that was told or named before.
    """
    meant: dict[frozenset[int], list[int]] = {}
    for place, words in antecedents(source).items():
        meant.setdefault(words, []).append(place)
    for place, word in enumerate(source.lower):
        if word in _POINTING and _determines(source, place) and is_subject(source, place):
            # `These measures` are what was told before.
            told = [at for at in range(place) if source.labels[source.leaves[at]] in FINITE]
            if told:
                meant.setdefault(frozenset(told), []).append(place)
    for place, words in _named_before(source):
        meant.setdefault(words, []).append(place)
    return tuple([Need(frozenset(places), words) for words, places in meant.items()])


def _determines(source: TreeTable, place: int) -> bool:
    """Whether a word stands before the noun of its phrase."""
    head = source.heads[source.parent[source.leaves[place]]]
    return head > place and source.labels[source.leaves[head]].startswith("NN")


def _named_before(source: TreeTable) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield where something is that was named before, `that interest`, and where it was named."""
    for place, word in enumerate(source.lower):
        tag = source.labels[source.leaves[place]]
        if word not in _NAMED_BEFORE or tag not in _DETERMINERS:
            continue
        noun = source.heads[source.parent[source.leaves[place]]]
        same = [at for at in range(place) if _plain(source, at) == _plain(source, noun)]
        if same and noun > place:
            yield place, frozenset(same)


def _plain(source: TreeTable, at: int) -> str:
    return source.lower[at].removesuffix("s")


def references_from(source: TreeTable, after: TreeTable) -> tuple[Need, ...]:
    """Return what pronouns of the next sentence need of this one, if anything of it stays."""
    everything = frozenset(range(len(source.words)))
    return tuple([Need(everything, words) for words in antecedents_before(source, after)])


def leans(source: TreeTable) -> bool:
    """Whether a sentence begins with a pronoun for something that was said before it, or with
    `otherwise` or the like.
    """
    if _connects(source):
        return True
    beginning = range(min(_BEGINNING, len(source.words)))
    first = next((place for place in beginning if is_pronoun(source, place)), None)
    return first is not None and first not in antecedents(source)


def _connects(source: TreeTable) -> bool:
    """Whether a sentence begins with what joins it to the one before: `neither was true`, but not
    `neither Ann nor Bob` or `otherwise healthy people`.
    """
    if len(source.words) < 2 or source.lower[0] not in _CONNECTING:
        return False
    return source.labels[source.leaves[1]] not in _NOT_CONNECTED and "nor" not in source.lower

"""Putting another verb in the place of a phrase's verb: `fell to` → `dropped to`."""

from __future__ import annotations

from typing import NamedTuple

from treewright.paraphrase.phrases import BE, HAVE, Phrase
from treewright.paraphrase.space import Space

AUXILIARIES = BE | HAVE
MOST = 60
"""Phrases of a verb that are considered, the most frequent ones."""
KEPT = 4
"""The best of them that are candidates."""

EXACT, SAME_CORE, ELSEWHERE = 1.0, 0.95, 0.5
"""What fit a phrase has that differs in the verb only; in what stands before it too; otherwise."""


class Realised(NamedTuple):
    """A phrase, and how well it fits the place of another."""

    phrase: Phrase
    fit: float


def realisations(wanted: Phrase, row: str, space: Space) -> list[Realised]:
    """Return the phrases of a row that fit the place of `wanted` best, of the same polarity.

    A phrase with the inflection and the following words of `wanted`, but other words before it, is
    given those of `wanted`.
    """
    found = []
    for number in space.phrases_of_row.get(row, ())[:MOST]:
        phrase = space.phrases[number].phrase
        if phrase.is_negative == wanted.is_negative:
            found.append(Realised(phrase, _fit(phrase, wanted)))
    found.sort(key=lambda realised: -realised.fit)
    return [_adapted(realised, wanted) for realised in found[:KEPT]]


def _fit(phrase: Phrase, wanted: Phrase) -> float:
    """How well a phrase fits, by the share of what surrounds the verb that is the same."""
    same_inflection = _same_inflection(phrase, wanted)
    same_after = phrase.after == wanted.after
    same_before = phrase.before == wanted.before
    if same_inflection and same_after:
        return EXACT if same_before else SAME_CORE
    return ELSEWHERE * (1 + 2 * same_inflection + 2 * same_after + same_before) / 6


def _adapted(realised: Realised, wanted: Phrase) -> Realised:
    phrase, fit = realised
    if fit != SAME_CORE:
        return realised
    words = wanted.before + phrase.words[phrase.main :]
    tags = wanted.tags[: wanted.main] + phrase.tags[phrase.main :]
    return Realised(Phrase(words, tags), fit)


def _same_inflection(phrase: Phrase, wanted: Phrase) -> bool:
    one, other = phrase.tags[phrase.main], wanted.tags[wanted.main]
    if one == other or {one, other} == {"VB", "VBP"}:
        return True
    if {one, other} != {"VBD", "VBN"}:
        return False
    return AUXILIARIES.isdisjoint(phrase.before) and AUXILIARIES.isdisjoint(wanted.before)

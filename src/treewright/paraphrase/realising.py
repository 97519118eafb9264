"""Putting another verb in the place of a phrase's verb: `fell to` → `dropped to`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from treewright.paraphrase.phrases import BE, HAVE, Phrase
from treewright.paraphrase.space import Space

MOST = 300
"""Phrases of a verb that are considered, the most frequent ones."""

EXACT, SAME_CORE, ELSEWHERE = 1.0, 0.95, 0.5
"""What fit a phrase has that differs in the verb only; in what stands before it too; otherwise."""


class Realised(NamedTuple):
    """A phrase, and how well it fits the place of another."""

    phrase: Phrase
    fit: float


def realisations(wanted: Phrase, row: str, space: Space) -> Iterator[Realised]:
    """Yield the phrases of a row for the place of `wanted`, in order of frequency.

    A phrase with the inflection and the following words of `wanted`, but other words before it, is
    given those of `wanted`.
    """
    for number in space.phrases_of_row.get(row, ())[:MOST]:
        phrase = space.phrases[number].phrase
        if phrase.is_negative != wanted.is_negative:
            continue
        if not (_same_inflection(phrase, wanted) and phrase.after == wanted.after):
            yield Realised(phrase, ELSEWHERE * _overlap(phrase, wanted))
        elif phrase.before == wanted.before:
            yield Realised(phrase, EXACT)
        else:
            words = wanted.before + phrase.words[phrase.main :]
            tags = wanted.tags[: wanted.main] + phrase.tags[phrase.main :]
            yield Realised(Phrase(words, tags), SAME_CORE)


def _same_inflection(phrase: Phrase, wanted: Phrase) -> bool:
    one, other = phrase.tags[phrase.main], wanted.tags[wanted.main]
    if one == other or {one, other} == {"VB", "VBP"}:
        return True
    bare = (BE | HAVE).isdisjoint(phrase.before + wanted.before)
    return bare and {one, other} == {"VBD", "VBN"}


def _overlap(phrase: Phrase, wanted: Phrase) -> float:
    """The share of what surrounds a verb that two phrases have in common."""
    same = (
        2 * _same_inflection(phrase, wanted)
        + 2 * (phrase.after == wanted.after)
        + (phrase.before == wanted.before)
    )
    return (1 + same) / 6


def best_realisation(wanted: Phrase, row: str, space: Space) -> Realised | None:
    """Return the phrase of a row that fits best, the most frequent of equally good ones."""
    found = list(realisations(wanted, row, space))
    return max(found, key=lambda realised: realised.fit) if found else None

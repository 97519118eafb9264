"""Distributional classes: a name that does what guards do is taken for a guard.

The slots that the names of a class fill, and those that the noun itself fills (`the team scored`),
say what the class does. Names are compared with that, whether the text calls them something or not.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from treewright.propositions.classes import ClassTable
from treewright.propositions.gathering import Key
from treewright.propositions.nominals import Kind
from treewright.propositions.structures import sequences_of

_SMOOTHING = 50.0
"""Prior uses of each class, spread by how often slots are filled at all."""
_LEAST = 20
"""Uses that a class must have before names are compared with it."""
_EVIDENCE = 8.0
"""So many uses of a name speak fully; more are counted as so many, since uses repeat each other."""
_SHARE = 5.0
"""The most uses that one name adds to those of its classes."""
_MOST = 3


def filled_slots(
    instances: Mapping[Key, int], table: ClassTable
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """Return how often each name, and each common noun, fills each slot."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    nouns: dict[str, Counter[str]] = defaultdict(Counter)
    for (shape, words, kinds), number in instances.items():
        if shape in ("NVN", "NVPN", "VNPN", "possession"):
            for slot, place in _slots(shape, words):
                if kinds[place] is Kind.NAME:
                    names[table.name(words[place])][slot] += number
                elif kinds[place] is Kind.NOUN:
                    nouns[words[place]][slot] += number
    return names, nouns


def _slots(shape: str, words: Iterable[str]) -> Iterator[tuple[str, int]]:
    for sequence, place in sequences_of("slots", shape, list(words)):
        if len(sequence) == 2:
            yield sequence[0], place


def likely_classes(instances: Mapping[Key, int], table: ClassTable) -> dict[str, dict[str, float]]:
    """Return the likeliest classes of names by the slots they fill, with their probabilities."""
    names, nouns = filled_slots(instances, table)
    uses = _uses_of_classes(names, nouns, table)
    if not uses:
        return {}
    slots: Counter[str] = Counter()
    for counts in names.values():
        slots.update(counts)
    whole = sum(slots.values())
    totals = {noun: sum(counts.values()) for noun, counts in uses.items()}
    priors = _priors(uses, nouns, table)
    found = {}
    for name, filled in names.items():
        number = sum(filled.values())
        weight = min(1.0, _EVIDENCE / number)
        scores = {
            noun: priors[noun] + weight * _fit(filled, counts, totals[noun], slots, whole)
            for noun, counts in uses.items()
        }
        found[name] = _shares(scores)
    return found


def _uses_of_classes(
    names: Mapping[str, Counter[str]], nouns: Mapping[str, Counter[str]], table: ClassTable
) -> dict[str, dict[str, float]]:
    uses: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for name, classes in table.counts.items():
        filled = names.get(name, Counter())
        # What a busy name does is not what its class does.
        weight = min(1.0, _SHARE / max(filled.total(), 1)) / sum(classes.values())
        for noun, number in classes.items():
            for slot, times in filled.items():
                uses[noun][slot] += times * number * weight
    for noun in list(uses):
        for slot, times in nouns.get(noun, {}).items():
            uses[noun][slot] += times
    return {noun: slots for noun, slots in uses.items() if sum(slots.values()) >= _LEAST}


def _priors(
    classes: Iterable[str], nouns: Mapping[str, Counter[str]], table: ClassTable
) -> dict[str, float]:
    """Return log-priors of classes: by the number of names they have and by the noun's own uses,
    so that a class of a few busy names is not preferred.
    """
    names = Counter(noun for found in table.counts.values() for noun in found)
    return {noun: math.log(names[noun] + nouns[noun].total()) for noun in classes}


def _fit(
    filled: Mapping[str, int],
    counts: Mapping[str, float],
    total: float,
    slots: Mapping[str, int],
    whole: int,
) -> float:
    score = 0.0
    for slot, times in filled.items():
        prior = _SMOOTHING * slots[slot] / whole
        score += times * math.log((counts.get(slot, 0.0) + prior) / (total + _SMOOTHING))
    return score


def _shares(scores: Mapping[str, float]) -> dict[str, float]:
    best = sorted(scores, key=lambda noun: (-scores[noun], noun))[:_MOST]
    weights = {noun: math.exp(scores[noun] - scores[best[0]]) for noun in best}
    total = sum(weights.values())
    return {noun: weight / total for noun, weight in weights.items()}

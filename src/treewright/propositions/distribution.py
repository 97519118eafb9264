"""Distributional classes: a name that does what guards do is taken for a guard.

The slots that the names of a class fill, and those that the noun itself fills (`the team scored`),
say what the class does. Names are compared with that, whether the text calls them something or not.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from treewright.propositions.chain import sequences_of
from treewright.propositions.classes import ClassTable
from treewright.propositions.gathering import Key
from treewright.propositions.sentence import Kind

_SMOOTHING = 50.0
"""Prior uses of each class, spread by how often slots are filled at all."""
_LEAST = 20
"""Uses that a class must have before names are compared with it."""
_EVIDENCE = 8.0
"""So many uses of a name speak fully; more are counted as so many, since uses repeat each other."""
_SHARE = 5.0
"""The most uses that one name adds to those of its classes."""
_MOST = 3
_ROUNDS = 2


def filled_slots(
    instances: Mapping[Key, int], table: ClassTable
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """Return how often each name, and each common noun, fills each slot."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    nouns: dict[str, Counter[str]] = defaultdict(Counter)
    for (shape, words, kinds), number in instances.items():
        if shape in ("NVN", "NVPN", "VNPN", "possession"):
            for (slot, *filled), place in sequences_of("slots", shape, words):
                if filled and kinds[place] is Kind.NAME:
                    names[table.name(words[place])][slot] += number
                elif filled and kinds[place] is Kind.NOUN:
                    nouns[words[place]][slot] += number
    return names, nouns


def likely_classes(
    instances: Mapping[Key, int], table: ClassTable, articles: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """Return the likeliest classes of names by the slots they fill and how often an article
    precedes them, with their probabilities.

    What is found for names that the text calls nothing says in turn what their classes do.
    """
    names, nouns = filled_slots(instances, table)
    found: dict[str, dict[str, float]] = {}
    for _ in range(_ROUNDS):
        called = {**found, **table.counts}
        uses = _uses_of_classes(names, nouns, called)
        if not uses:
            return {}
        found = _compared(names, uses, _priors(uses, nouns, called), _Articles(called, articles))
    return found


def _compared(
    names: Mapping[str, Counter[str]],
    uses: Mapping[str, Mapping[str, float]],
    priors: Mapping[str, float],
    articles: _Articles,
) -> dict[str, dict[str, float]]:
    slots: Counter[str] = Counter()
    for counts in names.values():
        slots.update(counts)
    whole = sum(slots.values())
    totals = {noun: sum(counts.values()) for noun, counts in uses.items()}
    found = {}
    for name, filled in names.items():
        number = sum(filled.values())
        weight = min(1.0, _EVIDENCE / number)
        scores = {
            noun: priors[noun]
            + weight * _fit(filled, counts, totals[noun], slots, whole)
            + weight * number * articles.fit(name, noun)
            for noun, counts in uses.items()
        }
        found[name] = _shares(scores)
    return found


class _Articles:
    """How often an article precedes the names of each class: `the Rams`, but not `the Young`."""

    def __init__(
        self, called: Mapping[str, Mapping[str, float]], articles: Mapping[str, float]
    ) -> None:
        self._articles = articles
        self._with: dict[str, float] = defaultdict(float)
        self._names: dict[str, float] = defaultdict(float)
        for name, classes in called.items():
            whole = sum(classes.values())
            for noun, number in classes.items():
                self._with[noun] += articles.get(name, 0.0) * number / whole
                self._names[noun] += number / whole

    def fit(self, name: str, noun: str) -> float:
        """Return the log-probability that a mention of a name has, or lacks, an article."""
        chance = (self._with[noun] + 1.0) / (self._names[noun] + 2.0)
        share = self._articles.get(name, 0.0)
        return share * math.log(chance) + (1.0 - share) * math.log(1.0 - chance)


def _uses_of_classes(
    names: Mapping[str, Counter[str]],
    nouns: Mapping[str, Counter[str]],
    called: Mapping[str, Mapping[str, float]],
) -> dict[str, dict[str, float]]:
    uses: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for name, classes in called.items():
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
    classes: Iterable[str],
    nouns: Mapping[str, Counter[str]],
    called: Mapping[str, Mapping[str, float]],
) -> dict[str, float]:
    """Return log-priors of classes: by the number of names they have and by the noun's own uses,
    so that a class of a few busy names is not preferred.
    """
    names: dict[str, float] = defaultdict(float)
    for found in called.values():
        whole = sum(found.values())
        for noun, number in found.items():
            names[noun] += number / whole
    return {noun: math.log(names[noun] + nouns[noun].total() + 1.0) for noun in classes}


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

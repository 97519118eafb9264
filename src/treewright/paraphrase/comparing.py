"""Comparing two phrases: does one follow from the other, and which verbs can stand for a verb?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright.arrays import Ints, Singles
from treewright.paraphrase.contexts import Contexts, Sentence
from treewright.paraphrase.model import ParaphraseModel
from treewright.paraphrase.phrases import Phrase
from treewright.paraphrase.pivoting import PivotModel
from treewright.paraphrase.reading import Read

PASSIVE = "|passive"
_SAME_AFTER, _OTHER_SIDE = 2.0, 0.25
"""Factors: the same preposition; arguments whose places the phrases do not exchange."""
_CONTEXT = 0.3
"""The share of similarity that does not depend on the sentence."""


@dataclass(frozen=True, eq=False)
class PhraseComparison:
    """Compares phrases by a model whose rows are verbs."""

    model: ParaphraseModel
    pivots: PivotModel | None = None
    """Adds what translations say to the substitutes of verbs."""

    @cached_property
    def _pivot_verbs(self) -> dict[str, dict[str, float]]:
        """How strongly translations link verbs, in all their forms."""
        found: dict[str, dict[str, float]] = {}
        if self.pivots is None:
            return found
        start, other, value = self.pivots.table
        lemmas = [known.phrase.lemma for known in self.pivots.phrases]
        for number, known in enumerate(self.pivots.phrases):
            of_verb = found.setdefault(lemmas[number], {})
            for entry in range(start[number], start[number + 1]):
                verb = lemmas[other[entry]]
                of_verb[verb] = of_verb.get(verb, 0.0) + float(value[entry]) * known.count
        return found

    def entailment(self, one: Phrase, other: Phrase, *, swapped: bool = False) -> float:
        """Return how likely *x one y* means *x other y*, or *y other x* if they are `swapped`."""
        if one.is_negative != other.is_negative:
            return 0.0
        exchanged = one.is_passive != other.is_passive
        score = self._similarity(one, other)
        if exchanged != swapped:
            score *= _OTHER_SIDE
        if _preposition(one) == _preposition(other):
            score *= _SAME_AFTER
        return score

    def _similarity(self, one: Phrase, other: Phrase) -> float:
        space = self.model.space
        if one.verb == other.verb:
            return 1.0
        rows = [
            space.row_numbers.get(phrase.verb + voice)
            for phrase in (one, other)
            for voice in ("", PASSIVE)
        ]
        pairs = [(rows[0], rows[2]), (rows[1], rows[3])]
        found = [
            float(_dot(space.vector(a), space.vector(b)))
            for a, b in pairs
            if a is not None and b is not None
        ]
        return max(found, default=0.0)

    def substitutes(self, read: Read, place: int, lemma: str, k: int = 10) -> list[str]:
        """Return lemmas that can stand for a verb in a sentence, best first.

        Similar verbs, without antonyms, are weighed by how well they go with what surrounds this
        one.
        """
        space = self.model.space
        around = self._around(read, place)
        best: dict[str, float] = {}
        for name in (lemma, lemma + PASSIVE):
            row = space.row_numbers.get(name)
            if row is None:
                continue
            scores = space.similarities(row) * (_CONTEXT + around)
            scores[space.row_counts < space.settings.min_count] = 0
            for other in np.argsort(-scores, kind="stable")[: 5 * k].tolist():
                verb = space.rows[other].removesuffix(PASSIVE)
                if verb.split()[0] != lemma:
                    best[verb] = max(best.get(verb, 0.0), float(scores[other]))
        linked = dict(self._pivot_verbs.get(lemma, {}))
        linked.pop(lemma, None)
        top, most = max(best.values(), default=1.0), max(linked.values(), default=1.0)
        for verb, value in linked.items():
            best[verb] = best.get(verb, 0.0) + top * math.sqrt(value / most)
        kept = [verb for verb in best if not space.antonyms.are(verb, lemma)]
        return sorted(kept, key=lambda verb: -best[verb])[:k]

    def _around(self, read: Read, place: int) -> Singles:
        """How much each row has of the contexts of a word."""
        space = self.model.space
        found = np.zeros(len(space.rows), np.float32)
        sentence = Sentence.of(read)
        start, row, value = space.weights
        for context in Contexts(space.settings).of(sentence, place, place + 1, place):
            number = space.context_numbers.get(context)
            if number is not None:
                span = slice(start[number], start[number + 1])
                found[row[span]] += value[span]
        return found


def _preposition(phrase: Phrase) -> Sequence[str]:
    return () if phrase.is_passive and phrase.after == ("by",) else phrase.after


def _dot(one: tuple[Ints, Singles], other: tuple[Ints, Singles]) -> float:
    _, first, second = np.intersect1d(one[0], other[0], assume_unique=True, return_indices=True)
    return float(one[1][first] @ other[1][second])

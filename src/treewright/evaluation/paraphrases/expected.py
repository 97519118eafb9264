"""Scores of ranked paraphrases, of entailments between phrases, and of substitutes of words.

Coverage and expected precision at k are those of Metzler et al. (2011, § 3.2–3.4): E[p@k] = (1/k)
Σ_{i ≤ k} p_i, where p_i is the share of positive judgements of the item at rank i; a missing item
counts 0, and so does a repeated one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

DEPTHS = (1, 5, 10)
MEASURES = ("lenient", "strict", "lenient_nr", "strict_nr")
"""With and without (`nr`) items that repeat the main verb."""


class Judged(NamedTuple):
    """How one paraphrase was judged: shares of positive judgements, and whether it is redundant."""

    lenient: float
    strict: float
    is_redundant: bool = False


Judge = Callable[[str, str], Judged]
"""Judges a phrase and its paraphrase."""


@dataclass(frozen=True)
class ParaphraseScores:
    """Sums over phrases; the mean is over covered phrases, as in the paper, or over all."""

    phrases: int
    covered: int
    items: int
    redundant: int
    sums: Mapping[tuple[str, int], float]

    @property
    def coverage(self) -> float:
        """The share of phrases with a paraphrase."""
        return self.covered / self.phrases if self.phrases else 0.0

    @property
    def redundancy(self) -> float:
        """The share of items that repeat the main verb."""
        return self.redundant / self.items if self.items else 0.0

    def precision(self, measure: str, k: int, *, over_all: bool = False) -> float:
        """Return the mean of E[p@k]."""
        count = self.phrases if over_all else self.covered
        return self.sums[measure, k] / count if count else 0.0

    def to_dict(self) -> dict[str, float]:
        """Return all figures by name; `_all` means over all phrases."""
        found: dict[str, float] = {
            "phrases": self.phrases,
            "coverage": self.coverage,
            "items": self.items,
            "redundant": self.redundancy,
        }
        for measure, k in self.sums:
            found[f"{measure}@{k}"] = self.precision(measure, k)
            found[f"{measure}@{k}_all"] = self.precision(measure, k, over_all=True)
        return found


def score_paraphrases(
    output: Mapping[str, Sequence[str]],
    phrases: Sequence[str],
    judge: Judge,
    depths: Sequence[int] = DEPTHS,
) -> ParaphraseScores:
    """Score ranked paraphrases; `output` is by phrase in lower case, best first."""
    sums = {(measure, k): 0.0 for measure in MEASURES for k in depths}
    covered = items = redundant = 0
    for phrase in phrases:
        ranked = output.get(phrase.lower(), ())
        judged = _judged(phrase, ranked[: max(depths)], judge)
        covered += bool(ranked)
        items += len(judged)
        redundant += sum(item.is_redundant for item in judged)
        for k in depths:
            first = judged[:k]
            other = [item for item in first if not item.is_redundant]
            sums["lenient", k] += sum(item.lenient for item in first) / k
            sums["strict", k] += sum(item.strict for item in first) / k
            sums["lenient_nr", k] += sum(item.lenient for item in other) / k
            sums["strict_nr", k] += sum(item.strict for item in other) / k
    return ParaphraseScores(len(phrases), covered, items, redundant, sums)


def _judged(phrase: str, ranked: Sequence[str], judge: Judge) -> list[Judged]:
    found = []
    seen = {phrase.lower()}
    for text in ranked:
        judged = judge(phrase, text)
        if text.lower() in seen:
            judged = Judged(0.0, 0.0, judged.is_redundant)
        seen.add(text.lower())
        found.append(judged)
    return found


def average_precision(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return the average precision of scores with what is true; equal scores are one block."""
    blocks: dict[float, list[bool]] = {}
    for score, is_true in pairs:
        blocks.setdefault(score, []).append(is_true)
    seen = hits = 0
    total = 0.0
    for score in sorted(blocks, reverse=True):
        block = blocks[score]
        seen += len(block)
        hits += sum(block)
        total += sum(block) * hits / seen
    return total / hits if hits else 0.0


def precision_of_best(pairs: Sequence[tuple[float, bool]], share: float = 0.1) -> float:
    """Return how many are true among the share of pairs with the best scores."""
    count = int(len(pairs) * share)
    best = sorted(pairs, key=lambda pair: -pair[0])[:count]
    return sum(is_true for _, is_true in best) / count if count else 0.0


def substitution_scores(
    given: Mapping[str, Sequence[str]], gold: Mapping[str, Mapping[str, int]], k: int = 10
) -> tuple[float, float]:
    """Return `oot` and `best` of SemEval-2007 task 10: the share of the annotators' choices among
    the first `k` substitutes and in the first one, the mean over all targets.
    """
    oot = best = 0.0
    for name, weights in gold.items():
        total = sum(weights.values())
        guesses = list(given.get(name, ()))
        oot += sum(weights.get(guess, 0) for guess in dict.fromkeys(guesses[:k])) / total
        best += weights.get(guesses[0], 0) / total if guesses else 0.0
    count = len(gold)
    return (oot / count, best / count) if count else (0.0, 0.0)

"""Scores of entailments between phrases, and of substitutes of words in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


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

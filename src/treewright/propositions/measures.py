"""The paper's measures of propositions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treewright.lm import LanguageModel


class Spread(NamedTuple):
    """How far propositions generalise, and how evenly they cover the instances."""

    generalization: float
    entropy: float
    best_entropy: float
    number: int
    distinct: int


def spread(propositions: Iterable[tuple[str, ...]]) -> Spread:
    """Return generalisation (equation 2), normalised entropy (equation 3) and the lowest entropy
    that so many distinct propositions can have.
    """
    counts = Counter(propositions)
    number, distinct = sum(counts.values()), len(counts)
    entropy = 0.0
    if distinct > 1:
        shares = [times / number for times in counts.values()]
        entropy = -sum(share * math.log(share) for share in shares) / math.log(distinct)
    general = 1.0 - distinct / number if number else 0.0
    return Spread(general, entropy, best_entropy(number, distinct), number, distinct)


def best_entropy(number: int, distinct: int) -> float:
    """Return the normalised entropy if all propositions but one have a single instance."""
    if distinct < 2:
        return 0.0
    large = (number - distinct + 1) / number
    rest = (distinct - 1) / number * math.log(number)
    return (rest - large * math.log(large)) / math.log(distinct)


def perplexity(propositions: Sequence[Sequence[str]], model: LanguageModel) -> float:
    """Return the perplexity per token of propositions written out as sentences, under a language
    model; equation 4 divides by the number of propositions, which would reward short ones.
    """
    found = model.perplexity([" ".join(words).split() for words in propositions])
    return float(found.perplexity)

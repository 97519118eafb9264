"""EM by enumeration: every derivation of every pair, weighed one by one."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from treewright.forest import Forest


def derivations(forest: Forest, node: int) -> Iterator[Counter[int]]:
    """Yield the labels of each derivation of a node, as a bag."""
    for edge in forest.edges(node):
        bags: list[Counter[int]] = [Counter([int(forest.label[edge])])]
        for tail in forest.tails(edge):
            bags = [bag + below for bag in bags for below in derivations(forest, tail)]
        yield from bags


def iterate(
    forests: Sequence[Forest], weights: Sequence[float]
) -> tuple[float, defaultdict[int, float]]:
    """Return the log-likelihood and expected counts, by enumeration."""
    counts: defaultdict[int, float] = defaultdict(float)
    likelihood = 0.0
    for forest in forests:
        bags = list(derivations(forest, forest.root))
        scores = [
            math.exp(sum(weights[rule] * times for rule, times in bag.items())) for bag in bags
        ]
        total = sum(scores)
        likelihood += math.log(total)
        for bag, score in zip(bags, scores, strict=True):
            for rule, times in bag.items():
                counts[rule] += times * score / total
    return likelihood, counts

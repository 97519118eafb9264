"""Small statistics of neighbours and random estimates of what readers accept."""

from __future__ import annotations

from functools import cache

import numpy as np

from treewright.pruning.acceptance import SEAM_FEATURES, Acceptance, Neighbours, SeamWeights
from treewright.trees import parse_tree

from ...grammar.strategies import TAGS, WORDS

Tagged = tuple[list[str], list[str]]

KNOWN_WORDS = ("a", "the", "of")
KNOWN_TAGS = (",", "DT", "IN", "JJ", "N", "NN", "NP", "RB", "V", "VBZ")
MAN = parse_tree(
    "(ROOT (S (NP (DT The) (JJ old) (NN man)) (, ,) (NP (NNP Bo)) (, ,)"
    " (VP (VBD belonged) (PP (TO to) (NP (PRP us)))) (. .)))"
)


def random_sentences(seed: int, number: int = 40) -> list[Tagged]:
    """Return sentences of random words and tags, some of them unknown to the toys."""
    random = np.random.default_rng(seed)
    words, tags = [*KNOWN_WORDS, *WORDS, "dog"], [*KNOWN_TAGS, *TAGS, "PRP"]
    sizes = random.integers(1, 7, number).tolist()
    return [
        (random.choice(words, size).tolist(), random.choice(tags, size).tolist()) for size in sizes
    ]


@cache
def toy_neighbours(seed: int = 0) -> Neighbours:
    """Return statistics of random sentences."""
    return Neighbours.count(random_sentences(seed), KNOWN_WORDS, KNOWN_TAGS, least=2)


def random_acceptance(seed: int = 0) -> Acceptance:
    """Return an estimate of random weights for frequent losses, for every seam and some tags."""
    random = np.random.default_rng(seed)
    names = [("label", tag) for tag in KNOWN_TAGS] + [("size", str(n)) for n in range(5)]
    names += [("word", word) for word in KNOWN_WORDS] + [("qualifies",), ("needed",)]
    ends = ["", *KNOWN_TAGS[:4]]
    return Acceptance(
        dict(zip(names, random.normal(0.0, 1.0, len(names)).tolist(), strict=True)),
        float(random.normal()),
        float(random.normal()),
        SeamWeights.of(
            random.normal(0.0, 0.5, len(SEAM_FEATURES) + 1),
            {(left, right): float(random.normal()) for left in ends for right in ends[::-1]},
        ),
        toy_neighbours(),
        {"": -2.5, "subject": -4.0},
    )

"""Toy parallel text: German-like words that translate word by word, in an order of their own."""

from __future__ import annotations

import numpy as np

LEXICON = {
    "haus": "house",
    "buch": "book",
    "mann": "man",
    "frau": "woman",
    "liest": "reads",
    "sieht": "sees",
    "kauft": "buys",
    "alt": "old",
    "klein": "small",
    "heute": "today",
    "gern": "gladly",
    "baum": "tree",
}


def toy_pairs(number: int, seed: int = 0) -> tuple[list[list[str]], list[list[str]]]:
    """Return sentences of 2 to 6 words and their translations, a swap in some."""
    rng = np.random.default_rng(seed)
    names = sorted(LEXICON)
    sources, targets = [], []
    for _ in range(number):
        source = [names[k] for k in rng.integers(len(names), size=rng.integers(2, 7))]
        target = [LEXICON[word] for word in source]
        if rng.random() < 0.3:
            target[0], target[1] = target[1], target[0]
        sources.append(source)
        targets.append(target)
    return sources, targets

"""What counts as a word: the unit of rates and budgets."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from treewright.trees import Tree


@lru_cache(maxsize=1 << 16)
def is_word(token: str) -> bool:
    """Whether a token contains a letter or a digit; Penn's `-LRB-` does, so it counts."""
    return any(character.isalnum() for character in token)


def count_words(tokens: Tree | Iterable[str]) -> int:
    """Count the words of a tree or of a list of tokens, leaving punctuation out."""
    if isinstance(tokens, Tree):
        tokens = tokens.words()
    return sum(map(is_word, tokens))


def words_at(rate: float, words: int) -> int:
    """Return how many of `words` words a rate allows: rounded down, yet one at least."""
    # 0.29 × 100 is a little less than 29 in floating point.
    return max(1, math.floor(rate * words + 1e-9))

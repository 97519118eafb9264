"""What counts as a word: the unit of rates and budgets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from treewright.trees import Tree


@lru_cache(maxsize=1 << 16)
def is_word(token: str) -> bool:
    """Whether a token has a letter or a digit in it; Penn's `-LRB-` has, and counts."""
    return any(character.isalnum() for character in token)


def count_words(tokens: Tree | Iterable[str]) -> int:
    """Count the words of a tree or of a list of tokens, leaving punctuation out."""
    if isinstance(tokens, Tree):
        tokens = tokens.words()
    return sum(map(is_word, tokens))

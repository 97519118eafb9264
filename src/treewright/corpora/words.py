"""What counts as a word: the unit of rates and budgets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from treewright.trees import Tree

_BRACKET = re.compile(r"-[LR][RSC]B-", re.IGNORECASE)


@lru_cache(maxsize=1 << 16)
def is_word(token: str) -> bool:
    """Whether a token has a letter or a digit in it; Penn's `-LRB-` and its kin are punctuation."""
    if token.startswith("-") or "B-" in token:
        token = _BRACKET.sub("", token)
    return any(character.isalnum() for character in token)


def count_words(tokens: Tree | Iterable[str]) -> int:
    """Count the words of a tree or of a list of tokens, leaving punctuation out."""
    if isinstance(tokens, Tree):
        tokens = tokens.words()
    return sum(map(is_word, tokens))

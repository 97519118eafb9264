"""Sentences cut into pieces short enough for a chart, and grouped into batches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treewright.trees import ROOT, Tree

MAX_LENGTH = 150
"""The most tokens in a chart; its cost grows with their cube, and no treebank sentence is longer.
"""

_RANKS = (
    {".", "!", "?", ";", "…", "...", "。", "！", "？", "；", "……"},
    {":", "--", "—", "–", ")", "-RRB-", "：", "——", "）"},
    {",", "，", "、"},
)


def cut_long(words: Sequence[str], limit: int = MAX_LENGTH) -> list[Sequence[str]]:
    """Cut a sentence into pieces of at most `limit` tokens, after clause punctuation if possible.

    Each cut is after the strongest mark in the last half of what fits, the last one if several are
    equal.
    """
    pieces = []
    start = 0
    while len(words) - start > limit:
        place = _cut_place(words, start, limit)
        pieces.append(words[start:place])
        start = place
    return [*pieces, words[start:]]


def _cut_place(words: Sequence[str], start: int, limit: int) -> int:
    for signs in _RANKS:
        for place in range(start + limit, start + limit // 2, -1):
            if words[place - 1] in signs:
                return place
    return start + limit


def join_pieces(trees: Sequence[Tree]) -> Tree:
    """Put the trees of a sentence's pieces side by side under one root."""
    if len(trees) == 1:
        return trees[0]
    return Tree(ROOT, [child for tree in trees for child in tree.children])


def group(order: Iterable[int], lengths: Sequence[int], tokens: int) -> list[list[int]]:
    """Cut an order of sentences into groups of at most `tokens` tokens; a longer one is alone."""
    groups: list[list[int]] = []
    size = tokens
    for number in order:
        if size + lengths[number] > tokens:
            groups.append([])
            size = 0
        groups[-1].append(number)
        size += lengths[number]
    return groups

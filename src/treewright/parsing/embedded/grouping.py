"""Sentences grouped into batches of a bounded number of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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

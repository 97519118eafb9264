"""Baselines: copying, truncating, and the ceiling for choosing words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from treewright.alignment import align_pair
from treewright.corpora import Pair, count_words, is_word, words_at
from treewright.errors import DataError, UsageError
from treewright.trees import Tree, prune_to


def copy_all(pairs: Iterable[Pair]) -> Iterator[Tree | None]:
    """Yield each source unchanged."""
    for pair in pairs:
        yield pair.source


def first_words(tree: Tree, budget: int) -> Tree | None:
    """Return the tree cut off after its `budget`-th word; punctuation before that is free."""
    seen = 0
    keep = []
    for position, token in enumerate(tree.words()):
        if seen == budget:
            break
        keep.append(position)
        seen += is_word(token)
    return prune_to(tree, keep) if budget > 0 else None


def first_words_at(pairs: Sequence[Pair], rate: float) -> list[Tree | None]:
    """Return each source cut off so that the words of all are kept at a rate, in proportion."""
    if not 0 <= rate <= 1:
        raise UsageError(f"a rate must lie between 0 and 1, found {rate}")
    lengths = [count_words(pair.source) for pair in pairs]
    budgets = in_proportion(lengths, words_at(rate, sum(lengths)))
    return [first_words(pair.source, n) for pair, n in zip(pairs, budgets, strict=True)]


def in_proportion(lengths: Sequence[int], total: int) -> list[int]:
    """Divide `total` words in proportion to the lengths, rounding so that the sum is right."""
    whole = max(1, sum(lengths))
    marks = [(total * upto + whole // 2) // whole for upto in accumulate(lengths, initial=0)]
    return [after - before for before, after in pairwise(marks)]


def ceiling(pairs: Iterable[Pair]) -> Iterator[Tree | None]:
    """Yield each source pruned to the words of its target: the best possible choice of words.

    Pairs without an alignment are aligned as extractive ones; a pair that is not extractive gives
    `None`.
    """
    for pair in pairs:
        try:
            alignment = align_pair(pair).alignment
        except DataError:
            yield None
            continue
        assert alignment is not None
        yield prune_to(pair.source, {source for source, _ in alignment})

"""Several trees of one sentence as one forest, in which equal constituents are one node."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.arrays import starts
from treewright.errors import DataError
from treewright.forest import Forest
from treewright.transduction import Yields
from treewright.translation.syntax.forest import ANYTHING, Places, TranslationForest

Key = tuple[int, int, bool, str, int, int]


def merge(forests: Sequence[TranslationForest]) -> TranslationForest:
    """Return the translations of all forests, and those that take parts from several.

    Nodes are one if they have the same label, words and category, and as many nodes with these
    words below them. So a derivation may go from one tree to another at a constituent both have.
    """
    if len(forests) == 1:
        return forests[0]
    first = forests[0]
    ends = {int(each.places.right.max()) for each in forests}
    if len(ends) > 1:
        raise DataError(f"the trees of a sentence have {_listed(ends)} words; expected as many")
    keys = [_keys(each) for each in forests]
    # Sorted by size, then by height, every node comes after those below it.
    ordered = sorted({key for row in keys for key in row[:-1]})
    number = {key: place for place, key in enumerate(ordered)}
    root = len(ordered)
    seen: dict[tuple[int, ...], None] = {}
    rows: list[tuple[int, int, list[int], int, int]] = []
    extra: dict[str, int] = {}
    items = [_renumbered(each, extra) for each in forests]
    for which, (each, row) in enumerate(zip(forests, keys, strict=True)):
        numbers = [number[key] for key in row[:-1]] + [root]
        for edge in range(each.forest.num_edges):
            head = numbers[each.forest.head[edge]]
            tails = [numbers[tail] for tail in each.forest.tails(edge)]
            edge_key = (head, int(each.forest.label[edge]), *tails)
            if edge_key not in seen:
                seen[edge_key] = None
                rows.append((head, int(each.forest.label[edge]), tails, which, edge))
    rows.sort(key=lambda row: row[0])
    spans = [
        items[which][forests[which].yields.ptr[edge] : forests[which].yields.ptr[edge + 1]]
        for *_, which, edge in rows
    ]
    return TranslationForest(
        first.grammar,
        Forest.from_arrays(
            head=np.array([row[0] for row in rows], np.int32),
            tail_ptr=starts([len(row[2]) for row in rows]),
            tail=np.array([tail for row in rows for tail in row[2]], np.int32),
            label=np.array([row[1] for row in rows], np.int32),
            num_nodes=root + 1,
        ),
        _joined([*ordered, keys[0][-1]]),
        Yields(starts(list(map(len, spans))), np.concatenate(spans)),
        np.stack([forests[which].features[edge] for *_, which, edge in rows]),
        tuple(extra),
    )


def _keys(given: TranslationForest) -> list[Key]:
    """Return a key for each node; they ascend from tails to heads."""
    places = given.places
    return [
        (right - left, height, category == ANYTHING, label, left, category)
        for label, left, right, height, category in zip(
            places.label, *(column.tolist() for column in places[1:]), strict=True
        )
    ]


def _joined(keys: Sequence[Key]) -> Places:
    """Undo `_keys`."""
    size, height, _, label, left, category = zip(*keys, strict=True)
    sizes, start, heights, categories = np.array([size, left, height, category], np.int32)
    return Places(label, start, start + sizes, heights, categories)


def _renumbered(given: TranslationForest, extra: dict[str, int]) -> np.ndarray:
    """Return what edges write, words beyond the grammar's numbered over all forests."""
    known = len(given.grammar.packed.words)
    item = given.yields.item.copy()
    for place, word in enumerate(given.extra):
        item[given.yields.item == known + place] = known + extra.setdefault(word, len(extra))
    return item


def _listed(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))

"""The twin of the kernel that takes wide edges apart, in plain Python."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Forest
from treewright.transduction import Yields
from treewright.translation.syntax.forest import PART, Places, TranslationForest


class _Row(NamedTuple):
    """An edge of the new forest: head, tails, what it writes, and the edge that it is (part) of."""

    head: int
    tails: list[int]
    items: list[int]
    source: int
    is_part: bool


def narrow(given: TranslationForest, most: int) -> TranslationForest:
    """Return a forest of the same translations whose edges have at most `most` tails (2 or more).

    A wider edge begins with a node of its own: what it writes up to some tail, in the order of the
    target.
    """
    forest = given.forest
    arity = np.diff(forest.tail_ptr)
    if arity.max(initial=0) <= most:
        return given
    number = np.empty(forest.num_nodes, np.int64)
    rows: list[_Row] = []
    origin: list[int] = []
    for node in range(forest.num_nodes):
        whole: list[_Row] = []
        for edge in forest.edges(node):
            tails = [int(number[tail]) for tail in forest.tails(edge)]
            items = given.yields.item[given.yields.ptr[edge] : given.yields.ptr[edge + 1]].tolist()
            while len(tails) > most:
                tails, items, part = _begun(tails, items, most)
                rows.append(_Row(len(origin), *part, edge, is_part=True))
                tails[0] = len(origin)
                origin.append(node)
            whole.append(_Row(-1, tails, items, edge, is_part=False))
        number[node] = len(origin)
        origin.append(node)
        rows += [row._replace(head=int(number[node])) for row in whole]
    return _assembled(given, rows, np.array(origin))


def _begun(
    tails: list[int], items: list[int], most: int
) -> tuple[list[int], list[int], tuple[list[int], list[int]]]:
    """Split what an edge writes before the tail that is one too many.

    Returns the tails and items of the rest, which begins with a tail for what comes before, and
    those of the part. The first of the rest's tails is yet to be known.
    """
    places = [place for place, item in enumerate(items) if item < 0]
    cut = places[most]
    before, after = _renumbered(tails, items[:cut]), _renumbered(tails, items[cut:])
    rest = [-1, *[item if item >= 0 else item - 1 for item in after[1]]]
    return [-1, *after[0]], rest, before


def _renumbered(tails: list[int], items: list[int]) -> tuple[list[int], list[int]]:
    """Return the tails that some items need, in their order, and the items with these numbers."""
    needed = [-1 - item for item in items if item < 0]
    place = {position: number for number, position in enumerate(needed)}
    return [tails[position] for position in needed], [
        item if item >= 0 else -1 - place[-1 - item] for item in items
    ]


def _assembled(
    given: TranslationForest, rows: list[_Row], origin: NDArray[np.int64]
) -> TranslationForest:
    source = np.array([row.source for row in rows])
    is_part = np.array([row.is_part for row in rows])
    tails = [tail for row in rows for tail in row.tails]
    places = given.places
    return TranslationForest(
        given.grammar,
        Forest.from_arrays(
            head=np.array([row.head for row in rows], np.int32),
            tail_ptr=np.cumsum([0, *[len(row.tails) for row in rows]]),
            tail=np.array(tails, np.int32),
            label=np.where(is_part, PART, given.forest.label[source]).astype(np.int32),
            num_nodes=origin.size,
        ),
        Places(
            tuple([places.label[node] for node in origin.tolist()]),
            places.left[origin],
            places.right[origin],
            places.height[origin],
            places.category[origin],
        ),
        Yields(
            np.cumsum([0, *[len(row.items) for row in rows]]).astype(np.int64),
            np.array([item for row in rows for item in row.items], np.int32),
        ),
        np.where(is_part[:, None], 0.0, given.features[source]),
        given.extra,
    )

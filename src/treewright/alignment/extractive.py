"""Alignment of a target that only deletes: which source word each target word is.

Where a word occurs more than once, several embeddings of the target exist. We take the one that
agrees best with the two trees: an exact dynamic program over the score below, in whole numbers.
A target word `j` at source position `i` earns

    TAG            if both have the same part of speech
    ANCESTOR each  for equal labels above both, upwards until the first that differs (at most REACH)

and two neighbours `j - 1, j` at positions `h < i` earn

    JOIN           if the lowest constituent around h and i has the label of the one around j - 1, j
    NEIGHBOUR      if h and i are neighbours too
    STEP (< 0)     for each step of the way through the source tree from h to i

so words that share a constituent keep sharing one of that kind, as small as possible. Among
embeddings with the same score the one with the leftmost words wins (first word first). On the real
corpora 5–13 % of the pairs have several embeddings; of those, this choice keeps as many target
constituents whole as any embedding could in 97 %.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from treewright.alignment.context import common_labels, contexts, joints
from treewright.arrays import Longs
from treewright.corpora import Alignment, Pair, check_extractive
from treewright.errors import DataError, Problems
from treewright.trees import Tree

TAG = 4
ANCESTOR = 1
REACH = 3
JOIN = 4
NEIGHBOUR = 1
STEP = -2


def align_extractive(source: Tree, target: Tree) -> Alignment:
    """Return the embedding of the target's words in the source that agrees best with the trees.

    It takes O(m·c²) time for m target words with c possible positions each. A target that is not a
    subsequence of the source is a `DataError`.
    """
    places = candidates(source.words(), target.words())
    if places is None:
        check_extractive(Pair("", source, target))
        raise AssertionError("no embedding, yet a subsequence")
    if any(len(column) > 1 for column in places):
        chosen = _best_path(_Scores(source, target), [np.array(column) for column in places])
        return tuple([(i, j) for j, i in enumerate(chosen)])
    return tuple([(column[0], j) for j, column in enumerate(places)])


def align_pair(pair: Pair) -> Pair:
    """Return the pair with an alignment: its own if it has one, else the extractive one."""
    if pair.alignment is not None:
        return pair
    try:
        return replace(pair, alignment=align_extractive(pair.source, pair.target_tree))
    except DataError as error:
        raise DataError(error.message, where=pair.id) from None


def align_pairs(pairs: Iterable[Pair], problems: Problems | None = None) -> Iterator[Pair]:
    """Align a stream of pairs; those that cannot be aligned go to `problems` (strict if absent)."""
    return (problems or Problems(strict=True)).made(align_pair, pairs)


def candidates(source: Sequence[str], target: Sequence[str]) -> list[list[int]] | None:
    """Return, for each target word, its source positions in any embedding, or `None`.

    These are the positions of the same word between its position in the leftmost embedding and that
    in the rightmost; each of them is part of an embedding.
    """
    positions: dict[str, list[int]] = defaultdict(list)
    for i, word in enumerate(source):
        positions[word].append(i)
    earliest = _leftmost(source, target)
    latest = _leftmost(source[::-1], target[::-1])
    if earliest is None or latest is None:
        return None
    last = len(source) - 1
    columns = []
    for word, low, back in zip(target, earliest, reversed(latest), strict=True):
        places = positions[word]
        columns.append(places[bisect_left(places, low) : bisect_right(places, last - back)])
    return columns


def _leftmost(source: Sequence[str], target: Sequence[str]) -> list[int] | None:
    found: list[int] = []
    rest = enumerate(source)
    for word in target:
        place = next((i for i, other in rest if other == word), None)
        if place is None:
            return None
        found.append(place)
    return found


class _Scores:
    """The score of an embedding, in parts: for one word, and for two neighbours."""

    def __init__(self, source: Tree, target: Tree) -> None:
        self.source, self.target = contexts(source), contexts(target)
        self.source_labels, self.target_labels, steps = joints(source, target)
        place = np.arange(len(steps))
        ahead = place[None, :] - place[:, None]
        self.apart = np.where(ahead > 0, STEP * steps + NEIGHBOUR * (ahead == 1), _NEVER)

    def word(self, j: int, places: Longs) -> Longs:
        """Return what target word `j` earns at each of the positions."""
        tag, *above = self.target[j]
        earned = []
        for i in places.tolist():
            other_tag, *other_above = self.source[i]
            alike = common_labels(above, other_above, REACH)
            earned.append(TAG * (tag == other_tag) + ANCESTOR * alike)
        return np.array(earned)

    def neighbours(self, j: int, before: Longs, after: Longs) -> Longs:
        """Return, as a matrix, what target words `j - 1, j` earn at `before` × `after`."""
        cells = np.ix_(before, after)
        joined = self.source_labels[cells] == self.target_labels[j - 1, j]
        scores: Longs = self.apart[cells] + JOIN * joined
        return scores


_NEVER = -(1 << 40)


def _best_path(scores: _Scores, places: list[Longs]) -> list[int]:
    """Return the positions of the best-scoring embedding, the leftmost if there are several.

    A backward pass finds the best score that each position leads to; a forward pass then takes the
    first position from which the best score can still be reached.
    """
    last = len(places) - 1
    onward = [scores.word(last, places[last])]
    for j in range(last, 0, -1):
        reach = scores.neighbours(j, places[j - 1], places[j]) + onward[-1]
        onward.append(scores.word(j - 1, places[j - 1]) + reach.max(axis=1))
    onward.reverse()
    path = [int(places[0][onward[0].argmax()])]
    for j in range(1, last + 1):
        row = scores.neighbours(j, np.array(path[-1:]), places[j])[0] + onward[j]
        path.append(int(places[j][row.argmax()]))
    return path

"""Projection: skeletons of one language from those of its translations.

Where nobody has shortened sentences of a language, their translations are shortened instead, and
the word links carry over what is kept. Links err, so only pairs whose skeleton fits the tree are
taken:

- a word all of whose links lead to kept words is kept, one all of whose links lead to other words
  is not, and a word with links of both kinds spoils its pair;
- a word without links goes with the smallest constituent around it that has any: with the head of
  that, or, if the head has no links either, it is kept if anything in there is; a Chinese particle
  goes with what stands before it in that constituent;
- a mark is kept between kept words, and the sentence's last stop always;
- the skeleton is connected: with every word it keeps the word that governs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from treewright.corpora import Alignment, Record, check_alignment, is_word, scan_links
from treewright.errors import DataError, Problems
from treewright.translation.ghkm.files import in_step, scan_tree_lines
from treewright.translation.skeletons.files import Skeleton, keep_stop
from treewright.trees import Tree, TreeTable, prune_to

LINKED = 0.5
"""The least share of a sentence's words that must have links."""

PARTICLES = frozenset({"DE", "Di", "Ng"})
"""Tags of the Chinese parser: 的, 了, 上 and their like."""

TAKEN, SHORT, UNLINKED, MIXED, UNCONNECTED, WHOLE, EMPTY = (
    "taken",
    "too short",
    "too few links",
    "links of both kinds",
    "unconnected",
    "nothing dropped",
    "nothing kept",
)
"""What becomes of a pair."""

Item = tuple[Tree, Skeleton, Alignment]
"""The tree of a source, the skeleton of its target, and their links."""


def project_back(tree: TreeTable, kept_target: Skeleton, links: Alignment) -> Skeleton | str:
    """Return the skeleton of a source by that of its target, or why there is none."""
    size = len(tree.words)
    words = np.array([is_word(word) for word in tree.words], np.bool_)
    linked, kept, dropped = (np.zeros(size, np.bool_) for _ in range(3))
    for source, target in links:
        if words[source]:
            linked[source] = True
            (kept if kept_target[target] else dropped)[source] = True
    if not words.any() or linked.sum() < LINKED * words.sum():
        return UNLINKED
    if (kept & dropped).any():
        return MIXED
    kept = keep_stop(tree.words, _with_marks(words, _with_unlinked(tree, words, linked, kept)))
    if not (kept & words).any():
        return EMPTY
    if not (words & ~kept).any():
        return WHOLE
    return kept if _is_connected(tree, words, kept) else UNCONNECTED


def _with_unlinked(tree: TreeTable, words: Skeleton, linked: Skeleton, kept: Skeleton) -> Skeleton:
    """Decide about words without links, by the constituents around them."""
    result = kept.copy()
    for place in np.flatnonzero(words & ~linked).tolist():
        node = tree.leaves[place]
        if tree.labels[node] in PARTICLES and tree.place[node]:
            before = tree.children[tree.parent[node]][tree.place[node] - 1]
            node = before if linked[tree.left[before] : tree.right[before]].any() else node
        while not linked[tree.left[node] : tree.right[node]].any():
            node = tree.parent[node]
        head = tree.semantic_heads[node]
        inside = kept[tree.left[node] : tree.right[node]]
        result[place] = kept[head] if linked[head] else inside.any()
    return result


def _with_marks(words: Skeleton, kept: Skeleton) -> Skeleton:
    """Keep the marks that stand between kept words."""
    result = kept & words
    places = np.flatnonzero(words)
    for mark in np.flatnonzero(~words).tolist():
        after = int(np.searchsorted(places, mark))
        beside = places[max(after - 1, 0) : after + 1]
        result[mark] = kept[beside].all()
    return result


def _is_connected(tree: TreeTable, words: Skeleton, kept: Skeleton) -> bool:
    """Whether every kept word is the topmost or has a kept governor."""
    governors = tree.governors[kept & words]
    return bool(kept[governors[governors >= 0]].all())


@dataclass
class Projection:
    """Projects skeletons, and counts what became of the pairs.

    Sentences of fewer than `least` words are left out: hardly anything of them can be dropped.
    """

    least: int = 5
    outcomes: Counter[str] = field(default_factory=Counter)

    def __call__(self, items: Iterable[Item | None]) -> Iterator[Record]:
        """Yield pairs of a tree and what is left of it, numbered from 1 as items are; `None`
        stands for a bad item.
        """
        for number, item in enumerate(items, start=1):
            if item is None:
                continue
            tree, *_ = item
            found = self._project(*item)
            self.outcomes[found if isinstance(found, str) else TAKEN] += 1
            if isinstance(found, str):
                continue
            target = prune_to(tree, np.flatnonzero(found).tolist())
            assert target is not None, "some word is kept"
            yield Record(str(number), tree, (target,))

    def _project(self, tree: Tree, kept_target: Skeleton, links: Alignment) -> Skeleton | str:
        if sum(map(is_word, tree.words())) < self.least:
            return SHORT
        return project_back(TreeTable(tree), kept_target, links)


def read_projected(
    trees: str | Path,
    links: str | Path,
    skeletons: str | Path,
    kept: Sequence[Skeleton],
    *,
    problems: Problems | None = None,
) -> Iterator[Item | None]:
    """Stream items from files with a line for each, `None` for what cannot be read.

    `kept` are the skeletons of the targets, read from `skeletons`. Files of different length end
    in an error.
    """
    problems = problems or Problems(strict=True)
    paths = (trees, links, skeletons)
    targets = ((str(skeletons), each) for each in kept)
    for (_, tree), (where, alignment), (_, target) in in_step(
        paths, scan_tree_lines(trees), scan_links(links), targets
    ):
        try:
            for value in (tree, alignment):
                if isinstance(value, DataError):
                    raise value
            check_alignment(alignment, len(tree.words()), target.size, where=where)
        except DataError as error:
            problems.add(error)
            yield None
        else:
            yield tree, target, alignment

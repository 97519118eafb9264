"""From word alignment to node alignment: which source node stands for which target node.

A source and a target node are an *aligned constituent pair* when at least one word link joins their
yields and no link leaves either of them (the alignment-template criterion on constituents of the
large-margin paper, section 3.2). Nodes whose yields hold the same links form a chain on either
side (unary branches, or branches with deleted siblings), so several pairs compete there.
`NodeAlignment` picks, for every source node of a chain, the target node of a monotone assignment
that agrees in as many labels as possible: the finest segmentation the word alignment allows.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from treewright.corpora import Alignment, Pair
from treewright.errors import DataError
from treewright.trees import Tree, TreeTable

UNALIGNED = -1
DELETED = -2


@dataclass(frozen=True)
class NodeAlignment:
    """A pair's source nodes, each with a target node, `DELETED` or `UNALIGNED`.

    `inserted[t]` holds for target nodes that a rule inserts: those without any linked word, or in a
    sampler's state some of them. `words` is the word alignment.
    """

    source: TreeTable
    target: TreeTable
    to: tuple[int, ...]
    inserted: tuple[bool, ...]
    words: Alignment

    @classmethod
    def of(cls, pair: Pair) -> NodeAlignment:
        """Align the nodes of a word-aligned pair."""
        if pair.alignment is None:
            raise DataError("the pair has no word alignment; align it first", where=pair.id)
        links = _Links(TreeTable(pair.source), TreeTable(pair.target_tree), pair.alignment)
        to = [UNALIGNED] * len(links.source.nodes)
        for x, image in enumerate(links.images):
            if not image:
                to[x] = DELETED
        for sources, targets in links.chains():
            # The roots are aligned only with each other: a rule below ROOT never makes another
            # ROOT.
            if sources[0] == targets[0] == 0:
                to[0] = 0
            sources, targets = [x for x in sources if x], [y for y in targets if y]
            if targets:
                for x, y in zip(sources, _assign(links, sources, targets), strict=True):
                    to[x] = y
        inserted = tuple(not links.target_links(y) for y in range(len(links.target.nodes)))
        return cls(links.source, links.target, tuple(to), inserted, pair.alignment)


@dataclass(frozen=True)
class _Links:
    source: TreeTable
    target: TreeTable
    alignment: Alignment

    @cached_property
    def images(self) -> list[frozenset[int]]:
        """For each source node the target positions its words are linked to."""
        forward: dict[int, set[int]] = defaultdict(set)
        for i, j in self.alignment:
            forward[i].add(j)
        return [
            frozenset().union(*(forward[i] for i in range(left, right) if i in forward))
            for left, right in zip(self.source.left, self.source.right, strict=True)
        ]

    @cached_property
    def linked(self) -> list[int]:
        return sorted({j for _, j in self.alignment})

    def target_links(self, y: int) -> frozenset[int]:
        """Return the linked positions in the yield of a target node."""
        return frozenset(j for j in self.linked if self.target.left[y] <= j < self.target.right[y])

    def is_closed(self, x: int) -> bool:
        """Whether no link enters the image of source node `x` from outside its yield."""
        left, right = self.source.left[x], self.source.right[x]
        image = self.images[x]
        return all(left <= i < right for i, j in self.alignment if j in image)

    def chains(self) -> list[tuple[list[int], list[int]]]:
        """Return the source and target nodes that share their links, each from the top down."""
        targets: dict[frozenset[int], list[int]] = defaultdict(list)
        for y in range(len(self.target.nodes)):
            targets[self.target_links(y)].append(y)
        sources: dict[frozenset[int], list[int]] = defaultdict(list)
        for x, image in enumerate(self.images):
            if image and image in targets and self.is_closed(x):
                sources[image].append(x)
        return [(nodes, targets[image]) for image, nodes in sources.items()]


def _assign(links: _Links, sources: list[int], targets: list[int]) -> list[int]:
    """Map a source chain to a target chain, never upwards, agreeing in as many labels as possible.

    Of equal ones, the target node nearest to the top is taken, except that a preterminal prefers a
    preterminal.
    """
    if len(targets) == 1:
        return targets * len(sources)
    width = len(targets)
    best = [0] * width
    choices: list[list[int]] = []
    for x in reversed(sources):
        node = links.source.nodes[x]
        gains = [best[k] + _agreement(node, links.target.nodes[y]) for k, y in enumerate(targets)]
        choice = list(range(width))
        for k in range(width - 2, -1, -1):
            if gains[choice[k + 1]] > gains[k]:
                choice[k] = choice[k + 1]
        best = [gains[k] for k in choice]
        choices.append(choice)
    assigned = []
    k = 0
    for choice in reversed(choices):
        k = choice[k]
        assigned.append(targets[k])
    return assigned


def _agreement(source: Tree, target: Tree) -> int:
    same_kind = source.is_preterminal == target.is_preterminal
    return 2 * (source.label == target.label and same_kind) + (
        source.is_preterminal and target.is_preterminal
    )

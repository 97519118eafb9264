"""Losses: the constituents that a version drops, described by where they stood in the tree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Self

from treewright.pruning.guards import claim_of
from treewright.pruning.guards.meaning import NORMAL, STRICT, meaningful
from treewright.text import is_word
from treewright.trees import PUNCTUATION_TAGS, TreeTable

Feature = tuple[str, ...]
"""The name of a template and its values."""

WEIGHED = ("weighed",)
"""The feature of nodes that may carry the claim, but often do not."""
ORPHAN = ("orphan",)
"""The feature of pronouns that stay without what they refer to."""
_FAR = 3
_SIZES = (1, 2, 4, 8)
_BOND_STEPS = 5


def dropped_nodes(source: TreeTable, kept: Collection[int]) -> list[int]:
    """Return the topmost nodes that a version drops, by the tokens that it keeps, from 0.

    Punctuation alone is no loss.
    """
    stays = staying_nodes(source, kept)
    return [
        node
        for node in range(1, len(source))
        if not stays[node] and stays[source.parent[node]] and _num_words(source, node)
    ]


def staying_nodes(source: TreeTable, kept: Iterable[int]) -> list[bool]:
    """Return which nodes have a token that is kept."""
    stays = [False] * len(source)
    for place in kept:
        node = source.leaves[place]
        while node >= 0 and not stays[node]:
            stays[node] = True
            node = source.parent[node]
    return stays


Bonds = Mapping[tuple[str, str], float]
"""How often a word is followed by a preposition, among all its occurrences: `belong to`."""


@dataclass(frozen=True, eq=False)
class Losses:
    """Describes the nodes of a sentence that may be dropped while their parent stays.

    `qualifying` are the nodes that a strictly faithful version keeps, `weighed` those that a normal
    one keeps unless readers would not mind, `needed` those that English needs, with what needs
    them.
    """

    source: TreeTable
    bonds: Bonds
    qualifying: Collection[int] = ()
    needed: Mapping[int, str] = field(default_factory=dict)
    weighed: Collection[int] = ()

    @classmethod
    def of(cls, source: TreeTable, bonds: Bonds, needed: Mapping[int, str]) -> Self:
        """Look for what carries the claim of a sentence."""
        whole, weighed = meaningful(source, STRICT).whole, claim_of(source, NORMAL).weighed
        return cls(source, bonds, whole, needed, weighed)

    def features(self, node: int) -> list[Feature]:
        """Describe a node by where it stands, how it begins and what it belongs to."""
        source, labels = self.source, self.source.labels
        parent = source.parent[node]
        label, above = labels[node], labels[parent]
        children = source.children[parent]
        content = [x for x in children if labels[x] not in PUNCTUATION_TAGS] or children
        head = source.syntactic_children[parent]
        place = content.index(node) if node in content else 0
        side = "=" if node == head else "<" if node < head else ">"
        far = min(_FAR, abs(place - content.index(head))) if head in content else _FAR
        left, semantic_heads = source.left[node], source.semantic_heads
        leaves, first = source.leaves, source.lower[left]
        size = _bucket(self.num_words(node))
        before = labels[content[place - 1]] if place else ""
        behind = labels[content[place + 1]] if place + 1 < len(content) else ""
        outer = labels[source.parent[parent]] if parent else ""
        return [
            *self._special(node, first),
            ("label", label),
            ("side", above, label, side),
            ("distance", above, label, side + str(far)),
            ("commas", above, label, _commas(source, children, source.place[node])),
            ("word", first),
            ("label word", label, first),
            ("label tag", label, labels[leaves[left]]),
            ("label head", label, labels[leaves[semantic_heads[node]]]),
            ("above", outer, above, label),
            ("size", size),
            ("label size", label, size),
            ("behind", label, behind),
            ("before", label, before),
            ("governor", labels[leaves[semantic_heads[parent]]], label, first),
            ("siblings", above, label, str(len(content))),
        ]

    def of_orphan(self, place: int) -> list[Feature]:
        """Describe the loss of all that a pronoun refers to."""
        return [ORPHAN, (*ORPHAN, self.source.lower[place])]

    def num_words(self, node: int) -> int:
        """Return how many words a node has, punctuation not counted."""
        return self._up_to[self.source.right[node]] - self._up_to[self.source.left[node]]

    @cached_property
    def _up_to(self) -> list[int]:
        """How many words stand before each place."""
        return [0, *accumulate(map(is_word, self.source.words))]

    def _special(self, node: int, first: str) -> list[Feature]:
        """Return the features that few nodes have."""
        source = self.source
        label, above = source.labels[node], source.labels[source.parent[node]]
        start, parent_start = source.left[node], source.left[source.parent[node]]
        features: list[Feature] = []
        if node in self.qualifying:
            features += [("qualifies",), ("qualifies", label)]
        if node in self.weighed:
            features += [WEIGHED, ("weighed", above, label), ("weighed word", first)]
        if node in self.needed:
            features += [("needed",), ("needed", above, label)]
        if start and (bond := self.bonds.get((source.lower[start - 1], first))):
            features += [("bond", str(int(bond * _BOND_STEPS))), ("bond", label)]
        if 0 < parent_start < start and source.words[parent_start - 1] == ",":
            features.append(("after a comma", above, label))
        return features


def _commas(source: TreeTable, children: list[int], place: int) -> str:
    before = place > 0 and source.labels[children[place - 1]] == ","
    behind = place + 1 < len(children) and source.labels[children[place + 1]] == ","
    return ("1" if before else "0") + ("1" if behind else "0")


@lru_cache(maxsize=256)
def _bucket(size: int) -> str:
    return str(sum(size > bound for bound in _SIZES))


def _num_words(source: TreeTable, node: int) -> int:
    return sum(map(is_word, source.words[source.left[node] : source.right[node]]))

"""The circumstances of a child: everything by which keeping or dropping it is judged.

A child has several views (`View`), each a name and a few values; each view has features of several
granularities, from a pair of values that every corpus shows often to all of them together
(`features`). Rare combinations are judged by what they share with others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from treewright.trees import Tree, TreeTable, head_child

View = tuple[str, *tuple[str, ...]]
Feature = tuple[str, *tuple[str, ...]]

FIRST, KEPT, DROPPED = "first", "kept", "dropped"
"""What became of the preceding sibling: there is none, it is kept, it is dropped."""

_GRAINS: dict[str, tuple[tuple[int, ...], ...]] = {
    # parent, label, head or not, side of the head, production, place, sibling before
    "frame": ((), (1, 2), (0, 1, 2), (4, 5), (6,), (1, 6), (0, 1, 3, 6)),
    # parent, label, head or not, number of words
    "size": ((1, 3), (0, 1, 3), (2, 3)),
    # parent, label, head or not, tag of the head word
    "tag": ((1, 3), (0, 1, 2, 3)),
    # label, tag of the head word, head word
    "word": ((0, 2), (1, 2)),
    # parent, label, head or not, what the child consists of
    "expansion": ((1, 3), (0, 2, 3)),
}


class Child(NamedTuple):
    """What a child consists of: the number of its words, its head word with its tag, and its
    production or word.
    """

    words: int
    tag: str
    word: str
    expansion: str


class Family(NamedTuple):
    """A node with two children or more, its production, and what each child consists of."""

    node: int
    children: list[int]
    production: str
    about: list[Child]

    @property
    def views(self) -> list[tuple[View, ...]]:
        """The views of each child that its siblings' fates do not matter to."""
        return [views(self.production, place, child) for place, child in enumerate(self.about)]


def families(tree: TreeTable) -> Iterator[Family]:
    """Describe the children of a tree in preorder."""
    nodes, left, right = tree.nodes, tree.left, tree.right
    expansion = [
        " ".join([child.label for child in node.children]) or (node.word or "").lower()
        for node in nodes
    ]
    head = [tree.leaves[place] for place in tree.heads]
    for x, children in enumerate(tree.children):
        if len(children) > 1:
            about = [
                Child(right[y] - left[y], nodes[head[y]].label, expansion[head[y]], expansion[y])
                for y in children
            ]
            yield Family(x, children, f"{nodes[x].label} {expansion[x]}", about)


def views(production: str, place: int, child: Child) -> tuple[View, ...]:
    """Return the views of a child of a production: by its size, tag, head word and expansion."""
    parent, labels = production.split(" ", 1)
    label = labels.split(" ")[place]
    is_head = "head" if place == head_place(parent, labels) else ""
    return (
        ("size", parent, label, is_head, bucket(child.words)),
        ("tag", parent, label, is_head, child.tag),
        ("word", label, child.tag, child.word),
        ("expansion", parent, label, is_head, child.expansion),
    )


def frame(production: str, place: int, before: str) -> View:
    """Return the view of a child that depends only on its production and the preceding sibling."""
    parent, labels = production.split(" ", 1)
    head = head_place(parent, labels)
    side = "head" if place == head else "left" if place < head else "right"
    is_head = "head" if place == head else ""
    label = labels.split(" ")[place]
    return ("frame", parent, label, is_head, side, production, str(place), before)


def features(view: View) -> list[Feature]:
    """Return the features of a view, from coarse to fine."""
    name, *values = view
    return [
        (f"{name}{number}", *[values[i] for i in grain])
        for number, grain in enumerate(_GRAINS[name])
    ]


def bucket(words: int) -> str:
    """Return a number of words, rounded if large."""
    return str(words) if words <= 3 else "4-5" if words <= 5 else "6-9" if words <= 9 else "10-"


@lru_cache(maxsize=1 << 16)
def head_place(label: str, labels: str) -> int:
    """Return the position of the head among children, by their labels."""
    return head_child(Tree(label, [Tree(child) for child in labels.split(" ")]))

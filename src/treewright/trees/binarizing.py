"""Binarised trees: nodes of many children become chains of nodes with two."""

from __future__ import annotations

from treewright.errors import choose
from treewright.trees.normalise import rebuild
from treewright.trees.tree import Tree

BINARIZATIONS = ("none", "left", "right")
MARK = "~"
"""Ends the label of a node that only binarisation made."""


def binarize(tree: Tree, how: str) -> Tree:
    """Group the children of each node two by two, from the left or from the right.

    `(NP DT JJ NN)` becomes `(NP (NP~ DT JJ) NN)` from the left: parts of a constituent that the
    tree does not name get nodes of their own.
    """
    if choose(how, BINARIZATIONS, "way to binarise") == "none":
        return tree

    def make(node: Tree, children: list[Tree]) -> Tree:
        label = node.label + MARK
        while len(children) > 2:
            if how == "left":
                children = [Tree(label, children[:2]), *children[2:]]
            else:
                children = [*children[:-2], Tree(label, children[-2:])]
        return Tree(node.label, children, word=node.word)

    made = rebuild(tree, make)
    assert made is not None
    return made

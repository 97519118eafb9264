"""Tree → tree: normalising treebank trees (traces, tags, root labels), pruning, binarising."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import overload

from treewright.errors import choose
from treewright.trees.brackets import TOPS
from treewright.trees.tree import Tree

TRACE = "-NONE-"
ROOT = "ROOT"
_TAIL = re.compile(r"(?<=[^-=|])[-=|].*$")


@overload
def rebuild(tree: Tree, make: Callable[[Tree, list[Tree]], Tree]) -> Tree: ...


@overload
def rebuild(tree: Tree, make: Callable[[Tree, list[Tree]], Tree | None]) -> Tree | None: ...


def rebuild(tree: Tree, make: Callable[[Tree, list[Tree]], Tree | None]) -> Tree | None:
    """Rebuild a tree bottom-up: `make(node, new children)` gives the new node, `None` drops it."""
    results: list[list[Tree]] = [[]]
    stack: list[tuple[Tree, bool]] = [(tree, False)]
    while stack:
        node, ready = stack.pop()
        if not ready and node.children:
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node.children))
            results.append([])
            continue
        made = make(node, results.pop() if ready else [])
        if made is not None:
            results[-1].append(made)
    return results[0][0] if results[0] else None


def with_words(tree: Tree, words: Iterable[str]) -> Tree:
    """Return a tree with other words, as many as it has."""
    rest = iter(words)

    def make(node: Tree, children: list[Tree]) -> Tree:
        return Tree(node.label, children, word=None if node.word is None else next(rest))

    return rebuild(tree, make)


def strip_traces(tree: Tree) -> Tree | None:
    """Remove empty elements and nodes left without words; return `None` if nothing is left."""

    def make(node: Tree, children: list[Tree]) -> Tree | None:
        if node.word is not None:
            return None if node.label == TRACE else node
        return Tree(node.label, children) if children else None

    return rebuild(tree, make)


def strip_function_tags(tree: Tree) -> Tree:
    """Cut `-SBJ`, `=2` and the like from labels; leave `-LRB-` and other labels in dashes whole."""

    def make(node: Tree, children: list[Tree]) -> Tree:
        label = node.label if node.label.startswith("-") else _TAIL.sub("", node.label)
        return Tree(label, children, word=node.word)

    return rebuild(tree, make)


def root_at(tree: Tree, label: str = ROOT) -> Tree:
    """Give the tree one root called `label`: rename an empty or other top label (`TOP`, `S1`), or
    add a root.
    """
    if tree.label in (*TOPS, label) and tree.word is None:
        return tree if tree.label == label else Tree(label, tree.children)
    return Tree(label, [tree])


def prune_to(tree: Tree, keep: Collection[int]) -> Tree | None:
    """Return the tree with only the tokens at the positions in `keep` (from 0), or `None`.

    Nodes left without words are removed; all others stay, including unary ones.
    """
    kept = frozenset(keep)
    position = 0

    def make(node: Tree, children: list[Tree]) -> Tree | None:
        nonlocal position
        if node.word is None:
            return Tree(node.label, children) if children else None
        position += 1
        return node if position - 1 in kept else None

    return rebuild(tree, make)


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

    return rebuild(tree, make)

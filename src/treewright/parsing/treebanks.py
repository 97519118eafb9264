"""Treebanks in their original form → the trees that parsers learn from and are scored on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from treewright.errors import Problems
from treewright.trees import (
    Tree,
    read_trees,
    rebuild,
    root_at,
    strip_function_tags,
    strip_traces,
)


def read_treebank(path: str | Path, *, problems: Problems | None = None) -> Iterator[Tree]:
    """Stream the trees of a bracket file without traces and function tags, rooted at ROOT.

    Trees with nothing but traces are left out, because a parser never meets them. Malformed trees
    go to `problems` (strict if absent). A node may be left over one with its own label: scores
    count both.
    """
    for tree in read_trees(path, problems=problems):
        stripped = strip_tree(tree)
        if stripped is not None:
            yield stripped


def strip_tree(tree: Tree) -> Tree | None:
    """Return a treebank's tree without traces and function tags, rooted at ROOT; `None` if no words
    are left.
    """
    bare = strip_traces(tree)
    return None if bare is None else root_at(strip_function_tags(bare))


def collapse_repeats(tree: Tree) -> Tree:
    """Merge each node with its only child if both have the same label, as learners need it.

    Traces and function tags leave such pairs behind: `(NP (NP …) (NP (-NONE- *)))` → `(NP (NP …))`.
    A preterminal is never merged with the node above it.
    """

    def make(node: Tree, children: list[Tree]) -> Tree:
        if len(children) == 1 and children[0].label == node.label and children[0].children:
            return children[0]
        return Tree(node.label, children, word=node.word)

    return rebuild(tree, make)

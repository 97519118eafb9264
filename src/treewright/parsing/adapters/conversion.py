"""Other libraries' tree objects → `Tree`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from treewright.errors import DataError
from treewright.trees import Tree


def convert(
    root: Any, open_node: Callable[[Any], tuple[str, Sequence[Any]]], *, where: str = ""
) -> Tree:
    """Rebuild a tree from objects that `open_node` turns into a label and its children.

    Words are nodes there: a node without children is a word, the only child of its tag.
    """
    rows: list[tuple[str, int]] = []
    stack = [root]
    while stack:
        label, children = open_node(stack.pop())
        rows.append((label, len(children)))
        stack.extend(reversed(children))
    finished: list[Tree | str] = []
    for label, arity in reversed(rows):
        below = [finished.pop() for _ in range(arity)]
        finished.append(_node(label, below, where) if below else label)
    tree = finished.pop()
    if isinstance(tree, str):
        raise DataError(f"the parser gave {tree!r} where a tree was expected", where=where)
    return tree


def _node(label: str, children: list[Tree | str], where: str) -> Tree:
    nodes = [child for child in children if isinstance(child, Tree)]
    if len(nodes) == len(children):
        return Tree(label, nodes)
    if len(children) == 1:
        return Tree(label, word=str(children[0]))
    raise DataError(f"the parser put a word beside other nodes of ({label}", where=where)

"""Restructuring before conversion: flat coordinations and numbers get the levels they imply.

A Penn noun phrase is flat, so `new phone book and tour guide` has no node for `tour guide`. The
converter first adds such nodes and then reads off the relations.
"""

from __future__ import annotations

from treewright.trees.relations.lexicon import PRECONJUNCTIONS
from treewright.trees.relations.nodes import Node


def reshape(root: Node) -> None:
    """Restructure mixed phrases, coordinations and quantities below `root`, in place."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.word is not None:
            continue
        if node.label == "UCP":
            _name_mixed_phrase(node)
        if node.label == "NP":
            _coordinate(node)
        elif node.label == "QP":
            _group_quantifier(node)
        stack.extend(node.children)


def _name_mixed_phrase(node: Node) -> None:
    """Label an unlike coordination after its first conjunct."""
    first = node.children[0].label
    if first == "DT" and len(node.children) > 1:
        first = node.children[1].label
    if first.startswith("JJ") or "ADJP" in first:
        node.label = "ADJP"
    elif first.startswith("N"):
        node.label = "NP"


def _group_quantifier(node: Node) -> None:
    """`(QP well over 9)` → `(QP (XS well over) 9)`."""
    children = node.children
    if len(children) < 3 or children[0].word is None:
        return
    first, second, third = (child.label for child in children[:3])
    if (
        third.startswith(("CD", "DT"))
        and first.startswith(("RB", "JJ", "IN"))
        and second.startswith(("IN", "JJ"))
    ):
        node.children = [Node("XS", children[:2]), *children[2:]]


def _coordinate(node: Node) -> None:
    """Group the conjuncts of a flat noun phrase, one conjunction after the other."""
    while (place := _flat_conjunction(node.children)) > 0:
        size = len(node.children)
        node.children = _regroup(node.children, place)
        if len(node.children) >= size:
            return


def _flat_conjunction(children: list[Node]) -> int:
    """Return the position of the first conjunction with several right sisters, none an NP."""
    for place, child in enumerate(children):
        if (
            child.label == "CC"
            and 0 < place < len(children) - 2
            and not any(sister.label == "NP" for sister in children[place:])
        ):
            return place
    return -1


def _regroup(children: list[Node], place: int) -> list[Node]:
    left = children[place - 1].label
    later = next((i for i in range(place + 1, len(children)) if children[i].label == "CC"), 0)
    if place == 1 and left not in ("NP", "ADJP", "NNS"):
        return _group_start(children, later)
    if (
        place == 2
        and children[0].label == "DT"
        and left != "NNS"
        and (len(children) == 5 or later == 5)
    ):
        return [children[0], _phrase(children[1:4], children[1]), *children[4:]]
    if place > 2 and children[place - 2].label == "," and left != "NNS":
        return _group_series(children, place)
    return _group_halves(children, place, later)


def _phrase(children: list[Node], named_after: Node) -> Node:
    """Return a new phrase: an adjective phrase if named after an adjective."""
    return Node("ADJP" if named_after.label.startswith("JJ") else "NP", children)


def _group_start(children: list[Node], later: int) -> list[Node]:
    """`soya or maize oil` → `(soya or maize) oil`."""
    start = _phrase(children[:3], children[0])
    if not later:
        return [start, *children[3:]]
    end = max(3, later - 1 if children[later - 1].label == "," else later)
    return [_phrase([start, *children[3:end]], children[end - 1]), *children[end:]]


def _group_series(children: list[Node], place: int) -> list[Node]:
    """`red, green and blue paint` → `(red, green and blue) paint`."""
    begin = place - 3
    while begin > 1 and children[begin - 1].label == ",":
        begin -= 2
    series = _phrase(children[begin : place + 2], children[place - 1])
    return [*children[:begin], series, *children[place + 2 :]]


def _group_halves(children: list[Node], place: int, later: int) -> list[Node]:
    """`the phone book and tour guide` → `(the phone book) and (tour guide)`."""
    end = later or len(children)
    if end == place + 1:
        return children
    first = children[0]
    preconjunction = []
    if place > 1 and first.is_word(*PRECONJUNCTIONS):
        preconjunction = [Node("CC", [], first.word, first.head)]
    left, left_comma = _without_final_comma(children[len(preconjunction) : place])
    right, right_comma = _without_final_comma(children[place + 1 : end])
    halves = [
        *preconjunction,
        _phrase(left, children[place - 1]),
        *left_comma,
        children[place],
        _phrase(right, children[end - 1]),
    ]
    if later:
        return [Node("NP", halves), *right_comma, *children[end:]]
    return [*halves, *right_comma]


def _without_final_comma(children: list[Node]) -> tuple[list[Node], list[Node]]:
    if len(children) > 1 and children[-1].label == ",":
        return children[:-1], children[-1:]
    return children, []

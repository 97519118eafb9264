"""Conjuncts and the words that join them."""

from __future__ import annotations

import re

from treewright.trees.heads import word_set
from treewright.trees.relations.lexicon import PRECONJUNCTIONS
from treewright.trees.relations.nodes import Node

_CLAUSAL = word_set("VP S SBAR SBARQ SINV SQ")
_BREAKS = frozenset({"PRN", "``", "''", "-LRB-", "-RRB-", ",", ":", "."})
_NOT_A_CONJUNCT = frozenset({"``", "-LRB-", "PRN"})
_NOT_A_CLAUSE = _NOT_A_CONJUNCT | {"PP", "ADVP", "RB"}
_CONTENT = re.compile(r"S$|A|N|V|PP|PRP|J|W|R")


def is_conjunction(node: Node, parent: Node) -> bool:
    """`and` in `salt and pepper`."""
    if node.label == "CC":
        return not node.is_word(*PRECONJUNCTIONS)
    return not _is_not_only(node)


def _is_not_only(node: Node) -> bool:
    """`not only`, `not just`, `not merely`."""
    return any(
        child.is_word("not")
        and child.next_label in ("RB", "JJ")
        and child.after[0].is_word("only", "just", "merely")
        for child in node.all("RB")
    )


def is_preconjunction(node: Node, parent: Node) -> bool:
    """`both` in `both salt and pepper`."""
    if node.label == "CONJP":
        return _is_not_only(node) and node.followed_by("CC", "CONJP")
    if not node.is_word(*PRECONJUNCTIONS):
        return False
    if node.followed_by("CC"):
        return True
    return parent.label in ("NP", "NX") and any(child.has("CC") for child in parent.all("NP"))


def is_conjunct(node: Node, parent: Node) -> bool:
    """`pepper` in `salt and pepper`; in a series, also what follows a comma."""
    if node.label in _BREAKS:
        return False
    previous = node.previous
    if previous is not None and previous.label == "ADVP":
        if parent.label != "QP" and _joins(previous.previous, parent):
            return True
    elif _joins(previous, parent) or _joins_again(previous):
        return True
    return _is_in_series(node, parent)


def _joins(node: Node | None, parent: Node) -> bool:
    """Whether there is something to the left of a conjunction that it can join."""
    if node is None or node.label not in ("CC", "CONJP"):
        return False
    barred = _NOT_A_CLAUSE if parent.label in _CLAUSAL else _NOT_A_CONJUNCT
    return any(sister.label not in barred for sister in node.before)


def _joins_again(node: Node | None) -> bool:
    """Whether a conjunction follows another one: `either … or`."""
    return node is not None and node.label in ("CC", "CONJP") and node.preceded_by("CC")


def _is_in_series(node: Node, parent: Node) -> bool:
    if parent.label == "QP" or _CONTENT.match(node.label) is None:
        return False
    if node.previous_label in _BREAKS:
        return any(_joins(sister, parent) for sister in parent.children)
    return parent.label in ("NX", "NML") and node.next_label == "," and parent.has("CC", "CONJP")

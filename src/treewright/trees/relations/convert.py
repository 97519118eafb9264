"""From a constituency tree to typed dependencies."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from treewright.trees.relations.lexicon import PUNCTUATION_WORDS
from treewright.trees.relations.nodes import Node, link, read_nodes
from treewright.trees.relations.reshape import reshape
from treewright.trees.relations.table import DEPENDENT, relation_name
from treewright.trees.tree import Tree


class Relation(NamedTuple):
    """A typed dependency between two words, counted from 1."""

    label: str
    head: int
    dependent: int


def relations(tree: Tree) -> tuple[Relation, ...]:
    """Return the tree's grammatical relations, ordered by dependent.

    They follow the basic Stanford dependencies of 2010: every word except the head word of the
    sentence has one governor. Punctuation is left out.
    """
    root = read_nodes(tree)
    if root is None:
        return ()
    reshape(root)
    words = tree.words()
    found: list[tuple[Node, Relation]] = []
    passive: set[int] = set()
    for node in link(root):
        parent = node.parent
        if parent is None or node.head == parent.head or is_punctuation(words[node.head - 1]):
            continue
        name = relation_name(node, parent)
        if name == "auxpass":
            passive.add(parent.head)
        found.append((node, Relation(name, parent.head, node.head)))
    corrected = [_corrected(node, relation, passive) for node, relation in found]
    return tuple(sorted(corrected, key=attrgetter("dependent")))


def is_punctuation(word: str) -> bool:
    """Whether a word is punctuation, which takes part in no relation."""
    return word in PUNCTUATION_WORDS


_PASSIVE = {"nsubj": "nsubjpass", "csubj": "csubjpass"}


def _corrected(node: Node, relation: Relation, passive: set[int]) -> Relation:
    """Correct what can be recognised only when all relations are known."""
    if relation.head in passive and relation.label in _PASSIVE:
        return relation._replace(label=_PASSIVE[relation.label])
    if relation.label == DEPENDENT and node.label in ("PRP$", "WP$"):
        return relation._replace(label="poss")
    return relation

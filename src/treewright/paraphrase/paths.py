"""Paths of grammatical relations from a verb to the nouns around it (Lin & Pantel 2001, DIRT).

`>nsubj company` is a subject, `>prep to >pobj level` what follows a preposition, `<rcmod share` a
noun with a relative clause: each is a slot of the verb, with the noun that fills it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treewright.paraphrase.patterns import FAMILIES
from treewright.trees import Tree
from treewright.trees.relations import relations

LONGEST = 3
"""The most relations of a path."""
_ENDS = frozenset((*FAMILIES["NN"], "PRP", "CD"))
_THROUGH = frozenset((*FAMILIES["VB"], "IN", "TO", "MD"))


class Arc(NamedTuple):
    """A relation from a word to another: `>` to a dependent, `<` to the governor."""

    name: str
    place: int


def arcs_of(tree: Tree, words: Sequence[str], tags: Sequence[str]) -> list[list[Arc]]:
    """Return the relations of each word; those to prepositions are named after them."""
    found: list[list[Arc]] = [[] for _ in words]
    for label, head, dependent in relations(tree):
        one, other = head - 1, dependent - 1
        is_preposition = label == "prep" and tags[other] in _THROUGH
        found[one].append(Arc(f">{label} {words[other]}" if is_preposition else f">{label}", other))
        found[other].append(Arc(f"<{label}", one))
    return found


def paths(arcs: Sequence[Sequence[Arc]], tags: Sequence[str], verb: int) -> list[Arc]:
    """Return the shortest paths from a verb to nouns, none of which leads through another."""
    found: list[Arc] = []
    seen = {verb}
    reached = [Arc("", verb)]
    for _ in range(LONGEST):
        steps = [
            Arc(f"{path} {arc.name}".lstrip(), arc.place)
            for path, place in reached
            for arc in arcs[place]
        ]
        reached = []
        for step in steps:
            if step.place in seen:
                continue
            seen.add(step.place)
            if tags[step.place] in _ENDS:
                found.append(step)
            elif tags[step.place] in _THROUGH:
                reached.append(step)
    return found

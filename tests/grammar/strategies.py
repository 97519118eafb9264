"""Random rules with hostile names; random trees, pairs and grammars that fit one another."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from itertools import count
from typing import Any

from hypothesis import strategies as st

from treewright.corpora import Pair
from treewright.grammar import UNLINKED, Extraction, Rule, TargetString
from treewright.trees import Tree

from ..profiles import examples

quick = examples(60)

LABELS = ["S", "NP", "VP"]
TAGS = ["N", "V", "NP"]  # one category is also a tag
WORDS = ["a", "b", "c", ",", "7"]

hostile = st.text(
    st.one_of(
        st.sampled_from('/()[]ε\\->u{}20@"0-1 \t\n\x1c\x85\u2028\u3000aNé漢'),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=5,
)
names = st.one_of(st.sampled_from([*LABELS, "ε", "->", "\\", "/", ""]), hostile)


@st.composite
def fragments(draw: Any, depth: int = 3, *, bare: bool = False) -> Tree:
    """A fragment with hostile names; a frontier node alone only if `bare`."""
    label = draw(names)
    shapes = ["word", "children", "children"] if depth else ["word"]
    shape = draw(st.sampled_from([*shapes, "frontier"] if bare else shapes))
    if shape == "frontier":
        return Tree(label)
    if shape == "word":
        return Tree(label, word=draw(names))
    child = fragments(depth - 1, bare=True)
    return Tree(label, draw(st.lists(child, min_size=1, max_size=3)))


@st.composite
def rules(draw: Any) -> Rule:
    """Any rule: deletions, insertions, links that cross, ε on either side, bare targets."""
    kind = draw(st.sampled_from(["both", "both", "both", "delete", "insert"]))
    source = None if kind == "insert" else draw(fragments())
    targets = st.one_of(fragments(bare=kind == "both"), strings())
    return draw(linked(source, None if kind == "delete" else draw(targets), aligned=True))


@st.composite
def strings(draw: Any) -> TargetString:
    """A string target of hostile words and some variables."""
    return TargetString(tuple(draw(st.lists(names | st.none(), max_size=5))))


@st.composite
def linked(
    draw: Any, source: Tree | None, target: Tree | TargetString | None, *, aligned: bool = False
) -> Rule:
    """Two sides with random links, perhaps with some links of their words."""
    free = list(range(_frontier(target)))
    links = []
    for _ in range(_frontier(source)):
        link = draw(st.sampled_from([*free, UNLINKED]))
        links.append(link)
        if link != UNLINKED:
            free.remove(link)
    alignment = None
    if aligned and draw(st.booleans()):
        words = [range(len(side.words())) if side is not None else () for side in (source, target)]
        every = list(itertools.product(*words))
        chosen = draw(st.sets(st.sampled_from(every), max_size=4)) if every else set()
        alignment = tuple(sorted(chosen))
    return Rule(source, target, tuple(links), alignment)


def _frontier(side: Tree | TargetString | None) -> int:
    if isinstance(side, TargetString):
        return side.items.count(None)
    return 0 if side is None else sum(node.is_frontier for node in side.nodes())


@st.composite
def trees(draw: Any, depth: int = 3) -> Tree:
    """A small sentence."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return Tree(draw(st.sampled_from(TAGS)), word=draw(st.sampled_from(WORDS)))
    children = draw(st.lists(trees(depth - 1), min_size=1, max_size=3))
    return Tree(draw(st.sampled_from(LABELS)), children)


@st.composite
def extractive_pairs(draw: Any, depth: int = 3) -> Pair:
    """A tree and what is left of it after some words and subtrees are deleted."""
    return _pair(draw, draw(trees(depth)), ["keep"] * 3 + ["drop"])


@st.composite
def pairs(draw: Any, depth: int = 3) -> Pair:
    """A tree and a reworked one: deleted, inserted, renamed, moved; links missing and added."""
    changes = ["drop", "rename", "splice", "wrap", "insert", "turn"]
    pair = _pair(draw, draw(trees(depth)), ["keep"] * 8 + changes)
    assert pair.alignment is not None
    words, target_words = len(pair.source.words()), len(pair.target.words())
    link = st.tuples(st.integers(0, words - 1), st.integers(0, target_words - 1))
    noise = set(draw(st.lists(link, max_size=1)))
    alignment = tuple(sorted(set(pair.alignment) ^ noise)) or pair.alignment
    return Pair(pair.id, pair.source, pair.target, alignment)


def _pair(draw: Any, source: Tree, changes: list[str]) -> Pair:
    made = _rework(draw, source, changes, count())
    words = [origin for _, origins in made for origin in origins]
    if not any(origin >= 0 for origin in words):
        identity = tuple((i, i) for i in range(len(source.words())))
        return Pair("kept", source, source, identity)
    whole = len(made) == 1 and not made[0][0].is_preterminal
    target = made[0][0] if whole else Tree(source.label, [tree for tree, _ in made])
    links = tuple(sorted((origin, j) for j, origin in enumerate(words) if origin >= 0))
    return Pair("reworked", source, target, links)


def _rework(
    draw: Any, node: Tree, changes: list[str], position: Iterator[int]
) -> list[tuple[Tree, list[int]]]:
    """Return what becomes of a node: trees, each with the source positions of its words."""
    change = draw(st.sampled_from(changes))
    if node.word is not None:
        here = next(position)
        word = draw(st.sampled_from(WORDS)) if change == "rename" else node.word
        return [] if change == "drop" else [(Tree(node.label, word=word), [here])]
    made = [part for child in node.children for part in _rework(draw, child, changes, position)]
    if change == "insert":
        made.insert(draw(st.integers(0, len(made))), (draw(trees(1)), []))
        made = [(tree, origins or [-1] * len(tree.words())) for tree, origins in made]
    if change == "turn":
        made.reverse()
    if change == "drop" or not made:
        return []
    if change == "splice":
        return made
    label = draw(st.sampled_from(LABELS)) if change == "rename" else node.label
    whole = Tree(label, [tree for tree, _ in made])
    if change == "wrap":
        whole = Tree(draw(st.sampled_from(LABELS)), [whole])
    return [(whole, [origin for _, origins in made for origin in origins])]


@st.composite
def cuts(draw: Any, tree: Tree, *, bare: bool = False) -> Tree:
    """A fragment that matches somewhere in a tree."""
    node = draw(st.sampled_from(list(tree.nodes())))
    return Tree(node.label) if bare and draw(st.integers(0, 4)) == 0 else draw(_cut(node))


@st.composite
def _cut(draw: Any, node: Tree) -> Tree:
    if node.word is not None:
        return node
    children = [
        Tree(child.label) if draw(st.booleans()) else draw(_cut(child)) for child in node.children
    ]
    return Tree(node.label, children)


@st.composite
def fitting_rules(draw: Any, pair: Pair, *, extracted: bool = True) -> tuple[Rule, ...]:
    """Rules for a pair: some of its own, some cut out at random and linked at random."""
    found = list(Extraction(parts=2, min_count=1)([pair])) if extracted else []
    kept = [rule for rule in found if draw(st.integers(0, 9)) > 0]
    for _ in range(draw(st.integers(0, 6))):
        source = draw(st.none() | cuts(pair.source) | cuts(pair.source))
        keep = source is not None
        target = draw(cuts(pair.target, bare=keep))
        if keep and draw(st.integers(0, 4)) == 0:
            kept.append(Rule(source, None, (UNLINKED,) * _frontier(source)))
        else:
            kept.append(draw(linked(source, target)))
    return tuple(dict.fromkeys(kept))

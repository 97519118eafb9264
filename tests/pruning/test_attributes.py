"""Attributes of nodes, gaps and tokens: by hand, and on trees of all shapes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning import gaps
from treewright.pruning.features import attributes
from treewright.pruning.features.keys import KeyMaker
from treewright.pruning.features.surroundings import EDGE, Surroundings, hashed
from treewright.trees import Tree, TreeTable, parse_tree

from ..grammar.strategies import quick, trees
from .test_gaps import flat_tree, gaps_of

SENTENCE = parse_tree(
    "(S (NP (DT The) (JJ old) (NN dog)) (VP (VBZ barks) (ADVP (RB not) (RB 2))) (. .))"
)
# Nodes: S NP The old dog VP barks ADVP not 2 . ; `-` is the edge.
NODES = {
    "label": "S NP DT JJ NN VP VBZ ADVP RB RB .",
    "head_tag": "VBZ NN DT JJ NN VBZ VBZ RB RB RB .",
    "head_word": "barks dog the old dog barks barks 2 not 2 .",
    "first_tag": "DT DT DT JJ NN VBZ VBZ RB RB RB .",
    "first_word": "the the the old dog barks barks not not 2 .",
    "last_tag": ". NN DT JJ NN RB VBZ RB RB RB .",
    "last_word": ". dog the old dog 2 barks 2 not 2 .",
    "parent": "- S NP NP NP S VP VP ADVP ADVP S",
    "grandparent": "- - S S S - S S VP VP -",
    "head_sibling": "- VP NN NN NN VP VBZ VBZ RB RB VP",
    "previous": "- - - DT JJ NP - VBZ - RB VP",
    "following": "- VP JJ NN - . ADVP - RB - -",
    "governor_tag": "- VBZ NN NN VBZ - - VBZ RB VBZ VBZ",
    "governor_word": "- barks dog dog barks - - barks 2 barks barks",
    "tag_before": "- - - DT JJ NN NN VBZ VBZ RB RB",
    "word_before": "- - - the old dog dog barks barks not 2",
    "tag_behind": "- VBZ JJ NN VBZ . RB . RB . -",
    "word_behind": "- barks old dog barks . not . 2 . -",
    "words": [5, 3, 1, 1, 1, 3, 1, 2, 1, 1, 1],
    "is_head": [0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0],
    "side": [0, 2, 2, 2, 1, 1, 1, 0, 2, 1, 0],
    "distance": [0, 1, 2, 1, 0, 0, 0, 1, 1, 0, 1],
    "place": [0, 0, 0, 1, 2, 1, 0, 1, 0, 1, 2],
    "depth": [0, 1, 2, 2, 2, 1, 2, 2, 3, 3, 1],
    "shapes": [15, 4, 4, 0, 0, 11, 8, 3, 1, 2, 0],
    "position": [24, 8, 8, 0, 1, 2, 2, 2, 2, 3, 20],
}
# Gaps of S, by their right ends: before NP; NP gone; NP | VP; NP VP gone; VP gone; VP | . ;
# VP . gone; . gone; behind all.
GAPS = {
    "gap_parent": "S S S S S S S S S",
    "gap_grandparent": "- - - - - - - - -",
    "left": "- - NP - NP VP NP VP .",
    "right": "NP VP VP . . . - - -",
    "left_tag": "- - NN - NN RB NN RB .",
    "left_word": "- - dog - dog 2 dog 2 .",
    "right_tag": "DT VBZ VBZ . . . - - -",
    "right_word": "the barks barks . . . - - -",
    "left_head": "- - NN - NN VBZ NN VBZ .",
    "right_head": "NN VBZ VBZ . . . - - -",
    "parent_tag": "VBZ VBZ VBZ VBZ VBZ VBZ VBZ VBZ VBZ",
    "gap_first_tag": "- DT - DT VBZ - VBZ . -",
    "gap_last_tag": "- NN - RB RB - . . -",
    "gap_first_word": "- the - the barks - barks . -",
    "gap_last_word": "- dog - 2 2 - . . -",
    "left_place": [-1, -1, 0, -1, 0, 1, 0, 1, 2],
    "right_place": [0, 1, 1, 2, 2, 2, -1, -1, -1],
    "is_empty": [1, 0, 1, 0, 0, 1, 0, 0, 1],
    "children": [0, 1, 0, 2, 1, 0, 2, 1, 0],
    "gap_words": [0, 3, 0, 5, 3, 0, 4, 1, 0],
    "head_inside": [0, 8, 8, 1, 1, 6, 1, 6, 2],
}
TOKENS = {
    "token_word": "the old dog barks not 2 .",
    "token_tag": "DT JJ NN VBZ RB RB .",
    "token_tag_before": "- DT JJ NN VBZ RB RB",
    "token_tag_behind": "JJ NN VBZ RB RB . -",
    "token_governor_tag": "NN NN VBZ - RB VBZ VBZ",
    "token_governor_word": "dog dog barks - 2 barks barks",
    "token_shape": [4, 0, 0, 8, 1, 2, 16],
    "token_governs": [0, 0, 2, 3, 0, 1, 0],
}
Expected = str | list[int]
KINDS: list[tuple[Mapping[str, attributes.Attribute], Mapping[str, Expected]]] = [
    (attributes.NODE, NODES),
    (attributes.GAP, GAPS),
    (attributes.TOKEN, TOKENS),
]
BY_HAND = [
    pytest.param(known[name], expected, id=name)
    for known, by_hand in KINDS
    for name, expected in by_hand.items()
    if name in known
]


def look_around(tree: Tree) -> Surroundings:
    return Surroundings.of(TreeTable(tree), gaps_of(tree))


@cache
def sentence() -> Surroundings:
    return look_around(SENTENCE)


@pytest.mark.parametrize(("attribute", "expected"), BY_HAND)
def test_attributes_by_hand(attribute: attributes.Attribute, expected: Expected) -> None:
    if isinstance(expected, str):
        expected = [EDGE if name == "-" else hashed(name) for name in expected.split()]
    found = [int(value) for value in attribute(sentence())]
    if attribute in attributes.TOKEN.values():
        found = found[1:-1]
    assert found[: len(expected)] == expected


def test_productions_are_told_apart() -> None:
    tree = look_around(parse_tree("(S (A (B b) (C c)) (A (B b) (C d)) (A (B b)) (B B))"))
    production = tree.production.tolist()
    a, b, other, word = production[1], production[4], production[7], production[9]
    assert a == b != other
    assert word == hashed("b") == production[2]


@quick
@given(tree=trees(), longest=st.sampled_from([1, 2, 12]))
def test_the_labels_of_gaps_are_told_apart(tree: Tree, longest: int) -> None:
    table = TreeTable(tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gaps, "LONGEST", longest)
        around = look_around(tree)
    found: dict[tuple[str, ...], int] = {}
    listed = around.gaps
    for parent, first, last, value in zip(
        listed.parent.tolist(),
        listed.first.tolist(),
        listed.last.tolist(),
        attributes.GAP["labels"](around).tolist(),
        strict=True,
    ):
        held = [y for y in table.children[parent] if first >= 0 and first <= y <= last]
        labels = tuple(table.nodes[y].label for y in held)
        assert found.setdefault(labels, value) == value
    assert len(set(found.values())) == len(found)


@given(trees())
def test_heads_and_governors_agree_with_each_other(tree: Tree) -> None:
    around = look_around(tree)
    size = around.size
    for x in range(size):
        child = around.head_child[x]
        assert around.head[x] == (around.first[x] if child < 0 else around.head[child])
        assert around.first[x] <= around.head[x] <= around.last[x]
        above = int(around.parent[x])
        while above >= 0 and around.head[above] == around.head[x]:
            above = int(around.parent[above])
        assert around.governor[x] == (around.head[above] if above >= 0 else 0)
    # Every token but one has another above it, and no circle leads back.
    assert np.count_nonzero(around.token_governor[1:-1] == 0) == 1
    for token in range(1, len(around.tag) - 1):
        seen = set()
        while token > 0:
            assert token not in seen
            seen.add(token)
            token = int(around.token_governor[token])


ODD_TREES = {
    "one token": Tree("A", word="a"),
    "one token below": Tree("S", [Tree("A", word="a")]),
    "unary chain": parse_tree("(S (A (B (C (D d)))))"),
    "no gap": parse_tree("(S (A (B b)))"),
    "flat": flat_tree(40),
    "leaves without words": Tree("S", [Tree("A"), Tree("B", word="b"), Tree("C", [Tree("D")])]),
    "no words": Tree("S"),
    "punctuation": parse_tree("(S (. .) (, ,))"),
    "strange letters": Tree("S", [Tree("\ud800", word="İ"), Tree("ε", word="\udfff")]),
}


@pytest.mark.parametrize("name", ODD_TREES)
def test_all_attributes_of_odd_trees(name: str) -> None:
    around = look_around(ODD_TREES[name])
    words = len(ODD_TREES[name].words())
    sizes = (around.size, len(around.gaps.parent), words + 2)
    for (known, _), size in zip(KINDS, sizes, strict=True):
        for attribute in known.values():
            values = attribute(around)
            assert values.shape == (size,)
            assert values.dtype.kind in "iub"
    keys = KeyMaker.of()(around)
    assert [len(part) for part in keys] == [*sizes[:2], words]

"""Head finding, syntactic and semantic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.trees import Tree, TreeTable, parse_tree
from treewright.trees.heads import (
    base_label,
    head_child,
    semantic_head_child,
    word_set,
)

LABELS = sorted(word_set("S NP VP PP ADJP ADVP SBAR QP CONJP SQ XYZ NN CC , ."))
WORDS = sorted(word_set("is there the , and x"))
preterminals = st.builds(
    lambda label, word: Tree(label, word=word), st.sampled_from(LABELS), st.sampled_from(WORDS)
)
trees = st.recursive(
    preterminals,
    lambda below: st.builds(Tree, st.sampled_from(LABELS), st.lists(below, min_size=1, max_size=5)),
    max_leaves=20,
)


def syntactic(text: str) -> str:
    tree = parse_tree(text)
    return tree.words()[TreeTable(tree).heads[0]]


def semantic(text: str) -> str:
    tree = parse_tree(text)
    return tree.words()[TreeTable(tree).semantic_heads[0]]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("(NP (DT the) (JJ red) (NN barn) (NN door))", "door"),
        ("(NP (NP (DT a) (NN door)) (PP (IN of) (NP (NN oak))))", "door"),
        ("(NP (NP (NNP Ann)) (CC and) (NP (NNP Bob)))", "Ann"),
        ("(NP (NN tea) (CC or) (NN milk))", "tea"),
        ("(NP (NNP Ann) (POS 's))", "'s"),
        ("(PP (IN of) (NP (NN oak)))", "of"),
        ("(VP (MD may) (VP (VB rain)))", "may"),
        ("(S (NP (PRP it)) (VP (VBD rained)))", "rained"),
        ("(S (S (VP (VBP go))) (CC and) (S (VP (VBP see))))", "go"),
        ("(SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained))))", "that"),
        ("(QP (RB about) (CD ten))", "ten"),
        ("(ADVP (RB very) (RB soon))", "soon"),
        ("(S-TPC-1 (NP-SBJ (PRP it)) (VP (VBD rained)))", "rained"),
        ("(MYSTERY (, ,) (NN one) (NN two))", "one"),
        ("(S (NP (Nh 他)) (D 不) (VC 看) (NP (Na 书)))", "看"),
        ("(NP (N (Nh 我) (DE 的)) (Na 书))", "书"),
        ("(N (Na 茶) (C 和) (Na 奶))", "茶"),
        ("(PP (P 在) (GP (NP (Na 桌子)) (Ng 上)))", "在"),
        ("(GP (NP (Na 桌子)) (Ng 上))", "上"),
        ("(VP (VP (VC 看) (NP (Na 书))) (DE 的))", "看"),
        ("(MYSTERY (PU ，) (Na 一) (Na 二))", "一"),
    ],
)
def test_syntactic_head_follows_the_table(text: str, head: str) -> None:
    assert syntactic(text) == head


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("(VP (MD may) (VP (VB rain)))", "rain"),
        ("(VP (VBZ has) (VP (VBN been) (VP (VBN sold))))", "sold"),
        ("(VP (VBZ has) (NP (NN time)))", "has"),
        ("(S (NP (PRP he)) (VP (VBZ is) (ADJP (JJ tall))))", "tall"),
        ("(S (NP (PRP he)) (VP (VBZ becomes) (NP (DT a) (NN king))))", "king"),
        ("(S (NP (EX there)) (VP (VBZ is) (NP (DT a) (NN king))))", "is"),
        ("(SQ (VBZ is) (NP (PRP he)) (NP (DT a) (NN king)))", "king"),
        ("(SBARQ (WHNP (WP who)) (SQ (VBZ is) (NP (DT the) (NN king))))", "is"),
        ("(SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained))))", "rained"),
        ("(WHNP (WDT which) (NN king))", "king"),
        ("(NP (NNP Ann) (POS 's))", "Ann"),
        ("(NP (NN tea) (, ,) (NN milk) (CC or) (NN rum))", "tea"),
        ("(QP (CD three) (CD million))", "million"),
        ("(VP (, ,) (INTJ (UH er)))", "er"),
    ],
)
def test_semantic_head_prefers_content(text: str, head: str) -> None:
    assert semantic(text) == head


def test_head_of_a_lone_child_or_no_child_is_the_first() -> None:
    assert head_child(parse_tree("(NP (, ,))")) == 0
    assert semantic_head_child(Tree("NN", word="oak")) == 0
    assert head_child(Tree("NP")) == 0


def test_frontier_nodes_have_no_head_word() -> None:
    assert TreeTable(Tree("S", [Tree("NP"), Tree("VP", word="go")])).heads == [0, -1, 0]
    assert TreeTable(Tree("S")).heads == [-1]


@pytest.mark.parametrize(
    ("label", "base"),
    [("NP-SBJ-1", "NP"), ("NP=2", "NP"), ("ADVP|PRT", "ADVP"), ("-LRB-", "-LRB-"), ("NP", "NP")],
)
def test_base_label_drops_function_tags(label: str, base: str) -> None:
    assert base_label(label) == base


@given(trees, st.booleans())
def test_a_node_s_head_word_is_that_of_its_head_child(tree: Tree, semantic: bool) -> None:
    table = TreeTable(tree)
    heads = table.semantic_heads if semantic else table.heads
    nodes = list(tree.nodes())
    assert len(heads) == len(nodes)
    # In preorder the subtree of a node follows it, so children are found by skipping subtrees.
    sizes = {id(node): sum(1 for _ in node.nodes()) for node in nodes}
    stack = [(tree, None, 0)]
    while stack:
        node, parent, index = stack.pop()
        places = []
        below = index + 1
        for child in node.children:
            places.append(below)
            stack.append((child, node, below))
            below += sizes[id(child)]
        if places:
            place = semantic_head_child(node, parent) if semantic else head_child(node)
            assert heads[index] == heads[places[place]]


def test_head_words_reach_any_depth() -> None:
    tree = Tree("NN", word="oak")
    for _ in range(5000):
        tree = Tree("NP", [Tree("DT", word="the"), tree])
    assert TreeTable(tree).heads[0] == 5000

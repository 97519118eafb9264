"""In the trees, `*` marks the nodes that are held to their parents."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning.guards import negation_words
from treewright.pruning.guards.negation import inseparable
from treewright.trees import Tree, TreeTable, parse_tree

from .examples import EXAMPLES, Prunings, parsed, trees_over

TREES = """
(S (NP (PRP He)) (VP (*VBD did) (*RB not) (*VP (*VB say) (SBAR (IN that) (S (NP (PRP I)) (VP
    (VBP lie)))))))
(S (NP (PRP He)) (VP (*VBD did) (*RB n't) (*VP (*VB pay) (ADVP (RB yesterday)))))
(S (NP (PRP I)) (VP (*VBP do) (*RB n't) (*VP (*VB eat) (*NP (*JJ red) (*NN meat)) (NP (NN today)))))
(S (NP (PRP I)) (VP (*VBD did) (*RB n't) (*VP (*VB eat) (NP (NN today)))))
(S (NP (PRP It)) (VP (*VBD was) (*RB not) (*PP (*IN because) (*IN of) (*NP (*PRP me)))))
(S (NP (PRP It)) (VP (*VBZ is) (*RB n't) (*ADJP (*RB as) (*JJ good) (*PP (*IN as)
    (*NP (*NN gold))))))
(S (NP (PRP It)) (VP (*VBD failed) (*RB not) (*IN because) (*S (NP (PRP I)) (*VP (*VBD left)))))
(S (NP (PRP I)) (VP (*VBP have) (*RB not) (*VP (*VBN been) (*VP (*VBN paid) (ADVP (RB yet))))))
(S (NP (PRP It)) (VP (*VBZ is) (*RB not) (*PP (*IN in) (*NP (JJ daily) (*NN use)))))
(S (NP (PRP I)) (VP (*VBP do) (*RB not) (*VP (VP (VB eat)) (CC or) (VP (VB drink)))))
(SQ (*VBZ Is) (*RB n't) (*NP (*PRP it)) (*ADJP (RB very) (*JJ nice)) (. ?))
(S (NP (PRP He)) (VP (*VBD found) (*NP (*NP (*DT no) (*JJ hard) (*NN proof)) (PP (IN of) (NP
    (NN fraud))))))
(S (*NP (*DT No) (*NN one)) (*VP (*VBD came) (PP (TO to) (NP (NN town)))))
(S (*NP (*NP (*NN None)) (PP (IN of) (NP (PRP us)))) (*VP (*VBD was) (*VP (*VBN hurt))))
(S (*PP (*IN In) (*NP (*DT no) (*NN way))) (NP (PRP it)) (*VP (*VBZ matters) (ADVP (RB here))))
(S (NP (PRP He)) (VP (VBD met) (NP (NP (DT a) (NN man)) (PP (*IN of) (*NP (*DT no) (*NN rank))))))
(S (PP (*IN With) (*NP (*DT no) (*NN money))) (, ,) (NP (PRP he)) (VP (VBD left)))
(S (NP (PRP He)) (VP (VBD had) (NP (DT a) (ADJP (*RB not) (RB so) (*JJ good)) (NN idea))))
(S (NP (PRP She)) (VP (VBD left) (PP (*IN without) (*NP (DT a) (*NN word)))))
(S (NP (PRP She)) (VP (VBD ate) (PP (*RB instead) (*IN of) (*NP (*NN me)))))
(S (NP (PRP She)) (VP (VBD ate) (ADVP (RB instead))))
(S (*NP (*DT Neither) (*NP (*NN man)) (*CC nor) (*NP (*NN beast))) (*VP (*VBD came) (ADVP
    (RB home))))
(S (NP (PRP He)) (VP (*VBD wanted) (*NP (*NP (*NN tea)) (, ,) (*RB not) (*NP (JJ black)
    (*NN coffee)))))
(S (NP (PRP He)) (VP (*VBD came) (*RB not) (*PP (*PP (IN for) (NP (NN love))) (*CC but) (*PP
    (IN for) (NP (NN money))))))
(S (NP (PRP It)) (VP (*VBZ is) (*RB not) (*ADJP (*RB only) (*JJ cheap)) (*CC but) (ADVP
    (RB also)) (*RB fast)))
(S (NP (PRP She)) (*ADVP (*RB never)) (*VP (*VBD lied) (PP (TO to) (NP (PRP us)))))
(S (NP (PRP It)) (VP (*VBZ is) (*ADVP (*RB no) (*RBR longer)) (*ADJP (RB very) (*JJ new))))
(S (NP (PRP It)) (VP (*VBZ costs) (*NP (*QP (*RB no) (*JJR more) (*IN than) (*CD ten))
    (*NNS dollars)) (NP (NN today))))
(S (NP (PRP He)) (VP (*VBD did) (*RB not) (*VP (*VB leave) (*NP (*NN town)) (*PP (*IN until) (*NP
    (*NNP May))))))
(S (*PP (*IN Without) (*NP (DT a) (*NN key))) (, ,) (NP (PRP you)) (VP (*MD ca) (*RB n't) (*VP
    (*VB enter))))
(S (NP (EX There)) (VP (*VBD was) (*NP (*NP (*NN nothing)) (*PP (*CC but) (*NP (NN trouble))))))
(S (SBAR (*IN Unless) (*S (NP (PRP it)) (VP (VBZ rains)))) (, ,) (NP (PRP we)) (VP (VBP go)))
(S (NP (PRP We)) (VP (VBP go) (SBAR (*RB only) (*IN if) (*S (NP (PRP it)) (VP (VBZ rains))))))
(S (NP (PRP I)) (VP (VBP wonder) (SBAR (*IN whether) (*CC or) (*RB not) (*S (NP (PRP he)) (*VP
    (*VBZ pays))))))
(S (INTJ (UH No)) (, ,) (NP (PRP he)) (VP (VBD came)))
(FRAG (*INTJ (*UH No)) (, ,) (*NP (*NNS thanks)) (. .))
(FRAG (*RB Not) (*RB yet) (. .))
(S (NP (NNP No) (. .) (CD 11)) (VP (VBD won)))
(S (NP (NNP No) (CD 10)) (VP (VBD had) (NP (DT a) (JJ few) (NNS guests))))
(S (*NP (*JJ Few) (*NNS guests)) (*VP (*VBD came) (ADVP (RB early))))
(S (NP (PRP He)) (VP (VBD failed) (S (VP (TO to) (VP (VB look) (ADJP (JJ unhappy)))))))
(ROOT (NN x) (*VP (*VBD did)) (*X (*RB n't) (*VB go)) (NN y))
(ROOT (X (NN x)) (*X (*X (*RB not))) (*VB go) (NN y))
"""
WORDS = "No , we ca n't , will NOT and don’t go without a few of the No 5 if nothing rains"


@pytest.mark.parametrize("marked", re.sub(r"\n +", " ", TREES).strip().splitlines())
def test_held_nodes(marked: str) -> None:
    tree = parse_tree(marked.replace("(*", "("))
    expected = [label.startswith("*") for label in re.findall(r"\(([^\s()]+)", marked)]
    held = inseparable(TreeTable(tree)).whole
    found = iter(range(len(expected)))
    shown = re.sub(r"\(\*?", lambda _: "(*" if next(found) in held else "(", marked)
    assert shown == marked


@pytest.mark.parametrize(
    ("text", "weighed"),
    [
        ("(VP (VBZ has) (NP (NP (NNS beds)) (CC and) (NP (DT no) (NN bath))))", ["no bath"]),
        ("(VP (VBZ has) (NP (NP (DT no) (NN bath)) (CC and) (NP (NNS beds))))", []),
        ("(VP (VBZ has) (NP (NP (NNS beds)) (CC or) (NP (DT no) (NN bath))))", []),
        ("(VP (VBD ate) (CC and) (VBD drank) (NP (NN nothing)))", []),
        ("(S (CC But) (NP (PRP he)) (ADVP (RB never)) (VP (VBD paid)))", []),
        ("(VP (VBZ is) (ADJP (JJ ill)) (CC and) (ADVP (RB no) (RBR longer)) (ADJP (JJ fit)))", []),
        ("(S (CC And) (PP (IN at) (NP (DT no) (NN time))) (NP (PRP he)) (VP (VBD lied)))", []),
    ],
)
def test_a_denial_is_weighed_only_if_it_is_one_of_several_things(
    text: str, weighed: list[str]
) -> None:
    source = TreeTable(parse_tree(text))
    found = inseparable(source).weighed
    assert [" ".join(source.nodes[x].words()) for x in sorted(found)] == weighed


def test_what_one_denial_weighs_another_may_hold() -> None:
    several = "(NP (NP (NNS areas)) (CC and) (NP (DT no) (NN valley)))"
    both = f"(NP {several} (PP (IN for) (NP (DT no) (NN man))))"
    source = TreeTable(parse_tree(f"(VP (VBZ is) (NP (NP (NNS towns)) (PP (IN in) {both})))"))
    [phrase] = [x for x, node in enumerate(source.nodes) if node.words()[0] == "in" and x][:1]
    assert phrase in inseparable(source).held


def test_words_that_negate() -> None:
    words = WORDS.split()
    found = [words[place] for place in sorted(negation_words(words))]
    assert found == ["No", "n't", "NOT", "don’t", "without", "nothing"]


@pytest.mark.parametrize(
    "index", range(len(EXAMPLES)), ids=lambda index: EXAMPLES[index]["text"][:30]
)
def test_negation_stays_in_parsed_sentences(index: int) -> None:
    example, sentence, tree = parsed()[index]
    prunings = Prunings(tree, inseparable(TreeTable(tree)).held)
    rng = Random(index)
    drawn = [prunings.draw(rng) for _ in range(200)]
    for negation, negated in example["negated"]:
        first, second = (place_of(word, sentence.words) for word in (negation, negated))
        assert first in prunings.forced_by(second), (negation, negated, str(tree))
        assert all(first in kept for kept in drawn if second in kept)


def place_of(word: str, words: tuple[str, ...]) -> int:
    assert words.count(word) == 1, f"{word} must be there once"
    return words.index(word)


def test_the_set_is_large_and_well_formed() -> None:
    assert len(EXAMPLES) >= 70
    assert len({example["text"] for example in EXAMPLES}) == len(EXAMPLES)
    for example in EXAMPLES:
        assert set(example) == {"text", "keep", "must", "negated"}
        assert len(example["text"].split()) <= 45
        assert example["must"] or example["negated"]


LOADED = (
    "not n't no No never neither nor none nobody without instead of but until unless if whether or"
    " only all more than few a hardly don't cannot dog pay , . 5 \" -LRB-"
)
DENIED = ("VB", "VBD", "JJ", "NN")


@st.composite
def odd_trees(draw: st.DrawFn) -> Tree:
    words = draw(st.lists(st.sampled_from(LOADED.split()), min_size=1, max_size=14))
    return draw(trees_over(tuple(words)))


@given(odd_trees())
def test_any_tree(tree: Tree) -> None:
    held = inseparable(TreeTable(tree))
    assert held == inseparable(TreeTable(parse_tree(str(tree))))
    assert held.whole <= set(range(1, len(list(tree.nodes()))))


@given(odd_trees(), st.integers(0, 99))
def test_in_any_tree_negation_stays_with_its_neighbours(tree: Tree, seed: int) -> None:
    words = tree.words()
    tags = [node.label for node in tree.preterminals()]
    prunings = Prunings(tree, inseparable(TreeTable(tree)).held)
    drawn = prunings.draw(Random(seed))
    for place, word in enumerate(words):
        if word == "n't" and place:
            assert place in prunings.forced_by(place - 1)
            assert place - 1 in prunings.forced_by(place)
        denied = words[place + 1 : place + 2] in (("dog",), ("pay",)) and tags[place + 1] in DENIED
        if word in ("not", "never") and denied:
            assert place in prunings.forced_by(place + 1)
            assert place in drawn or place + 1 not in drawn


@given(st.lists(st.text(min_size=1, max_size=5), max_size=8))
def test_any_words(words: list[str]) -> None:
    assert negation_words(words) <= set(range(len(words)))


def test_depth_and_width_cost_little() -> None:
    deep: Any = Tree("NN", word="no")
    for _ in range(1500):
        deep = Tree("NP", [Tree("DT", word="no"), deep])
    assert len(inseparable(TreeTable(deep)).whole) == 3000
    for _ in range(1500):
        deep = Tree("PP", [Tree("IN", word="without"), deep])
    assert len(inseparable(TreeTable(deep)).whole) == 6000
    flat = Tree("ROOT", [Tree("RB", word="not")] * 1000)
    assert len(inseparable(TreeTable(flat)).whole) == 1000

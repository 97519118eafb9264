"""The pass over a sentence: whatever the tree, what belongs together stays together."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning.guards.meaning import FAITHFUL, bound_words, limiting_places, meaningful
from treewright.pruning.guards.meaning.rows import NORMAL, STRICT
from treewright.pruning.guards.meaning.table import instances
from treewright.pruning.guards.outline import Outline
from treewright.trees import Tree, TreeTable, parse_tree

from ..examples import Prunings, trees_over

PIECES = """
only tea|at least five|no more than 5|up to $ 3 million|unless|if|provided that|as long as|except
other than|apart from|too old to|so cold that|the sooner the better|as good as|better than|almost
possibly|may|seems to|said to|alleged|former|acting|first|half of|most of|some|both A and B
either A or B|according to|he said|claims|denied|ruled out|but only|, not|although|instead
rather than|30 June 2024
between A and B|from Monday to Friday|` f x `|" so "|Dr. Smith|make sure|who|that
not|never|nobody|without|every|all|those|were he|Should you|, |. |?|dog|barks|old|and|or|of|in
"""
BOUND = ["at least five", "only tea", "no more than 5", "other than", "Dr. Smith", "$ 3 million"]


@st.composite
def loaded_trees(draw: st.DrawFn) -> Tree:
    pieces = draw(st.lists(st.sampled_from(PIECES.replace("\n", "|").strip("|").split("|"))))
    words = " ".join(pieces).split()[:16] or ["dog"]
    return draw(trees_over(tuple(words)))


@given(loaded_trees(), st.sampled_from(FAITHFUL))
def test_any_tree(tree: Tree, faithful: str) -> None:
    table = TreeTable(tree)
    held = meaningful(table, faithful)
    assert held == meaningful(TreeTable(parse_tree(str(tree))), faithful)
    assert held.whole <= set(range(1, len(table)))
    assert meaningful(table, NORMAL).whole <= meaningful(table, STRICT).whole
    assert bound_words(table, faithful) <= set(range(len(table.words) - 1))


@given(loaded_trees(), st.integers(0, 99), st.sampled_from(FAITHFUL))
def test_in_any_tree_the_words_of_a_phrase_stay_or_go_together(
    tree: Tree, seed: int, faithful: str
) -> None:
    table = TreeTable(tree)
    kept = Prunings(tree, meaningful(table, faithful).held).draw(Random(seed))
    for _, first, last in instances(Outline(table), faithful):
        assert len({place in kept for place in range(first, last + 1)}) == 1


@given(st.sampled_from(BOUND), st.data(), st.sampled_from(FAITHFUL))
def test_in_any_tree_a_pattern_is_bound_to_the_next_word(
    pattern: str, data: st.DataObject, faithful: str
) -> None:
    """Even where the parser puts the words into different constituents."""
    words = pattern.split()
    tree = data.draw(trees_over(("a", "dog", *words, "barks")))
    tags = {"only": "RB", "five": "CD", "3": "CD", "million": "CD", "Smith": "NNP", "tea": "NN"}
    tree = retagged(tree, tags)
    prunings = Prunings(tree, meaningful(TreeTable(tree), faithful).held)
    places = range(2, 2 + len(words))
    for place in places:
        assert set(places) <= prunings.forced_by(place)


def retagged(tree: Tree, tags: dict[str, str]) -> Tree:
    if tree.word is not None:
        return Tree(tags.get(tree.word, tree.label), word=tree.word)
    return Tree(tree.label, [retagged(child, tags) for child in tree.children])


@pytest.mark.parametrize(
    ("words", "bound"),
    [
        ("it takes at least five days", ["at least", "least five", "five days"]),
        ("they only drink tea", ["only drink"]),
        ("no dogs other than mine", ["other than", "than mine", "no dogs"]),
        ("dogs bark", []),
    ],
)
def test_strings_are_bound_by_neighbours(words: str, bound: list[str]) -> None:
    split = words.split()
    tags = {"five": "CD", "only": "RB", "no": "DT", "dogs": "NNS"}
    tree = Tree("NP", [Tree(tags.get(word, "NN"), word=word) for word in split])
    found = [" ".join(split[place : place + 2]) for place in bound_words(TreeTable(tree), NORMAL)]
    assert sorted(found) == sorted(bound)


def test_depth_and_width_cost_little() -> None:
    for label in ("SBAR", "VP", "NP", "PP"):
        deep = Tree("NN", word="dog")
        for word in ["if", "only", "at", "least", "all", "who", "than", "not"] * 120:
            deep = Tree(label, [Tree("IN", word=word), deep])
        assert len(meaningful(TreeTable(deep), STRICT).whole) > 900
    wide = Tree("S", [Tree("IN", word=word) for word in ["if", "than", "?", "the", "both"] * 190])
    assert meaningful(TreeTable(wide), STRICT).held


@pytest.mark.parametrize("order", ["unless because", "because unless"])
def test_a_condition_beside_another_clause_limits_the_sentence(order: str) -> None:
    clauses = {
        "unless": "(SBAR (IN unless) (S (NP (PRP it)) (VP (VBZ rains))))",
        "because": "(SBAR (IN because) (S (NP (PRP we)) (VP (VBP sleep))))",
    }
    one, other = (clauses[word] for word in order.split())
    tree = parse_tree(f"(S (VP (VB open) (NP (PRP it)) (SBAR {one} (, ,) {other})))")
    table = TreeTable(tree)
    held = meaningful(table, NORMAL).held
    texts = {" ".join(table.nodes[x].words()) for x in held}
    joined = next(x for x in range(len(table)) if table.labels[x] == "SBAR")
    assert joined in held
    assert "unless it rains" in texts
    assert "because we sleep" not in texts


def test_words_that_limit_what_stands_before_them_are_found_where_they_begin() -> None:
    tree = parse_tree(
        "(S (NP (NNP Rex)) (VP (VBZ barks) (, ,) (NP (RB at) (JJS most) (RB twice))) (. .))"
    )
    assert limiting_places(TreeTable(tree), NORMAL) == {3}

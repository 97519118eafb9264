"""Translation by rules against enumeration, and against the room of transduction."""

from __future__ import annotations

import numpy as np
import pytest

from tests.translation.syntax import plain_narrowing
from tests.translation.syntax.naive import Enumeration, scored
from tests.translation.syntax.toy import STRANGE, STRINGS, TREE, TREES, grammar, model
from treewright.errors import DataError, UsageError
from treewright.forest import best_derivations
from treewright.grammar import Grammar
from treewright.transduction import Transducer
from treewright.translation.syntax.decoder import FoundByRules, RuleDecoder, RuleSearch
from treewright.translation.syntax.forest import Deriver
from treewright.translation.syntax.merging import merge
from treewright.translation.syntax.narrowing import narrow
from treewright.trees import Tree, parse_tree

EXACT = RuleSearch(beam=0)


def weights_of(rules: Grammar, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.append(rng.random(len(rules.feature_names) + 4), 0.7)


def translations(found: FoundByRules, weights: np.ndarray, most: int) -> list[tuple[float, tuple]]:
    """The best derivations, with the words that they write."""
    graph = found.graph
    listed = best_derivations(graph.forest, graph.scores(weights), most)
    rows = []
    for score, first, last in zip(listed.scores, listed.start, listed.start[1:], strict=False):
        words = [
            found.forest.text(word)
            for edge in listed.edges[first:last]
            for word in graph.words[graph.word_start[edge] : graph.word_start[edge + 1]]
        ]
        rows.append((float(score), tuple(words)))
    return rows


@pytest.mark.parametrize("text", [STRINGS, TREES], ids=["strings", "trees"])
@pytest.mark.parametrize("tree", [TREE, STRANGE], ids=["known", "strange"])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_an_unlimited_search_finds_what_enumeration_finds(
    text: str, tree: Tree, order: int
) -> None:
    rules, scorer = grammar(text), model(order)
    weights = weights_of(rules, order)
    wanted = scored(Enumeration(rules).anything(tree), scorer, weights)
    found = RuleDecoder(rules, scorer, EXACT).decode(tree, weights)
    listed = translations(found, weights, len(wanted) + 1)
    assert len(listed) == len(wanted)
    assert [score for score, _ in listed] == pytest.approx([s for s, _ in wanted], abs=1e-4)
    assert sorted(words for _, words in listed) == sorted(words for _, words in wanted)


@pytest.mark.parametrize("text", [STRINGS, TREES], ids=["strings", "trees"])
def test_a_wide_beam_is_exact(text: str) -> None:
    rules, scorer = grammar(text), model()
    weights = weights_of(rules)
    exact = RuleDecoder(rules, scorer, EXACT).decode(STRANGE, weights)
    beam = RuleDecoder(rules, scorer, RuleSearch(beam=1000, pops=0)).decode(STRANGE, weights)
    assert translations(beam, weights, 50) == translations(exact, weights, 50)


def test_a_beam_of_one_finds_a_translation() -> None:
    rules, scorer = grammar(STRINGS), model()
    weights = weights_of(rules)
    found = RuleDecoder(rules, scorer, RuleSearch(beam=1)).decode(TREE, weights)
    best = translations(found, weights, 1)[0]
    assert (
        best[0]
        <= translations(RuleDecoder(rules, scorer, EXACT).decode(TREE, weights), weights, 1)[0][0]
        + 1e-9
    )


def test_without_a_language_model_the_best_is_that_of_transduction() -> None:
    rules, scorer = grammar(STRINGS), model()
    weights = weights_of(rules)
    weights[-1] = 0.0
    names = rules.feature_names
    target = Transducer(
        rules.weighted(dict(zip(names, weights[: len(names)], strict=True)))
    ).forest(TREE)
    decoder = RuleDecoder(rules, scorer, EXACT)
    found = decoder.search_forest(decoder.deriver.forest(TREE, glue=False), weights)
    best = translations(found, weights, 1)[0]
    wanted = target.best()
    assert wanted is not None
    assert best[1] == wanted.words
    assert best[0] == pytest.approx(wanted.score)


def test_features_of_a_derivation_add_up_to_its_score() -> None:
    rules, scorer = grammar(TREES), model()
    found = RuleDecoder(rules, scorer, EXACT).decode(STRANGE, weights_of(rules))
    other = weights_of(rules, seed=9)
    wanted = scored(Enumeration(rules).anything(STRANGE), scorer, other)
    assert translations(found, other, 1)[0][0] == pytest.approx(wanted[0][0], abs=1e-4)


def test_words_are_copied_as_they_were_spelled() -> None:
    rules, scorer = grammar(STRINGS), model()
    lower = Tree("S", [Tree("NP", [Tree("NNP", word="oslo")])])
    found = RuleDecoder(rules, scorer).decode(lower, weights_of(rules), spelled=("Oslo",))
    assert translations(found, weights_of(rules), 5) != []
    assert {words for _, words in translations(found, weights_of(rules), 5)} == {("Oslo",)}


def test_unknown_words_may_be_dropped() -> None:
    rules, scorer = grammar(STRINGS), model()
    weights = weights_of(rules)
    tree = Tree("NP", [Tree("NN", word="house"), Tree("NNP", word="oslo")])
    found = RuleDecoder(rules, scorer, RuleSearch(unknown="drop")).decode(tree, weights)
    outputs = {words for _, words in translations(found, weights, 10)}
    assert ("Haus",) in outputs
    assert not any("oslo" in words for words in outputs)


def test_rules_alone_may_derive_nothing() -> None:
    with pytest.raises(DataError, match="derive nothing from a tree rooted in S"):
        Deriver(grammar(STRINGS)).forest(STRANGE, glue=False)


def test_a_sentence_of_too_many_words_is_refused() -> None:
    rules = grammar(STRINGS)
    tree = Tree("S", [Tree("NN", word="house")] * 501)
    with pytest.raises(DataError, match="501 words; expected 1 to 500"):
        RuleDecoder(rules, model()).decode(tree, weights_of(rules))


def test_settings_of_the_search_are_checked() -> None:
    with pytest.raises(UsageError, match="at least 0, found -1"):
        RuleSearch(beam=-1)
    with pytest.raises(UsageError, match="one of copy, drop"):
        RuleSearch(unknown="guess")


FLAT = parse_tree("(S (NN house) (X big) (NN man) (VBD saw) (NN house))")
WIDE = {
    STRINGS: 'S/"" -> (S NN[1] (X big) NN[2] VBD[3] NN[4]) / "a [4] b [2] [3] c d [1] e"\n',
    TREES: "S/S -> (S NN[1] X[2] NN[3] VBD[4] NN[5]) / (S (A a) NN[5] VV[4] (NP NN[3] X[2]) NE[1])",
}
OTHER = parse_tree("(S (NP (DT the) (NN man)) (VBD saw) (NP (DT the) (NN house)))")


@pytest.mark.parametrize("text", [STRINGS, TREES], ids=["strings", "trees"])
def test_several_trees_give_the_translations_of_each(text: str) -> None:
    rules, scorer = grammar(text), model()
    weights = weights_of(rules)
    decoder = RuleDecoder(rules, scorer, EXACT)
    each = [
        set(translations(decoder.decode(tree, weights), weights, 500)) for tree in (TREE, OTHER)
    ]
    both = set(translations(decoder.decode([TREE, OTHER], weights), weights, 2000))

    def rounded(found: set) -> set:
        return {(round(score, 3), words) for score, words in found}

    assert rounded(each[0]) | rounded(each[1]) == rounded(both)
    assert rounded(each[0]) - rounded(each[1])
    assert rounded(each[1]) - rounded(each[0])


@pytest.mark.parametrize("most", [2, 3])
@pytest.mark.parametrize("text", [STRINGS, TREES], ids=["strings", "trees"])
def test_narrow_edges_give_the_same_translations(text: str, most: int) -> None:
    rules, scorer = grammar(text + WIDE[text]), model()
    weights = weights_of(rules)
    decoder = RuleDecoder(rules, scorer, EXACT)
    wide = decoder.deriver.forest(FLAT)
    assert np.diff(wide.forest.tail_ptr).max() == 5
    narrowed = narrow(wide, most)
    assert np.diff(narrowed.forest.tail_ptr).max() <= most
    twin = plain_narrowing.narrow(wide, most)
    for name in ("head", "tail_ptr", "tail", "node_ptr", "label"):
        assert np.array_equal(getattr(narrowed.forest, name), getattr(twin.forest, name)), name
    for one, other in zip(narrowed.yields, twin.yields, strict=True):
        assert np.array_equal(one, other)
    for one, other in zip(narrowed.places, twin.places, strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(narrowed.features, twin.features)
    found = [
        sorted((round(score, 6), words) for score, words in translations(each, weights, 5000))
        for each in (decoder.search_forest(forest, weights) for forest in (wide, narrowed))
    ]
    assert found[0] == found[1]
    enumerated = scored(Enumeration(rules).anything(FLAT), scorer, weights)
    assert [score for score, _ in found[0]] == pytest.approx(
        sorted(score for score, _ in enumerated), abs=1e-4
    )


def test_a_beam_translates_very_wide_nodes() -> None:
    """So many combinations of states have no number."""
    rules, scorer = grammar(STRINGS), model()
    weights = weights_of(rules)
    tree = Tree("S", [TREE.children[0]] * 60)
    found = RuleDecoder(rules, scorer, RuleSearch(beam=20, pops=40)).decode(tree, weights)
    [best] = translations(found, weights, 1)
    assert best[1].count("Mann") == 60


def test_the_same_tree_twice_changes_nothing() -> None:
    rules = grammar(TREES)
    one, two = (merge([Deriver(rules).forest(STRANGE)] * times) for times in (1, 2))
    assert two.forest.num_edges == one.forest.num_edges
    assert two.forest.num_nodes == one.forest.num_nodes


def test_trees_of_different_length_are_refused() -> None:
    rules = grammar(STRINGS)
    short = parse_tree("(S (NN house))")
    with pytest.raises(DataError, match="have 1 and 5 words"):
        RuleDecoder(rules, model()).decode([TREE, short], weights_of(rules))

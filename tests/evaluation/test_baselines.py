import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import Pair, count_words
from treewright.errors import UsageError
from treewright.evaluation import ceiling, copy_all, first_words, first_words_at
from treewright.evaluation.baselines import in_proportion
from treewright.trees import Tree, parse_tree, prune_to

from .toys import PAIRS, SOURCE, TARGET

trees = st.recursive(
    st.builds(Tree, st.just("X"), word=st.sampled_from(["a", "b", ","])),
    lambda inner: st.builds(Tree, st.sampled_from("PQ"), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=10,
)


@given(trees, st.sets(st.integers(0, 9)))
def test_pruning_keeps_the_words_and_no_empty_node(tree: Tree, keep: set[int]) -> None:
    words = tree.words()
    kept = tuple(word for i, word in enumerate(words) if i in keep)
    pruned = prune_to(tree, keep)
    if pruned is None:
        assert kept == ()
    else:
        assert pruned.words() == kept
        assert not any(node.is_frontier for node in pruned.nodes())


def test_pruning_drops_emptied_nodes_only() -> None:
    assert str(prune_to(SOURCE, {1, 3})) == "(S (NP (JJ big)) (VP (VBZ barks)))"
    assert prune_to(SOURCE, range(5)) == SOURCE


@given(trees, st.integers(0, 12))
def test_first_words_keep_at_most_the_budget(tree: Tree, budget: int) -> None:
    cut = first_words(tree, budget)
    words = () if cut is None else cut.words()
    assert words == tree.words()[: len(words)]
    assert count_words(words) == min(budget, count_words(tree)) or budget == 0


def test_first_words_at_a_rate() -> None:
    assert [str(tree) for tree in first_words_at(PAIRS[:1], 0.5)] == ["(S (NP (DT the) (JJ big)))"]
    for rate, words in ((0.0, 1), (0.3, 16), (0.66, 36), (1.0, 55)):
        outputs = first_words_at(PAIRS * 5, rate)
        assert sum(count_words(tree) for tree in outputs if tree) == words
    with pytest.raises(UsageError, match="between 0 and 1, found 66"):
        first_words_at(PAIRS, 66)


@given(st.lists(st.integers(0, 30), min_size=1), st.floats(0, 1))
def test_a_proportional_share_adds_up_and_fits(lengths: list[int], rate: float) -> None:
    total = round(rate * sum(lengths))
    shares = in_proportion(lengths, total)
    assert sum(shares) == total
    assert all(0 <= share <= length for share, length in zip(shares, lengths, strict=True))


def test_copies_and_ceilings() -> None:
    assert list(copy_all(PAIRS)) == [pair.source for pair in PAIRS]
    outputs = list(ceiling(PAIRS))
    assert [tree.words() for tree in outputs if tree] == [pair.target.words() for pair in PAIRS]
    given_alignment = Pair("1", SOURCE, TARGET, ((1, 0),))
    assert [str(tree) for tree in ceiling([given_alignment])] == ["(S (NP (JJ big)))"]
    assert list(ceiling([Pair("1", TARGET, SOURCE), *PAIRS]))[1:] == outputs  # the rest survives
    assert list(ceiling([Pair("1", TARGET, SOURCE)])) == [None]


def test_a_sentence_of_punctuation_has_no_first_words() -> None:
    assert first_words(parse_tree("(S (. .))"), 0) is None

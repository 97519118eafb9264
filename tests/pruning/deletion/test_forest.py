from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import count_words, is_word
from treewright.errors import DataError
from treewright.pruning.deletion import Deleted, DeletionForest, gather
from treewright.trees import Tree, parse_tree, prune_to

from ...profiles import examples
from . import naive
from .toys import DOG, SHIFT, small_trees, toy_model

few = examples(30)
seeds = st.integers(0, 9)


def every(tree: Tree, seed: int) -> list[tuple[float, tuple[int, ...]]]:
    """Return the score of every compression with the positions it keeps, the best first."""
    evidence, weights = gather(tree), toy_model(seed).weights
    found = [
        (
            naive.score(evidence, path, weights, SHIFT),
            tuple(p for p, keep in enumerate(path[1:-1]) if keep),
        )
        for path in naive.paths(evidence.tokens)
    ]
    return sorted(found, key=lambda row: -row[0])


def check(target: Deleted, source: Tree) -> None:
    """Check that a target is the source pruned to its positions."""
    words = source.words()
    assert target.tree == prune_to(source, target.positions)
    assert target.tree.words() == tuple(words[p] for p in target.positions)
    assert sorted((*target.positions, *target.dropped)) == list(range(len(words)))


@few
@given(small_trees, seeds)
def test_the_best_is_the_best_of_all(tree: Tree, seed: int) -> None:
    best = toy_model(seed).forest(tree).best()
    assert best is not None
    check(best, tree)
    ranked = every(tree, seed)
    assert best.score == ranked[0][0]
    assert (best.score, best.positions) in ranked


@few
@given(small_trees, seeds)
def test_every_length_has_its_best(tree: Tree, seed: int) -> None:
    forest = toy_model(seed).forest(tree)
    curve = forest.curve()
    words = tree.words()
    assert curve.scores.size == count_words(tree) + 1
    for length, score in enumerate(curve.scores):
        of_length = [
            s for s, kept in every(tree, seed) if count_words(words[p] for p in kept) == length
        ]
        assert score == max(of_length, default=-math.inf)
        if score > -math.inf:
            target = forest.target(curve.derivation(length))
            check(target, tree)
            assert (target.score, count_words(target.tree)) == (score, length)


@few
@given(small_trees, seeds, st.integers(1, 5), st.sampled_from([None, 0, 2]))
def test_nbest_are_the_best_that_differ(
    tree: Tree, seed: int, number: int, limit: int | None
) -> None:
    found = toy_model(seed).forest(tree).nbest(number, limit=limit)
    scores: dict[Tree | None, float] = {}
    for score, kept in every(tree, seed):
        pruned = prune_to(tree, kept)
        assert pruned is not None
        if limit is None or count_words(pruned) <= limit:
            scores.setdefault(pruned, score)
    assert [target.score for target in found] == sorted(scores.values(), reverse=True)[:number]
    assert len({target.tree for target in found}) == len(found)
    for target in found:
        check(target, tree)
        assert scores[target.tree] == target.score


def test_equal_words_do_not_make_the_search_endless() -> None:
    tree = Tree("S", [Tree("NN", word="dog")] * 40)
    found = toy_model(0).forest(tree).nbest(5)
    assert 1 <= len(found) <= 5


def test_very_long_sentences_give_the_best_of_each_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treewright.pruning.deletion.forest.MOST_STATES", 10)
    forest = toy_model(3).forest(DOG)
    found = forest.nbest(3, limit=4)
    lengths = [count_words(target.tree) for target in found]
    curve = forest.curve(4)
    assert len(set(lengths)) == 3
    assert [target.score for target in found] == [curve.scores[length] for length in lengths]
    assert [target.score for target in found] == sorted(curve.scores, reverse=True)[:3]


def test_other_weights_make_another_compression_the_best() -> None:
    forest = toy_model(0).forest(DOG)
    kept = (forest.forest.head == 3) | (forest.forest.head == 4)
    curve = forest.curve(2, weights=np.where(np.isfinite(forest.weights), kept, -np.inf))
    target = forest.target(curve.derivation(2))
    assert (target.tree.words()[:2], target.positions[:2]) == (("dog", "barks"), (2, 3))
    assert target.score == pytest.approx(toy_score(forest, target.positions))


def toy_score(forest: DeletionForest, positions: tuple[int, ...]) -> float:
    """Return the score of keeping tokens, by the edges."""
    kept = [0, *[p + 1 for p in positions], forest.forest.num_nodes - 1]
    edges = [1 + j * (j - 1) // 2 + i for i, j in pairwise(kept)]
    return float(forest.weights[edges].sum())


@pytest.mark.parametrize("text", ["(NN dog)", "(. .)", "(X (. .) (, ,))"])
def test_something_is_always_kept(text: str) -> None:
    tree = parse_tree(text)
    for seed in range(5):
        best = toy_model(seed).forest(tree).best()
        assert best is not None
        assert best.positions
        assert np.isfinite(best.score)


def test_a_tree_without_words_is_an_error() -> None:
    with pytest.raises(DataError, match="the tree has no words"):
        toy_model(0).forest(Tree("S"))


def test_punctuation_is_free() -> None:
    forest = toy_model(0).forest(DOG)
    words = ["", *DOG.words(), ""]
    counts = [is_word(words[p]) for p in forest.forest.head]
    assert forest.word_counts().tolist() == counts

from __future__ import annotations

import numpy as np
import pytest

from tests.lm.test_estimation import TEXT, contexts, prob_after
from treewright.errors import UsageError
from treewright.lm import SPECIAL, LanguageModel, train_lm
from treewright.lm.arrays import BEGIN, Level, join_levels
from treewright.lm.counting import count_ngrams, with_boundaries
from treewright.lm.estimation import Estimate, estimate
from treewright.lm.pruning import entropy_losses, prune_levels


def estimated(order: int) -> tuple[LanguageModel, Estimate]:
    model = train_lm(TEXT, order)
    words = with_boundaries(model.encode(TEXT))
    counted = list(count_ngrams(words, len(model.vocabulary), order))
    return model, estimate(counted, [0] * order)


def distribution(model: LanguageModel, context: tuple[str, ...]) -> dict[str, float]:
    return {
        word: prob_after(model, context, word)
        for word in model.vocabulary.words
        if word != SPECIAL[BEGIN]
    }


@pytest.mark.parametrize("share", [2e-3, 1e-2, 0.5])
def test_what_is_left_sums_to_one(share: float) -> None:
    full, pruned = train_lm(TEXT, 4), train_lm(TEXT, 4, entropy=share)
    assert len(pruned) < len(full)
    for context in contexts(["the", "cat", "sat", "a", "zebra"], 4):
        assert sum(distribution(pruned, context).values()) == pytest.approx(1, abs=1e-5)
        if share == 0.5:
            alone = distribution(full, ())
            assert distribution(pruned, context) == pytest.approx(alone, rel=1e-5)


def test_the_loss_of_a_bigram_is_the_relative_entropy_after_its_context() -> None:
    model, found = estimated(2)
    unigrams, bigrams = found.levels
    losses = entropy_losses(bigrams, unigrams)
    assert (losses > -1e-12).all()
    for place in range(0, len(bigrams), 3):
        kept = np.arange(len(bigrams)) != place
        columns = (bigrams.parent, bigrams.word, bigrams.suffix, bigrams.log_prob, bigrams.back_off)
        fewer = Level(*(column[kept] for column in columns))
        context = int(bigrams.parent[place])
        own = fewer.parent == context
        left = 1 - np.exp(fewer.log_prob[own]).sum()
        unseen = 1 - np.exp(unigrams.log_prob[fewer.suffix[own]]).sum()
        weights = unigrams.back_off.copy()
        weights[context] = np.log(left / unseen)
        below = Level(unigrams.parent, unigrams.word, unigrams.suffix, unigrams.log_prob, weights)
        without = LanguageModel(2, model.vocabulary, join_levels([below, fewer]))
        before = (model.vocabulary.words[context],)
        p, q = distribution(model, before), distribution(without, before)
        entropy = sum(p[word] * np.log(p[word] / q[word]) for word in p)
        assert losses[place] == pytest.approx(entropy, abs=1e-6)


def test_ngrams_that_longer_ones_need_stay() -> None:
    _, found = estimated(4)
    pruned = prune_levels(found.levels, found.counts, 2e-3)
    assert 0 < len(pruned[3]) < len(found.levels[3])
    nodes = join_levels(pruned)
    assert (nodes["suffix"][1:-1] < np.arange(1, nodes.size - 1)).all()
    for level, below in zip(pruned[1:], pruned, strict=False):
        assert level.parent.max() < len(below)
        assert (below.word[level.suffix] == level.word).all()


def test_a_larger_share_leaves_less() -> None:
    sizes = [len(train_lm(TEXT, 3, entropy=share)) for share in (0, 1e-9, 1e-3, 1e-2, 0.9)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == len(train_lm(TEXT, 1))


def test_a_share_is_less_than_one() -> None:
    with pytest.raises(UsageError, match="a share from 0 to 1, found 2"):
        train_lm(TEXT, entropy=2)

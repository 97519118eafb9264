"""From counts to weights."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.grammar import PCFG, Extraction, Grammar, PlainBase
from treewright.learning import predictive
from treewright.learning.smoothing import discounted

from .toys import PAIRS

GRAMMAR = Grammar.from_counts(Extraction(parts=2, min_count=1)(PAIRS))
BASE = PlainBase(PCFG.read_off(pair.source for pair in PAIRS))
PRIOR = np.exp([BASE.log_probability(rule) for rule in GRAMMAR.rules])


def test_no_discount_is_the_plain_predictive() -> None:
    weighted, unseen = discounted(GRAMMAR, GRAMMAR.counts[None], BASE, 10.0, 0.0)
    expected, _ = predictive(GRAMMAR, GRAMMAR.counts, BASE, 10.0)
    assert weighted.weights == pytest.approx(expected.weights)
    assert unseen.weights(PAIRS[0].source) == pytest.approx(
        predictive(GRAMMAR, GRAMMAR.counts, BASE, 10.0)[1].weights(PAIRS[0].source)
    )


@pytest.mark.parametrize("discount", [0.3, 0.8])
def test_what_a_rule_loses_the_base_of_its_root_gains(discount: float) -> None:
    weighted, _ = discounted(GRAMMAR, GRAMMAR.counts[None], BASE, 10.0, discount)
    rules = GRAMMAR.root_totals(np.ones(len(GRAMMAR)))[GRAMMAR.root_of]
    totals = GRAMMAR.root_totals(GRAMMAR.counts)[GRAMMAR.root_of]
    mass = GRAMMAR.counts - discount + (10.0 + discount * rules) * PRIOR
    assert np.exp(weighted.weights) == pytest.approx(mass / (totals + 10.0))


def test_counts_are_kept_as_they_were() -> None:
    weighted, _ = discounted(GRAMMAR, GRAMMAR.counts[None], BASE, 10.0, 0.8)
    assert (weighted.counts == GRAMMAR.counts).all()


def test_root_pairs_may_have_priors_of_their_own() -> None:
    root = GRAMMAR.roots[0]
    weighted, unseen = predictive(GRAMMAR, GRAMMAR.counts, BASE, 10.0, {root: 1.0})
    other, _ = predictive(GRAMMAR, GRAMMAR.counts, BASE, 1.0)
    mine = GRAMMAR.root_of == 0
    assert weighted.weights[mine] == pytest.approx(other.weights[mine])
    assert type(unseen).from_dict(unseen.as_dict()).as_dict() == unseen.as_dict()


def test_samples_are_discounted_one_by_one() -> None:
    twice = np.stack([GRAMMAR.counts, np.zeros(len(GRAMMAR))])
    weighted, _ = discounted(GRAMMAR, twice, BASE, 10.0, 0.8)
    rules = GRAMMAR.root_totals(np.ones(len(GRAMMAR)))[GRAMMAR.root_of]
    totals = GRAMMAR.root_totals(GRAMMAR.counts)[GRAMMAR.root_of]
    mass = (GRAMMAR.counts - 0.8) / 2 + (10.0 + 0.4 * rules) * PRIOR
    assert np.exp(weighted.weights) == pytest.approx(mass / (totals / 2 + 10.0))

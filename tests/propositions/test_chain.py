from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples
from tests.propositions.naive import expected_counts, paths
from treewright.propositions._kernels import expected_counts as kernel
from treewright.propositions.chain import Candidates, Chain, ChainLearner, build_lattices

STATES = ("q", "r", "s")
WORDS = ("Young", "Holt", "throw", "pass", "to")
chances = st.floats(0.05, 1.0)


@st.composite
def corpora(
    draw: st.DrawFn,
) -> tuple[dict[tuple[str, ...], float], dict[str, Candidates]]:
    candidates: dict[str, Candidates] = {}
    for name in ("Young", "Holt"):
        chosen = draw(st.lists(st.sampled_from(STATES), min_size=1, max_size=3, unique=True))
        candidates[name] = tuple((state, draw(chances)) for state in chosen)
    sequences = draw(
        st.dictionaries(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(tuple),
            st.integers(1, 4).map(float),
            min_size=1,
            max_size=4,
        )
    )
    return sequences, candidates


@examples(30)
@given(corpora(), st.randoms(use_true_random=False))
def test_expected_counts_are_those_of_enumeration(corpus, random) -> None:
    sequences, candidates = corpus
    lattices = build_lattices(sequences, candidates)
    initial = {state: random.uniform(0.1, 1.0) for state in lattices.labels}
    names = [
        (lattices.labels[a], lattices.labels[b])
        for a, b in zip(lattices.sources, lattices.targets, strict=True)
    ]
    moves = {pair: random.uniform(0.1, 1.0) for pair in names}
    first, found = np.zeros(len(initial)), np.zeros(len(moves))
    likelihood = kernel(
        lattices.paths,
        np.array(list(initial.values())),
        np.array(list(moves.values())),
        first,
        found,
    )
    expected = expected_counts(sequences, candidates, initial, moves)
    assert likelihood == pytest.approx(expected[0])
    assert dict(zip(initial, first, strict=True)) == pytest.approx(
        {state: expected[1][state] for state in initial}
    )
    assert dict(zip(names, found, strict=True)) == pytest.approx(
        {pair: expected[2][pair] for pair in names}
    )


@examples(20)
@given(corpora())
def test_without_smoothing_the_likelihood_never_falls(corpus) -> None:
    learner = ChainLearner(iterations=8, tolerance=-math.inf, smoothing=0.0).fit(*corpus)
    for before, after in pairwise(learner.log_likelihoods_[1:]):
        assert after >= before - 1e-9


@examples(20)
@given(corpora())
def test_the_best_sequences_are_those_of_enumeration(corpus) -> None:
    sequences, candidates = corpus
    chain = ChainLearner(iterations=2).fit(sequences, candidates).chain_
    words = max(sequences, key=len)
    states = {s for word in words for s, _ in candidates.get(word) or ((word, 1.0),)}
    initial = {state: math.exp(chain.start(state)) for state in states}
    moves = {(a, b): math.exp(chain.move(a, b)) for a in states for b in states}
    every = sorted(paths(words, candidates, initial, moves), key=lambda path: (-path[1], path[0]))
    best = chain.best(words, candidates, 3)
    assert [math.exp(score) for score, _ in best] == pytest.approx(
        [chance for _, chance in every[:3]]
    )


def test_the_first_class_is_counted_once() -> None:
    chain = Chain(
        initial={"quarterback": 0.5},
        after={"quarterback": 4.0},
        moves={("quarterback", "throw"): 3.0},
        shares={"quarterback": 0.5, "throw": 0.5},
        smoothing=0.0,
    )
    ((score, _),) = chain.best(("Young", "throw"), {"Young": (("quarterback", 0.2),)})
    assert math.exp(score) == pytest.approx(0.5 * 0.2 * 3 / 4)


def test_transitions_from_a_state_sum_to_one() -> None:
    sequences = {("a", "b"): 2.0, ("a", "c"): 1.0, ("b", "c"): 1.0}
    chain = ChainLearner(smoothing=2.0).fit(sequences, {}).chain_
    assert sum(math.exp(chain.move("a", state)) for state in chain.shares) == pytest.approx(1.0)
    assert math.exp(chain.move("a", "b")) == pytest.approx((2.0 + 2.0 * 3 / 8) / (3.0 + 2.0))

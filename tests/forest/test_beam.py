"""Cube pruning against exact refinement, and language models as algebras of both.

Compiled for one algebra only: compiling takes longer than all the rest.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compiling import forced
from treewright.forest import (
    Counters,
    Derivation,
    Forest,
    Refinement,
    refine,
    viterbi,
)

from . import naive
from .algebras import random_algebra
from .bigrams import random_bigrams, sentence, sentence_score
from .strategies import counted_forests, fan, quick, twice, weighted_forests

Weighted = tuple[Forest, np.ndarray]
Found = Counter[tuple[Derivation, int, float]]

seeds = st.integers(0, 2**32)
HUGE = 10**6


def found(refined: Refinement) -> Found:
    """Each derivation, with the state it comes to and its score, as often as it is there."""
    return Counter(
        (
            refined.project(derivation),
            int(refined.root_states[derivation.edge - refined.root_edges.start]),
            round(derivation.score(refined.weights), 6),
        )
        for derivation in naive.enumerate_derivations(refined.forest)
    )


def most_states(refined: Refinement) -> int:
    """The greatest number of states of a node, those of the root by its edges."""
    nodes = refined.node[: refined.forest.root]
    counts = Counter(node for node in nodes.tolist() if node >= 0)
    return max([*counts.values(), len(set(refined.root_states.tolist()))])


@quick
@given(weighted_forests(), seeds, st.sampled_from([0.0, 0.3]))
def test_a_beam_of_all_states_is_exact(case: Weighted, seed: int, ruled_out: float) -> None:
    forest, weights = case
    algebra = random_algebra(forest, seed, ruled_out=ruled_out)
    assert found(refine(forest, algebra, weights, HUGE)) == found(refine(forest, algebra, weights))


@quick
@given(weighted_forests(), seeds, st.integers(1, 4))
def test_a_beam_keeps_some_derivations_as_they_are(case: Weighted, seed: int, beam: int) -> None:
    forest, weights = case
    algebra = random_algebra(forest, seed)
    kept = refine(forest, algebra, weights, beam)
    assert found(kept) <= found(refine(forest, algebra, weights))
    assert most_states(kept) <= beam


@quick
@given(counted_forests(), st.integers(1, 4))
def test_without_added_weights_the_best_derivation_is_kept(
    case: tuple[Forest, np.ndarray, np.ndarray], beam: int
) -> None:
    forest, weights, counts = case
    with forced(compiled=False):
        kept = refine(forest, Counters(counts, [1000]), weights, beam)
    best, best_kept = viterbi(forest, weights), viterbi(kept.forest, kept.weights)
    assert (best is None) == (best_kept is None)
    if best is not None and best_kept is not None:
        assert best_kept[0] == pytest.approx(best[0])


def test_candidates_that_are_ruled_out_lead_on_to_others() -> None:
    """The best leaf of each tail alone would exceed the limit."""
    weights = np.array([-5.0, 0.0, 0.0])
    with forced(compiled=False):
        kept = refine(twice(), Counters([0, 1, 0], [1]), weights, 2)
    best = viterbi(kept.forest, kept.weights)
    assert best is not None
    assert best[0] == -5.0


def test_wide_edges_keep_a_beam_at_their_links() -> None:
    forest = fan(40)
    weights = np.random.default_rng(0).normal(size=forest.num_edges)
    with forced(compiled=False):
        kept = refine(forest, Counters(forest.label == 1, [40]), weights, 6)
    best, expected = viterbi(kept.forest, kept.weights), viterbi(forest, weights)
    assert best is not None
    assert expected is not None
    assert best[0] == pytest.approx(expected[0])
    assert kept.forest.num_edges < 1000


@quick
@given(weighted_forests(), seeds, st.integers(1, 5))
def test_a_node_looks_at_so_many_combinations(case: Weighted, seed: int, pops: int) -> None:
    forest, weights = case
    algebra = random_algebra(forest, seed)
    kept = refine(forest, algebra, weights, HUGE, pops=pops, links=False)
    assert found(kept) <= found(refine(forest, algebra, weights))
    counts = Counter(kept.node[kept.forest.head].tolist())
    assert max(counts.values(), default=0) <= pops
    every = refine(forest, algebra, weights, HUGE, pops=HUGE)
    assert found(every) == found(refine(forest, algebra, weights))


def test_combinations_are_counted_only_with_a_beam() -> None:
    for beam, pops in ((None, 5), (3, 0)):
        with pytest.raises(ValueError, match="with a beam, at least one combination"):
            refine(twice(), Counters([0, 0, 0], [1]), np.zeros(3), beam, pops=pops)


@pytest.mark.parametrize("beam", [0, -1])
def test_an_empty_beam_is_refused(beam: int) -> None:
    with pytest.raises(ValueError, match=f"at least one state, not {beam}"):
        refine(twice(), Counters([0, 0, 0], [1]), np.zeros(3), beam)


@quick
@given(weighted_forests(), seeds, st.sampled_from([None, HUGE]))
def test_a_language_model_is_an_algebra(case: Weighted, seed: int, beam: int | None) -> None:
    """In the order of the target; the states of the root become one."""
    forest, weights = case
    algebra = random_bigrams(forest, seed)
    with forced(compiled=False):
        refined = refine(forest, algebra, weights, beam)
    expected = Counter(
        (derivation, 0, round(score + sentence_score(algebra.data, words), 6))
        for score, derivation in naive.scored_derivations(forest, weights)
        for words in [sentence(algebra.data, derivation)]
    )
    assert found(refined) == expected

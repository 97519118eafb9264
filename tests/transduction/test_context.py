"""The language model's algebra against scores of whole sentences."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.forest.naive import enumerate_derivations
from tests.forest.strategies import forests
from treewright.forest import Derivation, Forest, refine, viterbi
from treewright.lm import LanguageModel, train_lm
from treewright.transduction import ContextModel, Yields

TEXT = [
    line.split()
    for line in """a b c a b
a b c d
b c a
c a b c d a
d d a b
a
b a c
c b a b c
a b c a b c d""".splitlines()
]
WORDS = ["a", "b", "c", "d", "x"]


@cache
def model(order: int, pruned: bool) -> LanguageModel:
    return train_lm(TEXT, order, prune=(0, 0, 1) if pruned and order > 2 else (0,))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Forest, Yields, LanguageModel, list[list[int]]]:
    """A forest whose edges write words around their tails, in any order."""
    forest = draw(forests())
    found = model(draw(st.integers(1, 5)), draw(st.booleans()))
    rows = []
    for edge in range(forest.num_edges):
        arity = len(forest.tails(edge))
        row = list(draw(st.permutations([-1 - position for position in range(arity)])))
        for _ in range(draw(st.integers(0, 4))):
            word = found.vocabulary.find(draw(st.sampled_from(WORDS)), 0)
            row.insert(draw(st.integers(0, len(row))), word)
        rows.append(row)
    ptr = np.cumsum([0, *map(len, rows)])
    item = np.array([item for row in rows for item in row], np.int32)
    return forest, Yields(ptr.astype(np.int64), item), found, rows


def write(rows: list[list[int]], derivation: Derivation) -> list[int]:
    parts = [write(rows, child) for child in derivation.children]
    words: list[int] = []
    for item in rows[derivation.edge]:
        words += [item] if item >= 0 else parts[-1 - item]
    return words


def log_prob(model: LanguageModel, words: list[int]) -> float:
    return float(model.score([model.vocabulary.words[word] for word in words]).sum())


@given(problems())
def test_every_target_is_scored_as_its_sentence(problem) -> None:
    forest, yields, found, rows = problem
    scorer = ContextModel(found)
    refined = refine(forest, scorer.algebra(forest, yields, 1.0), links=False)
    again = {}
    gains = scorer.gains(refined, yields)
    for derivation in enumerate_derivations(refined.forest):
        source = refined.project(derivation)
        again[source] = derivation.score(refined.weights)
        assert derivation.score(gains) == pytest.approx(again[source], abs=1e-5)
    wanted = {each: log_prob(found, write(rows, each)) for each in enumerate_derivations(forest)}
    assert again.keys() == wanted.keys()
    for each, score in wanted.items():
        assert again[each] == pytest.approx(score, abs=1e-4)


@given(problems(), st.floats(0.1, 2.0))
def test_links_and_wide_beams_find_the_same_best_target(problem, weight: float) -> None:
    forest, yields, found, rows = problem
    algebra = ContextModel(found).algebra(forest, yields, weight)
    wanted = [weight * log_prob(found, write(rows, d)) for d in enumerate_derivations(forest)]
    for beam in (None, 1000):
        best = viterbi(*_parts(refine(forest, algebra, beam=beam)))
        if best is None:
            assert not wanted
        else:
            assert best[0] == pytest.approx(max(wanted), abs=1e-4)


def _parts(refined):
    return refined.forest, refined.weights


def test_targets_that_no_later_word_tells_apart_are_one_state() -> None:
    """Two words that the model has never seen leave nothing at either end."""
    head = np.array([0, 0, 1], np.int32)
    forest = Forest.from_arrays(
        head=head, tail_ptr=np.array([0, 0, 0, 1]), tail=np.array([0]), label=head, num_nodes=2
    )
    scorer = ContextModel(model(3, pruned=False))
    unknown = Yields(np.array([0, 2, 5, 6]), np.array([0, 0, 0, 0, 0, -1], np.int32))
    known = Yields(np.array([0, 2, 5, 6]), np.array([3, 4, 4, 3, 3, -1], np.int32))
    sizes = [
        refine(forest, scorer.algebra(forest, yields, 1.0)).forest.num_nodes
        for yields in (unknown, known)
    ]
    assert sizes == [2, 3]

"""The kernel and its plain-Python twin go through the same states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compiling import forced
from treewright.learning.gibbs.packing import read_rules
from treewright.learning.gibbs.sampler import Sampler
from treewright.randomness import generator

from ...grammar.strategies import quick
from . import naive
from .strategies import corpora, seeds, temperatures
from .toys import PAIRS, SHAPES, Corpus, sample_pairs

ANNEALING = [5.0, 5.0, 2.0, 1.0, 1.0, 0.4, 0.1, 0.0, 0.0]


def start(corpus: Corpus, seed: int) -> tuple[Sampler, naive.State]:
    """Return a sampler at a random state, and its twin there."""
    sampler = corpus.sampler(seed)
    sampler.start_at_random()
    twin = naive.State(
        sampler.packed.pairs,
        corpus.base_distribution(),
        alpha=corpus.alpha,
        alphas=corpus.alphas,
        insertions=corpus.insertions,
    )
    twin.copy_alignments(sampler.to)
    return sampler, twin


def assert_same(sampler: Sampler, twin: naive.State, seed: int, schedule: list[float]) -> None:
    sampler.random = generator(seed)
    random = generator(seed)
    for temperature in schedule:
        changed = sampler.sweep(temperature)
        assert changed == naive.sweep(twin, random, temperature)
        assert sampler.to.tolist() == twin.alignments()
    assert read_rules(sampler.packed, sampler.to) == twin.counts
    assert sampler.rules == len(twin.counts)


@pytest.mark.parametrize("insertions", [False, True])
@pytest.mark.parametrize("alpha", [0.1, 1.0, 50.0])
def test_on_toy_pairs(alpha: float, insertions: bool) -> None:
    corpus = Corpus(PAIRS, alpha=alpha, insertions=insertions)
    assert_same(*start(corpus, 3), 4, ANNEALING)


def test_kernels_may_be_compiled_halfway(monkeypatch: pytest.MonkeyPatch) -> None:
    # A kernel makes a larger table at once, and hands it on to the next.
    monkeypatch.setattr("treewright.learning.gibbs.sampler._FIRST_TABLE", 2)
    sampler, other = (start(Corpus(PAIRS), 3)[0] for _ in range(2))
    for compiled in (True, False, True):
        with forced(compiled):
            sampler.sweep(1.0)
            sampler.resample_hyperparameters()
            sampler.refresh()
        other.sweep(1.0)
        other.resample_hyperparameters()
        other.refresh()
        assert sampler.to.tolist() == other.to.tolist()
        assert sampler.log_joint == other.log_joint


@pytest.mark.parametrize("corpus", SHAPES.values(), ids=SHAPES)
def test_on_every_shape(corpus: Corpus) -> None:
    assert_same(*start(corpus, 3), 4, [temperature or 0.1 for temperature in ANNEALING])


@pytest.mark.parametrize("schedule", [[5.0, 2.0], [1.0, 0.0]])
def test_on_the_sample_corpus(schedule: list[float]) -> None:
    corpus = Corpus(sample_pairs("train"), alpha=10.0, base={"beta": 0.1})
    assert_same(*start(corpus, 3), 4, schedule)


# Ties, which rounding may break either way, have no weight above zero.
@quick
@given(corpora(), seeds, st.lists(temperatures.filter(bool), min_size=1, max_size=3))
def test_on_random_pairs(corpus: Corpus, seed: int, schedule: list[float]) -> None:
    assert_same(*start(corpus, seed), seed, schedule)

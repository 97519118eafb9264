"""What the sampler keeps up to date equals what follows from its alignments."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.grammar import EPSILON
from treewright.grammar.node_alignment import NodeAlignment
from treewright.learning.gibbs.packing import read_alignments, read_rules
from treewright.learning.gibbs.sampler import Sampler

from ...grammar.strategies import quick
from . import exact
from .strategies import corpora, seeds, temperatures
from .toys import PAIRS, SHAPES, Corpus, sample_pairs

DERIVED = ["front", "aligned", "owner", "total", "hash", "width"]


def assert_sound(sampler: Sampler, corpus: Corpus) -> None:
    """Compare counts, log joint and all derived fields with those made anew."""
    base = corpus.base_distribution()
    rules = read_rules(sampler.packed, sampler.to)
    expected = exact.log_joint(rules.elements(), base, corpus.alpha, corpus.alphas)
    assert sampler.log_joint == pytest.approx(expected, rel=1e-9, abs=1e-7)
    assert counted(sampler) == Counter(
        ("/".join(rule.root), round(base.log_probability(rule), 6), count)
        for rule, count in rules.items()
    )
    assert sampler.rules == len(rules)
    kept, nodes = sampler.log_joint, sampler.nodes.copy()
    sampler.refresh()
    assert kept == pytest.approx(sampler.log_joint, rel=1e-9, abs=1e-7)
    for name in DERIVED:
        assert (nodes[name] == sampler.nodes[name]).all(), name
    assert nodes["weight"] == pytest.approx(sampler.nodes["weight"])


def counted(sampler: Sampler) -> Counter[tuple[str, float, int]]:
    """Return the rule table as root pairs, base probabilities and counts."""
    names = [*sampler.packed.labels.names, EPSILON]
    used = sampler.table[sampler.table["count"] > 0]
    fields = (used[name].tolist() for name in ("root", "log_base", "count"))
    return Counter(
        (f"{names[root // len(names)]}/{names[root % len(names)]}", round(log_base, 6), count)
        for root, log_base, count in zip(*fields, strict=True)
    )


def assert_slots_point_at_their_rules(sampler: Sampler) -> None:
    slots = sampler.nodes["slot"]
    assert ((slots >= 0) == (sampler.to != -1)).all()
    found = Counter(slots[slots >= 0].tolist())
    used = np.flatnonzero(sampler.table["count"] > 0)
    assert found == {int(slot): int(sampler.table["count"][slot]) for slot in used}
    assert sampler.roots["total"].sum() == found.total()


@quick
@given(corpora(), seeds, st.lists(temperatures, max_size=4))
def test_on_random_pairs_after_any_sweeps(corpus: Corpus, seed: int, schedule: list[float]) -> None:
    sampler = corpus.sampler(seed)
    assert_sound(sampler, corpus)
    sampler.start_at_random()
    assert_sound(sampler, corpus)
    for temperature in schedule:
        sampler.sweep(temperature)
    assert_slots_point_at_their_rules(sampler)
    assert_sound(sampler, corpus)


@pytest.mark.parametrize("corpus", SHAPES.values(), ids=SHAPES)
def test_on_every_shape_after_many_sweeps(corpus: Corpus) -> None:
    sampler = corpus.sampler(5)
    for temperature in np.linspace(5.0, 0.0, 300).tolist():
        sampler.sweep(temperature)
    assert_sound(sampler, corpus)


@pytest.mark.parametrize("corpus", SHAPES.values(), ids=SHAPES)
def test_every_sweep_leaves_a_sound_and_admissible_state(corpus: Corpus) -> None:
    sampler = corpus.sampler(5)
    for temperature in (5.0, 2.0, 1.0, 0.5, 0.0):
        sampler.sweep(temperature)
        assert sampler.packed.admits(sampler.to)
        assert_slots_point_at_their_rules(sampler)
        assert_sound(sampler, corpus)


def test_a_chain_can_start_at_the_minimal_rules() -> None:
    corpus = Corpus(sample_pairs("train")[:20])
    sampler = corpus.sampler(5)
    wanted = [NodeAlignment.of(pair) for pair in corpus.pairs]
    sampler.start_at(wanted)
    assert sampler.packed.admits(sampler.to)
    found = read_alignments(sampler.packed, sampler.to)
    assert [a.to for a in found] == [a.to for a in wanted]
    assert_sound(sampler, corpus)


def test_after_thousands_of_sweeps_nothing_has_drifted() -> None:
    corpus = Corpus(PAIRS, insertions=True)
    sampler = corpus.sampler(5)
    for _ in range(5000):
        sampler.sweep(2.0)
    assert_slots_point_at_their_rules(sampler)
    assert_sound(sampler, corpus)


def test_the_table_grows_with_the_rules_in_it() -> None:
    corpus = Corpus(sample_pairs("train"), alpha=10.0, base={"beta": 0.1})
    sampler = corpus.sampler(5)
    assert len(sampler.table) == 1024
    for _ in range(60):
        sampler.sweep(5.0)
        assert 2 * sampler.size[0] <= len(sampler.table)
    assert len(sampler.table) > 1024
    assert_slots_point_at_their_rules(sampler)
    assert_sound(sampler, corpus)


def test_the_table_forgets_rules_no_longer_used() -> None:
    corpus = Corpus(PAIRS, insertions=True)
    sampler = corpus.sampler(5)
    slots = []
    for _ in range(500):
        sampler.sweep(5.0)
        slots.append(int(sampler.size[0]))
    assert len(sampler.table) == 1024
    assert (np.diff(slots) < 0).any()
    assert_sound(sampler, corpus)


def test_the_same_seed_gives_the_same_chain() -> None:
    corpus = Corpus(PAIRS)
    ends = []
    for _ in range(2):
        sampler = corpus.sampler(8)
        sampler.start_at_random()
        for _ in range(20):
            sampler.sweep(1.0)
        ends.append((sampler.to.tolist(), sampler.log_joint))
    assert ends[0] == ends[1]

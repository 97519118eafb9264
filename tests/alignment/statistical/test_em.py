"""Expectations of IBM's first model and of the hidden Markov model, against enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from treewright.alignment.statistical._em_kernels import REACH
from treewright.alignment.statistical.em import Maximisation, Maximiser
from treewright.alignment.statistical.numbering import Text, slots_of

from .toys import LEXICON, toy_pairs

PAIRS = [
    (["a", "b", ","], ["x", "y"]),
    (["b", "a", "b"], ["y", ".", "x"]),
    ([], []),
    (["c"], ["x"]),
]


def random_model(markov: bool) -> tuple[Text, Maximiser]:
    text = Text.of(PAIRS, lowercase=True)
    model = Maximiser(text, Maximisation(null=0.3))
    model.markov = markov
    rng = np.random.default_rng(3)
    for direction in model.directions:
        for array in (direction.table, direction.null, direction.jump):
            array[:] = rng.random(array.shape) + 0.1
    return text, model


def enumerate_pair(model: Maximiser, side: int, p: int) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the likelihood of one side of a pair, the probability of each cell and the expected
    jumps, by summing over all choices.
    """
    bitext, own = model.bitext, model.directions[side]
    starts = bitext.source_start, bitext.target_start
    words = bitext.source, bitext.target
    size = [int(start[p + 1] - start[p]) for start in starts]
    generating = words[side][starts[side][p] : starts[side][p + 1]]
    choosing = words[1 - side][starts[1 - side][p] : starts[1 - side][p + 1]]
    cell = bitext.cell[bitext.cell_start[p] : bitext.cell_start[p + 1]].reshape(size)
    total, links, jumps = 0.0, np.zeros(size), np.zeros_like(own.jump)
    share = model.settings.null
    for choice in product(range(-1, len(generating)), repeat=len(choosing)):
        weight, last, made = 1.0, -1, []
        for j, i in enumerate(choice):
            if i < 0:
                weight *= share * own.null[choosing[j]]
                continue
            place = (i, j) if side == 0 else (j, i)
            weight *= (1 - share) * own.table[cell[place]]
            if model.markov:
                made.append((last, i))
            else:
                weight /= len(generating)
            last = i
        if model.markov:
            made.append((last, len(generating)))
        places = [
            (own.kind[generating[a]] if a >= 0 else 0, REACH + max(-REACH, min(REACH, b - a)))
            for a, b in made
        ]
        for place in places:
            weight *= own.jump[place]
        total += weight
        for place in places:
            jumps[place] += weight
        for j, i in enumerate(choice):
            if i >= 0:
                links[(i, j) if side == 0 else (j, i)] += weight
    return total, links / total, jumps / total


@pytest.mark.parametrize("markov", [False, True])
@pytest.mark.parametrize("side", [0, 1])
def test_expectations_equal_enumeration(markov: bool, side: int) -> None:
    _, model = random_model(markov)
    own = model.directions[side]
    found = np.zeros(int(model.bitext.cell_start[-1]))
    total = model._expect(side, 0, len(PAIRS), found)
    exact = [enumerate_pair(model, side, p) for p in (0, 1, 3)]
    assert total == pytest.approx(sum(np.log(likelihood) for likelihood, _, _ in exact))
    np.testing.assert_allclose(found, np.concatenate([links.ravel() for _, links, _ in exact]))
    slots = np.bincount(model.bitext.cell, found, minlength=own.links.size)
    np.testing.assert_allclose(own.links, slots)
    chosen = own.links.sum() + own.nulls.sum()
    assert chosen == pytest.approx(sum(len(pair[1 - side]) for pair in PAIRS))
    if markov:
        np.testing.assert_allclose(own.jumps, sum(jumps for _, _, jumps in exact), atol=1e-12)


@pytest.mark.parametrize("markov", [False, True])
def test_directions_that_must_agree_learn_from_the_links_of_both(markov: bool) -> None:
    _, model = random_model(markov)
    model.settings = Maximisation(null=0.3, agree=True)
    exact = [[enumerate_pair(model, side, p) for p in (0, 1, 3)] for side in (0, 1)]
    both = [one[1] * other[1] for one, other in zip(*exact, strict=True)]
    counts = np.bincount(model.bitext.cell, np.concatenate([links.ravel() for links in both]))
    model.advance(markov)
    for side, own in enumerate(model.directions):
        words = np.empty(counts.size, np.int32)
        for slots in slots_of(model.bitext):
            words[slots.number] = slots.words[:, side]
        np.testing.assert_allclose(own.table, counts / np.bincount(words, counts)[words])
        if markov:
            jumps = sum(found[2] for found in exact[side]) + 0.01
            np.testing.assert_allclose(own.jump, jumps / jumps.sum(axis=1, keepdims=True))


def test_no_sentence_becomes_impossible_when_links_disappear() -> None:
    text = Text.of([*PAIRS, (["a"] * 30, ["x"]), (["c"], ["z"] * 30)], lowercase=True)
    model = Maximiser(text, Maximisation(ibm1=40, hmm=40, agree=True))
    for markov in model.steps():
        model.advance(markov)
    for direction in model.directions:
        assert np.isfinite(direction.likelihood).all()
        assert (direction.table == 0).any()
        assert (direction.null > 0).all() and (direction.jump > 0).all()


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_likelihood_never_falls(jobs: int) -> None:
    sources, targets = toy_pairs(60)
    text = Text.of(zip(sources, targets, strict=True), lowercase=True)
    model = Maximiser(text, Maximisation(ibm1=6, hmm=8), jobs=jobs)
    for markov in model.steps():
        model.advance(markov)
    for direction in model.directions:
        curve = np.array(direction.likelihood)
        for part in (curve[:6], curve[6:]):
            assert (np.diff(part) >= -1e-9).all()
        assert np.diff(curve[6:]).sum() > 1
    forward, reverse = model.posteriors(0, 60)
    at = 0
    right = total = 0
    for source, target in zip(sources, targets, strict=True):
        size = len(source) * len(target)
        matrix = (forward + reverse)[at : at + size].reshape(len(source), len(target))
        at += size
        right += sum(LEXICON[source[i]] == target[j] for j, i in enumerate(matrix.argmax(axis=0)))
        total += len(target)
    assert right / total > 0.9

"""The sampler visits every alignment of a tiny text as often as its probability says."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from treewright.alignment.statistical.numbering import Text
from treewright.alignment.statistical.sampling._kernels import sweep
from treewright.alignment.statistical.sampling.arrays import FERTILITIES, TAIL
from treewright.alignment.statistical.sampling.sampler import Sampler
from treewright.alignment.statistical.sampling.settings import Sampling
from treewright.compiling import forced

PAIRS = [(("a", "b"), ("x", "y")), (("b", "a", "a"), ("y", "y"))]
SETTINGS = Sampling(samplers=2, alpha=0.5, null=0.4, null_alpha=0.3, jump_alpha=0.5, jump_total=3.0)
EXPECTED = np.linspace(1.5, 0.2, FERTILITIES).astype(np.float32)
State = tuple[tuple[int, ...], ...]


def probability(pairs: list[tuple[tuple[str, ...], ...]], state: State, level: int) -> float:
    """Return the joint probability of words and choices, event by event, up to a factor."""
    generators = {word for generating, _ in pairs for word in generating}
    choosers = {word for _, choosing in pairs for word in choosing}
    seen: Counter[object] = Counter()
    p = 1.0

    def urn(event: object, urn_name: object, prior: float, total: float) -> float:
        share = (seen[urn_name, event] + prior) / (seen[urn_name] + total)
        seen[urn_name, event] += 1
        seen[urn_name] += 1
        return share

    assert generators
    for (generating, choosing), links in zip(pairs, state, strict=True):
        before = -1
        for word, i in zip(choosing, links, strict=True):
            if i < 0:
                p *= SETTINGS.null
                p *= urn(word, "null", SETTINGS.null_alpha, SETTINGS.null_alpha * len(choosers))
                continue
            p *= urn(word, generating[i], SETTINGS.alpha, SETTINGS.alpha * len(choosers))
            if level >= 2:
                p *= urn(i - before, "jump", SETTINGS.jump_alpha, SETTINGS.jump_total)
                before = i
        if level >= 2:
            p *= urn(len(generating) - before, "jump", SETTINGS.jump_alpha, SETTINGS.jump_total)
        if level >= 3:
            for i, word in enumerate(generating):
                chosen = links.count(i)
                kind = min(chosen, FERTILITIES - 1)
                p *= urn(kind, ("fertility", word), float(EXPECTED[kind]), float(EXPECTED.sum()))
                p *= float(TAIL) ** (chosen - kind)
    return p


@pytest.mark.parametrize("level", [1, 2, 3])
def test_visits_are_as_frequent_as_the_posterior_says(level: int) -> None:
    text = Text.of(PAIRS, lowercase=True)
    sampler = Sampler(text, SETTINGS, seed=5)
    bitext = sampler.bitext
    chains = sampler.groups[0]
    visits: tuple[Counter[State], Counter[State]] = Counter(), Counter()
    none = np.zeros(0, np.int32)
    rounds = 6000
    with forced(compiled=True):
        sampler.advance(level)
        chains.expected[:] = EXPECTED
        for _ in range(rounds):
            sweep(bitext, chains, sampler.options(), 0, 2, 1, none, none)
            for c, row in enumerate(chains.link.tolist()):
                side = int(c >= chains.forward)
                lengths = [len(pair[1 - side]) for pair in PAIRS]
                visits[side][tuple(row[: lengths[0]]), tuple(row[lengths[0] : sum(lengths)])] += 1
    for side, seen in enumerate(visits):
        pairs = [pair if side == 0 else pair[::-1] for pair in PAIRS]
        spaces = [product(range(-1, len(g)), repeat=len(ch)) for g, ch in pairs]
        exact = {state: probability(pairs, state, level) for state in product(*spaces)}
        total = sum(exact.values())
        distance = sum(abs(seen[s] / seen.total() - p / total) for s, p in exact.items()) / 2
        assert set(seen) <= set(exact)
        # The expected distance of as many independent draws; those of a chain hang together.
        chance = sum(
            np.sqrt(p / total * (1 - p / total) / seen.total()) for p in exact.values()
        ) * np.sqrt(1 / (2 * np.pi))
        assert distance < 3 * chance


def test_counts_stay_those_of_the_links() -> None:
    """After any number of sweeps, counts that were kept up to date equal fresh ones."""
    from .toys import toy_pairs

    text = Text.of(zip(*toy_pairs(40), strict=True), lowercase=True)
    sampler = Sampler(text, Sampling())
    for step in ((1, False), (2, False), (2, False), (3, True), (3, False), (3, True)):
        sampler.advance(*step)
    kept = [np.copy(array) for array in sampler.groups[0][3:10]]
    sampler.level = 0
    sampler.count(3)
    for array, fresh in zip(kept, sampler.groups[0][3:10], strict=True):
        np.testing.assert_array_equal(array, fresh)

"""Model and sampler together: both ways of drawing corpora agree, and faults are noticed."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import pytest

from treewright.learning.gibbs.prior import STRENGTH
from treewright.randomness import generator

from . import geweke
from .geweke import Kernel, Parameters, Random, Sampler

STEPS, INDEPENDENT = 1500, 600
LIMIT = 4.0
"""Standard errors; some thirty scores are compared."""


def local(sampler: Sampler) -> None:
    for _ in range(3):
        sampler.sweep(1.0)


def with_hyperparameters(sampler: Sampler) -> None:
    sampler.resample_hyperparameters()
    sampler.sweep(1.0)


def drawn_parameters(random: Random) -> Parameters:
    return Parameters(
        {root: random.exponential(geweke.ALPHA) for root in geweke.ROOTS},
        {
            label: random.beta(STRENGTH * beta, STRENGTH * (1.0 - beta))
            for label, beta in geweke.BETAS.items()
        },
    )


@cache
def independent(prior: geweke.Prior) -> geweke.Table:
    return geweke.simulate_forward(INDEPENDENT, generator(1), prior)


def worst(scores: dict[str, float]) -> float:
    return max(abs(score) for score in scores.values())


@pytest.mark.parametrize(
    ("kernel", "prior"),
    [
        (local, geweke.constant),
        (with_hyperparameters, drawn_parameters),
    ],
)
def test_a_kernel_leaves_the_joint_distribution_alone(kernel: Kernel, prior: geweke.Prior) -> None:
    before, after = geweke.simulate_in_succession(kernel, STEPS, generator(2), prior)
    assert worst(geweke.paired_z_scores(before, after)) < LIMIT
    assert worst(geweke.z_scores(independent(prior), after)) < LIMIT


def other_alpha(sampler: Sampler) -> None:
    sampler.roots["alpha"] *= 10.0
    sampler.refresh()
    local(sampler)
    sampler.roots["alpha"] /= 10.0


def other_beta(sampler: Sampler) -> None:
    sampler.betas[:] **= 1.5
    sampler.refresh()
    local(sampler)
    sampler.betas[:] **= 1 / 1.5


def no_alignment_term(sampler: Sampler) -> None:
    sampler._ways[:] = 0.0
    sampler.refresh()
    local(sampler)


@pytest.mark.parametrize(
    ("kernel", "steps"), [(other_alpha, 1000), (other_beta, 500), (no_alignment_term, 1000)]
)
def test_a_faulty_kernel_is_noticed(kernel: Kernel, steps: int) -> None:
    tables = geweke.simulate_in_succession(kernel, steps, generator(2))
    assert worst(geweke.paired_z_scores(*tables)) > LIMIT


def test_a_rule_is_drawn_as_often_as_the_base_distribution_says() -> None:
    drawing = geweke.Drawing(Parameters(), generator(3))
    draws = 4000
    for root in [("A", "B"), ("ROOT", "ROOT"), ("A", "ε"), ("ε", "A")]:
        seen = Counter(drawing._new_rule(root) for _ in range(draws))
        for rule, count in seen.most_common(8):
            p = math.exp(geweke.BASE.log_probability(rule))
            assert abs(count - draws * p) < 4.5 * math.sqrt(draws * p * (1.0 - p))

"""`AcceptanceLearner`: the weights of losses and seams that explain readers' verdicts best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from treewright.arrays import Floats
from treewright.learning.acceptance.verdicts import Example
from treewright.pruning.acceptance import (
    SEAM_FEATURES,
    Acceptance,
    Feature,
    Neighbours,
    SeamWeights,
)

Name = TypeVar("Name")

_CERTAIN = 1e-6
_FIRST_SEAM = 3.0
"""Where the constant of seams starts: most are fine."""


class _Design(NamedTuple):
    """All losses and seams in rows, with the version that each belongs to."""

    losses: csr_matrix
    version_of_loss: NDArray[np.int64]
    seams: Floats
    tags: csr_matrix
    version_of_seam: NDArray[np.int64]
    accepted: Floats


@dataclass
class AcceptanceLearner:
    """Maximises the likelihood of verdicts under `Acceptance`'s product, with a normal prior.

    `penalty` is the inverse variance of the weights of features; features of fewer than `least`
    losses are left out.
    """

    penalty: float = 5.0
    least: int = 3
    iterations: int = 300

    def fit(
        self, examples: Sequence[Example], neighbours: Neighbours, grammar: Mapping[str, float]
    ) -> AcceptanceLearner:
        """Learn from examples; the result, with these prices of grammar, is `acceptance_`."""
        names = common([loss.features for each in examples for loss in each.losses], self.least)
        pairs = common([[pair] for each in examples for pair in each.tags], self.least)
        design = _lay_out(examples, names, pairs)
        scale = design.seams.std(axis=0) + 1e-9
        mean = design.seams.mean(axis=0)
        design = design._replace(seams=(design.seams - mean) / scale)
        sizes = (len(names), 2, len(pairs), len(SEAM_FEATURES), 1)
        strengths = (self.penalty, 0.1, self.penalty, 1.0, 0.0)
        penalties = np.repeat(strengths, sizes)
        start = np.zeros(penalties.size)
        start[-1] = _FIRST_SEAM
        found = minimize(
            _objective,
            start,
            (design, penalties),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": self.iterations},
        )
        of_losses, own, of_tags, of_seams, last = np.split(found.x, np.cumsum(sizes)[:-1])
        self.objective_ = float(found.fun)
        seams = of_seams / scale
        constant = last[0] - float(seams @ mean)
        self.acceptance_ = Acceptance(
            dict(zip(names, of_losses.tolist(), strict=True)),
            float(own[0]),
            float(own[1]),
            SeamWeights.of(
                np.append(seams, constant), dict(zip(pairs, of_tags.tolist(), strict=True))
            ),
            neighbours,
            dict(grammar),
        )
        return self


def common(rows: Iterable[Sequence[Name]], least: int) -> list[Name]:
    """Return the names that occur in enough rows, in the order in which they first occur."""
    counts = Counter(name for row in rows for name in set(row))
    return [name for name, count in counts.items() if count >= least]


def _lay_out(
    examples: Sequence[Example], names: Sequence[Feature], pairs: Sequence[tuple[str, str]]
) -> _Design:
    column = {name: number for number, name in enumerate(names)}
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    owners: list[int] = []
    for number, each in enumerate(examples):
        for loss in each.losses:
            known = [column[f] for f in loss.features if f in column]
            columns += [*known, len(names), len(names) + 1]
            values += [*[1.0] * len(known), loss.odds, 1.0]
            rows += [len(owners)] * (len(known) + 2)
            owners.append(number)
    seams = [(number, row) for number, each in enumerate(examples) for row in each.seams]
    return _Design(
        csr_matrix((values, (rows, columns)), shape=(len(owners), len(names) + 2)),
        np.array(owners, dtype=np.int64),
        np.array([row for _, row in seams]).reshape(-1, len(SEAM_FEATURES)),
        _indicators([pair for each in examples for pair in each.tags], pairs),
        np.array([number for number, _ in seams], dtype=np.int64),
        np.array([each.accepted for each in examples]),
    )


def _indicators(found: Sequence[Name], names: Sequence[Name]) -> csr_matrix:
    """Return a row per name found, with a one in the column of that name, if it has any."""
    column = {name: number for number, name in enumerate(names)}
    known = [(row, column[name]) for row, name in enumerate(found) if name in column]
    rows, columns = zip(*known, strict=True) if known else ((), ())
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(found), len(names)))


def _objective(weights: Floats, design: _Design, penalties: Floats) -> tuple[float, Floats]:
    """Return the negative log-likelihood of all verdicts with the prior, and its slope."""
    split = design.losses.shape[1]
    end = split + design.tags.shape[1]
    loss_odds = design.losses @ weights[:split]
    seam_odds = design.tags @ weights[split:end] + design.seams @ weights[end:-1] + weights[-1]
    size = len(design.accepted)
    log_p = -np.bincount(design.version_of_loss, np.logaddexp(0.0, -loss_odds), minlength=size)
    log_p -= np.bincount(design.version_of_seam, np.logaddexp(0.0, -seam_odds), minlength=size)
    log_p = np.minimum(log_p, -_CERTAIN)
    accepted = design.accepted
    refused = np.log(-np.expm1(log_p))
    value = -float(accepted @ log_p + (1.0 - accepted) @ refused)
    # The slope of each version's part by its log-probability.
    outer = -accepted + (1.0 - accepted) * np.exp(log_p - refused)
    of_loss = outer[design.version_of_loss] * _sigmoid(-loss_odds)
    of_seam = outer[design.version_of_seam] * _sigmoid(-seam_odds)
    slope = np.concatenate(
        [
            design.losses.T @ of_loss,
            design.tags.T @ of_seam,
            design.seams.T @ of_seam,
            [of_seam.sum()],
        ]
    )
    value += 0.5 * float(penalties @ weights**2)
    return value, slope + penalties * weights


def _sigmoid(odds: Floats) -> Floats:
    return np.exp(-np.logaddexp(0.0, -odds))

"""Losses by true and false positives, and the rewriting that violates its margin most.

In the large-margin paper (section 3.3) tokens are compared without regard to position: one that is
put out is a true positive if the reference has it anywhere, however often. So true positives may
outnumber the reference, and what is put out has c = tp + fp tokens, against r of the reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treewright.arrays import Floats
from treewright.errors import choose
from treewright.forest import CountTable


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss Δ ≥ 0 of an output, from counts that add up over the rules of a derivation.

    For an empty output it is 1, or r if tokens are counted (`hamming`, `errors`). Against an empty
    reference nothing is right: it is 1, or c; the caller may reject such a reference.
    """

    name: str
    compute: Callable[[Floats, Floats, float], Floats]

    def __call__(
        self, true_positives: ArrayLike, false_positives: ArrayLike, reference_length: int
    ) -> Floats:
        """Return the loss for each pair of counts; the arguments broadcast."""
        if reference_length < 0:
            raise ValueError(f"a reference has no {reference_length} tokens")
        tp = np.asarray(true_positives, np.float64)
        fp = np.asarray(false_positives, np.float64)
        return self.compute(tp, fp, float(reference_length))


def _ratio(part: Floats, whole: Floats | float) -> Floats:
    """Return part / whole of two counts, and 0 for 0 / 0."""
    return part / np.maximum(whole, 1.0)


def _precision(tp: Floats, fp: Floats, r: float) -> Floats:
    return 1.0 - _ratio(tp, tp + fp)


def _precision_bp1(tp: Floats, fp: Floats, r: float) -> Floats:
    shorter = r / np.maximum(tp + fp, 1.0)
    return 1.0 - _ratio(tp, tp + fp) * np.exp(1.0 - np.maximum(1.0, shorter))


def _precision_bp2(tp: Floats, fp: Floats, r: float) -> Floats:
    longer, shorter = (tp + fp) / max(r, 1.0), r / np.maximum(tp + fp, 1.0)
    return 1.0 - _ratio(tp, tp + fp) * np.exp(1.0 - np.maximum(longer, shorter))


def _hamming(tp: Floats, fp: Floats, r: float) -> Floats:
    return fp + np.maximum(0.0, r - (tp + fp))


def _errors(tp: Floats, fp: Floats, r: float) -> Floats:
    return fp + np.maximum(0.0, r - tp)


def _f1(tp: Floats, fp: Floats, r: float) -> Floats:
    precision, recall = _ratio(tp, tp + fp), _ratio(np.minimum(tp, r), r)
    total = precision + recall
    return 1.0 - 2.0 * precision * recall / np.where(total > 0.0, total, 1.0)


_ALL = (
    Loss("precision", _precision),  # 1 − tp/c
    Loss("precision-bp1", _precision_bp1),  # 1 − tp/c · exp(1 − max(1, r/c))
    Loss("precision-bp2", _precision_bp2),  # 1 − tp/c · exp(1 − max(c/r, r/c))
    Loss("hamming", _hamming),  # fp + max(0, r − c)
    Loss("errors", _errors),  # fp + max(0, r − tp)
    Loss("f1", _f1),  # 1 − 2PR/(P + R), P = tp/c, R = min(tp, r)/r
)
LOSSES: Mapping[str, Loss] = MappingProxyType({loss.name: loss for loss in _ALL})
"""The losses by name: those of the 2007 paper, the Hamming loss of the 2009 one, and two more."""


def loss_named(name: str) -> Loss:
    """Return the loss with this name; an unknown name is an error that lists the choices."""
    return LOSSES[choose(name, LOSSES, "loss")]


def rescale_margin(loss: Floats, scores: Floats, gold_score: float) -> Floats:
    """Return H = Δ + s(y) − s(gold): the required margin grows with the loss."""
    return loss + (scores - gold_score)


def rescale_slack(loss: Floats, scores: Floats, gold_score: float) -> Floats:
    """Return H = (1 + s(y) − s(gold)) · Δ (equation 5); without loss there is no violation."""
    return (1.0 + (scores - gold_score)) * loss


RESCALE: Mapping[str, Callable[[Floats, Floats, float], Floats]] = MappingProxyType(
    {"margin": rescale_margin, "slack": rescale_slack}
)


class Violation(NamedTuple):
    """The pair of counts whose best derivation has the greatest H, with its H and its Δ."""

    true_positives: int
    false_positives: int
    violation: float
    loss: float


def most_violated(
    table: CountTable, loss: Loss, gold_score: float, reference_length: int, rescaling: str
) -> Violation:
    """Return where the greatest H of all derivations is, exactly.

    `table` holds the best scores by true and false positives, with limits wide enough for all
    derivations. Derivations with equal counts have equal Δ ≥ 0, and H does not fall as the score
    rises, so the best score for each pair of counts suffices. Of equal ones, the pair with the
    fewest true positives is taken, and of these the one with the fewest false positives.
    """
    if not math.isfinite(gold_score):
        raise ValueError(f"the score of the gold derivation must be finite, not {gold_score}")
    tp, fp = np.nonzero(table.scores > -math.inf)
    if not tp.size:
        raise ValueError("a forest without derivation violates no margin")
    losses = loss(tp, fp, reference_length)
    rescale = RESCALE[choose(rescaling, RESCALE, "rescaling")]
    violations = rescale(losses, table.scores[tp, fp], gold_score)
    place = int(violations.argmax())
    return Violation(int(tp[place]), int(fp[place]), float(violations[place]), float(losses[place]))

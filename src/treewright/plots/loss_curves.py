"""How the loss that an SVM is trained with affects rate and quality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from treewright.compression import Rewriter, score_rewriter
from treewright.corpora import Pair
from treewright.evaluation import Evaluation
from treewright.learning import SVM
from treewright.learning.linear import ExampleSet
from treewright.learning.margin import LOSSES
from treewright.progress import SILENT, Progress

if TYPE_CHECKING:
    from rich.table import Table

ALL_LOSSES = tuple(LOSSES)

_SCORES = {"Word rate": "word_rate", "RelF1": "relation_f1", "TokF1": "token_f1"}


@dataclass(frozen=True, eq=False)
class LossPoint:
    """An SVM trained with a loss and a C, and how its outputs score as decoded."""

    loss: str
    c: float
    converged: bool
    decoded: Evaluation

    def as_dict(self) -> dict[str, object]:
        """Return plain values; scores are fractions."""
        scores = {name: self.decoded.score(name) for name in _SCORES.values()}
        return {"loss": self.loss, "c": self.c, **scores, "converged": self.converged}


def vary_losses(
    learner: SVM, losses: Sequence[str] = ALL_LOSSES, costs: Sequence[float] | None = None
) -> list[SVM]:
    """Return the learner with every loss and every C, in this order; without any C, with
    its own.
    """
    values = [learner.c] if costs is None else sorted(set(costs))
    return [replace(learner, loss=loss, c=c) for loss, c in product(losses, values)]


def measure_losses(
    learners: Sequence[SVM],
    data: ExampleSet,
    pairs: Sequence[Pair],
    *,
    target: int | None = None,
    decode: str = "viterbi",
    progress: Progress = SILENT,
) -> list[LossPoint]:
    """Train learners that differ only in loss and C, and rewrite `pairs` with each."""
    points = []
    for each in progress.track(learners, "training with each loss"):
        model = each.fit_prepared(data).model_
        rewriter = Rewriter(model=model, decode=decode)
        decoded = score_rewriter(rewriter, pairs, name=each.loss, target=target)
        points.append(LossPoint(each.loss, each.c, each.result_.converged, decoded))
    return points


def loss_table(points: Sequence[LossPoint], *, title: str) -> Table:
    """Lay out points for the terminal, in per cent."""
    from rich.table import Table

    table = Table("Loss", title=title)
    for heading in ("C", *_SCORES):
        table.add_column(heading, justify="right")
    for place, point in enumerate(points):
        if place and point.loss != points[place - 1].loss:
            table.add_section()
        scores = [f"{100 * point.decoded.score(name):.2f}" for name in _SCORES.values()]
        table.add_row(point.loss, f"{point.c:g}", *scores)
    return table

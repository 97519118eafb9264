"""How the loss that an SVM is trained with affects rate and quality: scored and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from treewright.compression import Rewriter, score_rewriter
from treewright.corpora import Pair
from treewright.evaluation import Evaluation
from treewright.learning import SVM
from treewright.learning.linear import ExampleSet
from treewright.learning.margin import LOSSES
from treewright.plots.canvas import legend_below, look, mark_references, panels, styles
from treewright.progress import SILENT, Progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table

ALL_LOSSES = tuple(LOSSES)
_SCORES = {"Word rate": "word_rate", "RelF1": "relation_f1", "TokF1": "token_f1"}
_SMALLEST, _LARGEST = 5.0, 11.0
"""Marks in points; they grow with C."""


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


def draw_losses(
    points: Sequence[LossPoint], gold_rate: float, *, title: str | None = None
) -> Figure:
    """Draw each loss where its outputs are, as decoded, with a line through its Cs in order.

    The vertical line is the references' rate.
    """
    costs = sorted({point.c for point in points})
    sizes = dict(zip(costs, np.linspace(_SMALLEST, _LARGEST, len(costs)), strict=True))
    if len(costs) == 1:
        sizes = {costs[0]: _LARGEST}
    with look():
        figure, [panel] = panels(1, 1, (6.4, 5.0), title)
        mark_references(panel, gold_rate)
        for name, style in styles(list(dict.fromkeys(point.loss for point in points))).items():
            line = [point for point in points if point.loss == name]
            rate = [100 * point.decoded.score("word_rate") for point in line]
            score = [100 * point.decoded.score("relation_f1") for point in line]
            panel.plot(rate, score, **{**style, "marker": ""}, linewidth=1.0)
            edge = {"markeredgecolor": "white", "markeredgewidth": 0.8, "linestyle": ""}
            for point, x, y in zip(line, rate, score, strict=True):
                label = name if point is line[-1] else None
                look_of = {**style, **edge, "markersize": sizes[point.c], "alpha": 0.85}
                panel.plot(x, y, label=label, zorder=3, **look_of)
        if len(costs) > 1:
            growing = f"marks grow with C, {costs[0]:g} to {costs[-1]:g}"
            panel.plot([], [], "o", color="#777777", markersize=_SMALLEST, label=growing)
        panel.set_title("relation F1 (%)", loc="left")
        panel.set_xlabel("words kept (%)")
        panel.margins(0.08)
        legend_below(figure, panel, columns=3)
    return figure

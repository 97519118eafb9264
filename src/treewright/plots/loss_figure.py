"""Relation F1 against the rate, one line per loss (large-margin paper, figure 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright.plots.canvas import legend_below, look, mark_references, panels, styles
from treewright.plots.loss_curves import LossPoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SMALLEST, _LARGEST = 5.0, 11.0
"""Marks in points; they grow with C."""


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

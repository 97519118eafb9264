"""Relation precision, recall and F1 against the compression rate (Bayesian paper, figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.plots.canvas import legend_below, look, mark_references, panels, styles
from treewright.plots.rate_summary import DECODED, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANELS = {
    "relation_precision": "relation precision (%)",
    "relation_recall": "relation recall (%)",
    "relation_f1": "relation F1 (%)",
}


def draw_rates(rows: Sequence[Row], gold_rate: float, *, title: str | None = None) -> Figure:
    """Draw one line per system through its scores at each rate, where its outputs really are.

    Runs with the same name are drawn as their mean in a band of one standard deviation to each
    side. The large mark is the system as decoded, the vertical line the references' rate.
    """
    with look():
        figure, axes = panels(1, len(_PANELS), (12.0, 4.6), title)
        systems = list(dict.fromkeys(row.system for row in rows))
        for panel, (score, heading) in zip(axes, _PANELS.items(), strict=True):
            mark_references(panel, gold_rate)
            for name, style in styles(systems).items():
                _draw_system(panel, [row for row in rows if row.system == name], score, style)
            panel.set_title(heading, loc="left")
            panel.set_xlabel("words kept (%)")
        axes[0].plot([], [], "o", color="#777777", markersize=10, label="as decoded")
        legend_below(figure, axes[0], columns=6)
    return figure


def _draw_system(panel: Axes, rows: Sequence[Row], score: str, style: dict[str, Any]) -> None:
    [decoded] = [row for row in rows if row.point == DECODED]
    line = sorted(
        (row for row in rows if row is not decoded), key=lambda row: row.mean["word_rate"]
    )
    rate = np.array([100 * row.mean["word_rate"] for row in line])
    mean = np.array([100 * row.mean[score] for row in line])
    runs = f", mean of {decoded.runs} ± s.d." if decoded.runs > 1 else ""
    panel.plot(rate, mean, markersize=3.5, label=f"{decoded.system}{runs}", **style)
    if decoded.runs > 1:
        spread = np.array([100 * row.spread[score] for row in line if row.spread is not None])
        panel.fill_between(
            rate, mean - spread, mean + spread, color=style["color"], alpha=0.18, linewidth=0
        )
    panel.plot(
        100 * decoded.mean["word_rate"],
        100 * decoded.mean[score],
        linestyle="",
        marker=style["marker"],
        markersize=10,
        markerfacecolor=style["color"],
        markeredgecolor="white",
        markeredgewidth=1.2,
        zorder=5,
    )

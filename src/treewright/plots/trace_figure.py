"""The picture of a run: is it still climbing, and do chains, or primal and dual, agree?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright.plots.canvas import legend_below, look, panels, styles
from treewright.plots.traces import ROUNDS, Trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PANELS = {
    "log_joint": "log joint probability",
    "temperature": "temperature",
    "rules": "distinct rules",
    "changed": "share of updates that changed (%)",
}


def draw_traces(traces: Sequence[Trace], *, title: str | None = None) -> Figure:
    """Draw a trace against the sweep, one line per chain, or against the round."""
    if traces[0].form is ROUNDS:
        return _draw_rounds(traces[0], title)
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    with look():
        figure, axes = panels(2, 2, (9.0, 6.0), title)
        looks = styles([f"chain {trace.chain}" for trace in traces])
        for panel, (column, heading) in zip(axes, _PANELS.items(), strict=True):
            for trace, (name, style) in zip(traces, looks.items(), strict=True):
                scale = 100.0 if column == "changed" else 1.0
                mark = "." if len(trace.sweeps) == 1 else ""
                line = {**style, "marker": mark, "linewidth": 1.1}
                panel.plot(trace.sweeps, scale * trace.values[column], label=name, **line)
            panel.set_title(heading, loc="left")
            panel.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
            panel.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        for panel, column in zip(axes, _PANELS, strict=True):
            if column in ("log_joint", "rules"):
                panel.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            else:
                panel.set_ylim(bottom=0.0)
        for panel in axes[2:]:
            panel.set_xlabel("sweep")
        if len(traces) > 1:
            legend_below(figure, axes[0], columns=8)
    return figure


_ROUND_PANELS = {
    "objective": ("primal", "dual"),
    "gap between primal and dual": ("gap",),
    "constraints": ("constraints",),
    "seconds a round": ("seconds",),
}


def _draw_rounds(trace: Trace, title: str | None) -> Figure:
    """Draw primal and dual, the gap, constraints and time; a primal is carried forward
    to the next.
    """
    from matplotlib.ticker import MaxNLocator

    with look():
        figure, axes = panels(2, 2, (9.0, 6.0), title)
        looks = styles(["primal", "dual"])
        for panel, (heading, columns) in zip(axes, _ROUND_PANELS.items(), strict=True):
            for column in columns:
                style = {**looks.get(column, looks["primal"]), "marker": "."}
                known = np.isfinite(trace.values[column])
                panel.plot(trace.sweeps[known], trace.values[column][known], label=column, **style)
            panel.set_title(heading, loc="left")
            panel.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
        if (trace.values["gap"] > 0.0).any():
            axes[1].set_yscale("log")
        for panel in axes[2:]:
            panel.set_xlabel("round")
            panel.set_ylim(bottom=0.0)
        axes[0].legend()
    return figure

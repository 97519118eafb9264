"""The picture of a sampler's run: is it still climbing, and do its chains agree?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.plots.canvas import legend_below, look, panels, styles
from treewright.plots.traces import Trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PANELS = {
    "log_joint": "log joint probability",
    "temperature": "temperature",
    "rules": "distinct rules",
    "changed": "share of updates that changed (%)",
}


def draw_traces(traces: Sequence[Trace], *, title: str | None = None) -> Figure:
    """Draw what a trace holds against the sweep, one line a chain."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    with look():
        figure, axes = panels(2, 2, (9.0, 6.0))
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
        if title is not None:
            figure.suptitle(title)
    return figure

"""Pictures of experiments, and the numbers in them; drawing needs the extra `[plots]`."""

from treewright.plots.canvas import FORMATS, check_drawing, save
from treewright.plots.loss_curves import LossPoint, loss_table, measure_losses, vary_losses
from treewright.plots.loss_figure import draw_losses
from treewright.plots.rate_curves import RATES, RateCurve, measure
from treewright.plots.rate_figure import draw_rates
from treewright.plots.rate_summary import Row, as_table, as_tsv, summarise
from treewright.plots.trace_figure import draw_traces
from treewright.plots.traces import Trace, read_traces

__all__ = [
    "FORMATS",
    "RATES",
    "LossPoint",
    "RateCurve",
    "Row",
    "Trace",
    "as_table",
    "as_tsv",
    "check_drawing",
    "draw_losses",
    "draw_rates",
    "draw_traces",
    "loss_table",
    "measure",
    "measure_losses",
    "read_traces",
    "save",
    "summarise",
    "vary_losses",
]

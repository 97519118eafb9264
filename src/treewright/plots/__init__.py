"""Pictures of experiments, and the numbers in them; drawing needs the extra `[plots]`."""

from treewright.plots.canvas import check_drawing, save
from treewright.plots.losses import LossPoint, draw_losses, loss_table, measure_losses, vary_losses
from treewright.plots.rates import (
    RATES,
    RateCurve,
    Row,
    as_table,
    as_tsv,
    draw_rates,
    measure,
    summarise,
)
from treewright.plots.traces import Trace, draw_traces, read_traces

__all__ = [
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

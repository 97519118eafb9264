"""Traces: how a sampler's chain or training in rounds went, and the picture of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from treewright.arrays import Floats
from treewright.errors import DataError, ParseError
from treewright.files import check_text, open_text
from treewright.plots.canvas import legend_below, look, panels, styles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PANELS = {
    "log_joint": "log joint probability",
    "temperature": "temperature",
    "rules": "distinct rules",
    "changed": "share of updates that changed (%)",
}


class Form(NamedTuple):
    """What reports hold: the fields that identify one, with its position last, and the values."""

    places: tuple[str, ...]
    columns: tuple[str, ...]


SWEEPS = Form(("chain", "iteration"), ("log_joint", "temperature", "rules", "changed"))
ROUNDS = Form(("round",), ("primal", "dual", "gap", "constraints", "seconds"))
_MOST = 2**53
"""Integers up to this are exact as floats."""


@dataclass(frozen=True, eq=False)
class Trace:
    """One run: the sweeps of a chain or the reported rounds, and a value for each column.

    An unknown value is NaN.
    """

    chain: int
    sweeps: Floats
    values: dict[str, Floats]
    form: Form = SWEEPS


def read_traces(path: str) -> list[Trace]:
    """Read the chains of a trace in the order of their numbers; rounds are one chain.

    If a sweep was reported twice, before and after a run was resumed, the last report counts. The
    last line may be cut short: the run may still be going, or was stopped in the middle of it.
    """
    chains: dict[int, dict[int, dict[str, float]]] = {}
    form = SWEEPS
    for form, record in _records(path):
        chain, sweep = int(record.get("chain", 0)), int(record[form.places[-1]])
        chains.setdefault(chain, {})[sweep] = record
    if not chains:
        raise DataError("no reports in it; expected what train … --trace writes", where=path)
    return [_trace(chain, sweeps, form) for chain, sweeps in sorted(chains.items())]


def _trace(chain: int, sweeps: dict[int, dict[str, float]], form: Form) -> Trace:
    order = sorted(sweeps)
    return Trace(
        chain,
        np.array(order, dtype=np.float64),
        {name: np.array([sweeps[sweep][name] for sweep in order]) for name in form.columns},
        form,
    )


def _records(path: str) -> Iterator[tuple[Form, dict[str, float]]]:
    """Yield checked reports; the first determines the form of all."""
    form = None
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            check_text(line, path, number)
            if line.isspace():
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                if not line.endswith("\n"):
                    return
                raise ParseError(
                    "not JSON; expected one object per report", where=f"{path}:{number}"
                ) from None
            where = f"{path}:{number}"
            if not isinstance(record, dict):
                raise ParseError("expected one object per report", where=where)
            form = form or (ROUNDS if "round" in record else SWEEPS)
            yield form, _checked(record, form, where)


def _checked(record: dict[str, Any], form: Form, where: str) -> dict[str, float]:
    """Return the numbers of a record; only plotted values may be `null`."""
    numbers = {}
    for name in (*form.places, *form.columns):
        if name not in record:
            raise ParseError(f"no field {name!r}; is this a trace?", where=where)
        drawn = name in form.columns
        value = float("nan") if record[name] is None and drawn else record[name]
        if not (_is_number(value) if drawn else _is_whole(value)):
            expected = "a number" if drawn else "a whole number"
            raise ParseError(f"{name!r} is {value!r:.40}; expected {expected}", where=where)
        numbers[name] = value
    return numbers


def _is_number(value: Any) -> bool:
    """Whether a value is a number that can be drawn; JSON's may be of any length."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) <= _MOST


def _is_whole(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


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

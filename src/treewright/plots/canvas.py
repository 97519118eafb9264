"""Figures with one style, and their files. matplotlib is imported only when something is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewright.errors import UsageError, how_to_install
from treewright.files import atomic_write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, which people with any kind of colour vision can tell apart."""
_DASHES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_LOOK: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    # The same figure gives the same bytes.
    "svg.hashsalt": "treewright",
}


def check_drawing(path: str) -> str:
    """Return the format of a picture's file, or raise a `UsageError` before any work is done."""
    form = Path(path).suffix.removeprefix(".").lower()
    if form not in FORMATS:
        endings = ", ".join(f".{form}" for form in FORMATS)
        raise UsageError(f"cannot draw {path}: name a file that ends in one of {endings}")
    if find_spec("matplotlib") is None:
        raise UsageError(
            f"drawing needs matplotlib, which is not installed; {how_to_install('plots')}"
        )
    return form


@contextmanager
def look() -> Iterator[None]:
    """Draw in the style that all figures share."""
    import matplotlib

    with matplotlib.rc_context(_LOOK):
        yield


def panels(
    rows: int, columns: int, size: tuple[float, float], title: str | None
) -> tuple[Figure, list[Axes]]:
    """Return a figure with a grid of panels over the same horizontal axis."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, columns, sharex=True, squeeze=False)
    if title is not None:
        figure.suptitle(title)
    return figure, list(axes.flat)


def styles(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return colour, dashes and marker for each name: three ways to tell lines apart."""
    looks = zip(names, cycle(_COLOURS), cycle(_DASHES), cycle(_MARKERS), strict=False)
    return {
        name: {"color": colour, "linestyle": dashes, "marker": marker}
        for name, colour, dashes, marker in looks
    }


def mark_references(axes: Axes, gold_rate: float) -> None:
    """Draw the upright line of the references' rate."""
    label = f"references, {100 * gold_rate:.1f} %"
    dotted = (0, (2, 2))
    axes.axvline(100 * gold_rate, color="#777777", linewidth=1.0, linestyle=dotted, label=label)


def legend_below(figure: Figure, axes: Axes, *, columns: int) -> None:
    """Name the lines of one panel below all panels."""
    handles, names = axes.get_legend_handles_labels()
    if names:
        figure.legend(handles, names, loc="outside lower center", ncols=min(columns, len(names)))


def save(figure: Figure, path: str) -> None:
    """Write a figure in the format of its file name, completely or not at all."""
    form = check_drawing(path)
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
    with look(), atomic_write(path, binary=True) as handle:
        figure.savefig(handle, format=form, dpi=150, metadata=undated)

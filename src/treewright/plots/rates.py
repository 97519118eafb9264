"""A model's relation scores at many compression rates: measured, averaged over runs, drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.compression import AnyModel, Limit, Rewriter, gold_limit, score_rewriter
from treewright.corpora import Pair
from treewright.errors import Problems, UsageError
from treewright.evaluation import Evaluation, evaluate_all
from treewright.plots.canvas import legend_below, look, mark_references, panels, styles
from treewright.progress import SILENT, Progress
from treewright.trees.relations import relations

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from rich.table import Table

RATES = tuple(round(0.05 * step, 2) for step in range(8, 19))
"""From 0.4 to 0.9: what people and systems do."""
SCORES = ("word_rate", "relation_precision", "relation_recall", "relation_f1")
DECODED, GOLD = "as decoded", "gold rate"
_PANELS = {
    "relation_precision": "relation precision (%)",
    "relation_recall": "relation recall (%)",
    "relation_f1": "relation F1 (%)",
}


@dataclass(frozen=True, eq=False)
class RateCurve:
    """How a model scores as decoded, at the rate of the references, and at other rates.

    A rate is the one requested; outputs may miss it if nothing of that length can be derived, and
    their `word_rate` says so.
    """

    name: str
    decoded: Evaluation
    gold: Evaluation
    at: Mapping[float, Evaluation]


def measure(
    model: AnyModel,
    pairs: Sequence[Pair],
    rates: Iterable[float] = RATES,
    *,
    name: str = "system",
    target: int | None = None,
    decode: str = "viterbi",
    problems: Problems | None = None,
    progress: Progress = SILENT,
) -> RateCurve:
    """Bring a model's outputs to each rate of the whole corpus, as `Limit(rate=…)` does.

    Rates share two passes over the forests, unless the model prices by share. Sentences without any
    output count as missing and go to `problems`.
    """
    asked = sorted(set(rates))
    limits = [Limit(rate=rate) for rate in asked]
    if decode == "mpt":
        raise UsageError("rate curves need decode viterbi or mbr, not mpt")
    rewriter = Rewriter(model=model, decode=decode)
    decoded = score_rewriter(
        rewriter, pairs, name=name, target=target, problems=problems, progress=progress
    )
    # Rewriting has already reported what it cannot do.
    rows = rewriter.at_limits(
        [pair.source for pair in pairs],
        [gold_limit(decoded), *limits],
        problems=Problems(),
        progress=progress,
    )
    outputs = list(zip(*[[each.tree for each in row] for row in rows], strict=True))
    # Many rates give a sentence the same output.
    gold, *others = evaluate_all(
        {str(number): trees for number, trees in enumerate(outputs)},
        pairs,
        target=target,
        relations=lru_cache(maxsize=1 << 10)(relations),
    )
    return RateCurve(name, decoded, gold, dict(zip(asked, others, strict=True)))


@dataclass(frozen=True)
class Row:
    """One system at one point: its mean scores over `runs` models, and their spread.

    The point is a requested rate, `DECODED` or `GOLD`. The spread is the sample standard deviation,
    `None` for a single run.
    """

    system: str
    point: float | str
    runs: int
    mean: dict[str, float]
    spread: dict[str, float] | None

    def as_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "system": self.system,
            "point": self.point,
            "runs": self.runs,
            **self.mean,
            "spread": self.spread,
        }


def summarise(curves: Iterable[RateCurve]) -> list[Row]:
    """Average the curves of each name, names in order of appearance, rates ascending.

    The rows as decoded and at the gold rate come first for each system.
    """
    systems: dict[str, list[RateCurve]] = {}
    for curve in curves:
        systems.setdefault(curve.name, []).append(curve)
    rows = []
    for name, runs in systems.items():
        rows.append(_row(name, DECODED, [run.decoded for run in runs]))
        rows.append(_row(name, GOLD, [run.gold for run in runs]))
        rows += [_row(name, rate, [run.at[rate] for run in runs]) for rate in runs[0].at]
    return rows


def _row(name: str, point: float | str, runs: Sequence[Evaluation]) -> Row:
    values = {score: [run.score(score) for run in runs] for score in SCORES}
    mean = {score: float(np.mean(found)) for score, found in values.items()}
    spread = None
    if len(runs) > 1:
        spread = {score: float(np.std(found, ddof=1)) for score, found in values.items()}
    return Row(name, point, len(runs), mean, spread)


def as_table(rows: Sequence[Row], *, title: str) -> Table:
    """Lay out rows for the terminal, in per cent, with `±` a standard deviation of the runs."""
    from rich.table import Table

    table = Table("System", title=title)
    for heading in ("Runs", "Asked for", "Word rate", "RelP", "RelR", "RelF1"):
        table.add_column(heading, justify="right")
    before = None
    for row in rows:
        if before is not None and row.system != before:
            table.add_section()
        before = row.system
        point = row.point if isinstance(row.point, str) else f"{100 * row.point:g}"
        table.add_row(row.system, str(row.runs), point, *_cells(row))
    return table


def _cells(row: Row) -> Iterator[str]:
    for score, value in row.mean.items():
        spread = "" if row.spread is None else f" ± {100 * row.spread[score]:.2f}"
        yield f"{100 * value:.2f}{spread}"


def as_tsv(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a heading and one line per row; scores are fractions, an unknown spread is empty."""
    yield "\t".join(["system", "point", "runs", *SCORES, *(f"{score}_sd" for score in SCORES)])
    for row in rows:
        spread = row.spread or {}
        yield "\t".join(
            [
                " ".join(row.system.split()),
                str(row.point),
                str(row.runs),
                *(f"{row.mean[score]:.6f}" for score in SCORES),
                *(f"{spread[score]:.6f}" if score in spread else "" for score in SCORES),
            ]
        )


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

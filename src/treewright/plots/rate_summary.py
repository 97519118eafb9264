"""Rate curves as numbers: means and spreads of runs of the same name, as a table and as TSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treewright.evaluation import Evaluation
from treewright.plots.rate_curves import RateCurve

if TYPE_CHECKING:
    from rich.table import Table

SCORES = ("word_rate", "relation_precision", "relation_recall", "relation_f1")
DECODED, GOLD = "as decoded", "gold rate"


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
        table.add_row(row.system, str(row.runs), _point(row.point), *_cells(row))
    return table


def _point(point: float | str) -> str:
    return point if isinstance(point, str) else f"{100 * point:g}"


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

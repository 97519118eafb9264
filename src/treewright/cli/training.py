"""What the commands of `treewright train` share: checks of the request, held-out pairs, tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.cli import console
from treewright.errors import Problems, UsageError

if TYPE_CHECKING:
    from treewright.compression import Scored, Scores
    from treewright.corpora import Pair
    from treewright.learning import Gibbs
    from treewright.learning.gibbs import Spread


def check_request(
    pairs: str, dev: str | None, grid: Sequence[str] | None, model: str, *written: str | None
) -> None:
    """Raise a `UsageError` where inputs and outputs are in each other's way."""
    console.check_outputs([pairs, dev], [model, *(path for path in written if path is not None)])
    if grid and dev is None:
        raise UsageError("--grid needs --dev to score on")
    if model == "-" and dev is not None:
        raise UsageError("--dev prints scores on stdout, where --model - writes the model")
    console.check_stdin(pairs, dev)


def held_out_pairs(dev: str | None, target: int, problems: Problems) -> list[Pair]:
    """Read the pairs to score on; none where there is no file."""
    from treewright.corpora import read_pairs

    return [] if dev is None else list(read_pairs(dev, target=target, problems=problems))


_SCORES = {
    "RelF1": ("relation_f1", False),
    "rate": ("word_rate", False),
    "RelF1 at gold rate": ("relation_f1", True),
}
"""The columns of tables: which score, and whether at the matched rate."""


def show_ranking(ranking: Sequence[Scored]) -> None:
    """Print every point of a grid with its scores, in the order given."""
    from rich.table import Table

    names = list(ranking[0].settings)
    table = Table(*names, *_SCORES, "rules", title="grid search")
    for scored in ranking:
        table.add_row(
            *[f"{scored.settings[name]:g}" for name in names],
            *[_percent(scored.spread(name, matched=matched)) for name, matched in _SCORES.values()],
            str(len(scored.model.grammar)),
        )
    console.put_table(table)


def _percent(spread: Spread) -> str:
    mean = f"{100 * spread.mean:.2f}"
    return mean if spread.deviation is None else f"{mean} ± {100 * spread.deviation:.2f}"


def show_chains(chains: Sequence[Gibbs], scores: Sequence[Scores]) -> None:
    """Print several chains, with their scores if there are any, and the mean and spread of all."""
    from rich.table import Table

    from treewright.learning.gibbs import Spread

    rows = [[c.log_joint_, float(len(c.model_.grammar))] for c in chains]
    for row, pair in zip(rows, scores, strict=False):
        row += [100 * pair[matched].score(name) for name, matched in _SCORES.values()]
    names = ["chain", "seed", "log joint", "rules", *(_SCORES if scores else ())]
    signature = scores[0][0].signature if scores else None
    table = Table(title="chains", caption=signature)
    for name in names:
        table.add_column(name, justify="left" if name == "chain" else "right")
    for number, (chain, row) in enumerate(zip(chains, rows, strict=True)):
        table.add_row(
            str(number), str(chain.seed), *_cells(row, ".0f"), end_section=chain is chains[-1]
        )
    spreads = [Spread.of(column) for column in zip(*rows, strict=True)]
    table.add_row("mean", "", *_cells([s.mean for s in spreads], ".1f"))
    table.add_row("deviation", "", *_cells([s.deviation or 0.0 for s in spreads], ".1f"))
    console.put_table(table)


def _cells(row: Sequence[float], rules: str) -> list[str]:
    """Write the log joint, the number of rules and scores."""
    log_joint, count, *scores = row
    return [f"{log_joint:.1f}", f"{count:{rules}}", *[f"{score:.2f}" for score in scores]]

"""What the commands of `treewright train` share: checks of the request, held-out pairs, tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.cli import console
from treewright.errors import Problems, UsageError

if TYPE_CHECKING:
    from treewright.compression import Scored
    from treewright.corpora import Pair


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


def show_ranking(ranking: Sequence[Scored]) -> None:
    """Print every point of a grid with its scores, in the order given."""
    from rich.table import Table

    names = list(ranking[0].settings)
    table = Table(*names, "RelF1", "rate", "RelF1 at gold rate", "rules", title="grid search")
    for scored in ranking:
        table.add_row(
            *[f"{scored.settings[name]:g}" for name in names],
            f"{100 * scored.decoded.score('relation_f1'):.2f}",
            f"{100 * scored.decoded.score('word_rate'):.1f}",
            f"{100 * scored.matched.score('relation_f1'):.2f}",
            str(len(scored.model.grammar)),
        )
    console.put_table(table)

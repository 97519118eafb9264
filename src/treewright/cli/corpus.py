"""`treewright corpus`: check, describe and split files of tree pairs."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.errors import UsageError

app = typer.Typer(help="Check, describe and split files of tree pairs.", no_args_is_help=True)


@app.command()
def check(
    pairs: options.Pairs,
    free: Annotated[
        bool, typer.Option("--free", help="Targets need not be subsequences of sources.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Read every pair and list what is wrong; exit 1 if anything is."""
    from treewright.corpora import check_corpus

    result = check_corpus(pairs, extractive=not free)
    if json:
        console.put_json(result.as_dict())
    else:
        for problem in result.problems:
            console.put(str(problem))
        console.say(
            f"{result.records} records, {result.pairs} pairs, {len(result.problems)} problems"
        )
    if not result.ok:
        raise typer.Exit(1)


@app.command()
def stats(
    pairs: options.Pairs,
    target: options.Target = 0,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Describe a corpus: sizes, lengths, rates, vocabulary."""
    from treewright.corpora import gather, read_pairs

    problems = console.collect(strict)
    figures = gather(read_pairs(pairs, target=target, problems=problems)).as_dict()
    if json:
        console.put_json(figures)
    else:
        from rich.table import Table

        table = Table("what", "value", title=pairs)
        for name, value in figures.items():
            shown = (
                ", ".join(f"{k} {_number(v)}" for k, v in value.items())
                if isinstance(value, dict)
                else _number(value)
            )
            table.add_row(name.replace("_", " "), shown)
        console.put_table(table)
    console.conclude(problems, "pairs")


def _number(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@app.command()
def split(
    pairs: options.Pairs,
    part: Annotated[
        list[str],
        typer.Option(
            "--part",
            metavar="FILE=SIZE",
            help="An output and its size: a count (200), a share (0.1) or 'rest'. Repeat.",
        ),
    ],
    method: Annotated[
        str, typer.Option(help="contiguous, shuffled (by seed) or hashed (by id).")
    ] = "contiguous",
    seed: options.Seed = 0,
    strict: options.Strict = False,
) -> None:
    """Split a corpus into files, deterministically."""
    from treewright.corpora import split_corpus

    problems = console.collect(strict)
    sizes = dict(_part(text) for text in part)
    result = split_corpus(pairs, sizes, method=method, seed=seed, problems=problems)
    for name, count in result.written.items():
        console.say(f"{name}: {count} pairs")
    if result.left_out:
        console.say(f"left out: {result.left_out} pairs")
    console.conclude(problems, "pairs")


def _part(text: str) -> tuple[str, int | float | None]:
    name, equals, size = text.rpartition("=")
    try:
        if not equals:
            raise ValueError
        if size == "rest":
            return name, None
        return name, float(size) if "." in size else int(size)
    except ValueError:
        raise UsageError(
            f"expected --part FILE=SIZE with a count, a share or 'rest', found {text!r}"
        ) from None

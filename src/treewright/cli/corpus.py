"""`treewright corpus`: make, check, describe, split and convert files of tree pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

app = typer.Typer(
    help="Make, check, describe, split and convert files of tree pairs.", no_args_is_help=True
)


@app.command()
def check(
    pairs: options.Pairs,
    free: Annotated[
        bool, typer.Option("--free", help="Targets need not be subsequences of sources.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Read every pair and list all errors; the exit status is 1 if there are any."""
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
        console.put_table(_table(figures, pairs))
    console.conclude(problems, "pairs")


def _table(figures: dict[str, Any], title: str) -> Table:
    """Lay out sources and targets side by side, and below them how the two are related."""
    from rich.table import Table

    table = Table("", title=title)
    table.add_column("source", justify="right")
    table.add_column("target", justify="right")
    sides = figures["source"], figures["target"]
    table.add_row("trees", *[str(figures["pairs"])] * 2)
    for name in ("tokens", "words", "depth"):
        if name != "depth":
            table.add_row(name, *[str(side[name]["total"]) for side in sides])
        unit = name if name == "depth" else f"{name} a tree"
        table.add_row(unit, *[_spread(side[name]) for side in sides])
    for name in ("words", "labels", "productions"):
        table.add_row(f"distinct {name}", *[str(side[f"distinct_{name}"]) for side in sides])
    table.add_section()
    for name, value in (
        ("tokens, share of the source's", figures["rate"]["tokens"]),
        ("words, share of the source's", figures["rate"]["words"]),
        ("made by deletion alone", figures["extractive"]),
        ("same as the source", figures["copies"]),
    ):
        table.add_row(name, "", f"{100 * value:.1f} %")
    return table


def _spread(values: dict[str, float]) -> str:
    return (
        f"{values['min']} to {values['max']}, "
        f"median {values['median']:g}, mean {values['mean']:.1f}"
    )


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
    parts = [_part(text) for text in part]
    console.check_outputs([pairs], [name for name, _ in parts])
    sizes = dict(parts)
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


@app.command()
def convert(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE.trees", help="Bracketed trees; - is stdin.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="TARGET.trees", help="Their partners, in the same order.")
    ],
    alignment: Annotated[
        str | None, optional("FILE", "Word alignments, one line per pair: 0-0 1-2 (Pharaoh).")
    ] = None,
    output: options.PairsOutput = "-",
    strict: options.Strict = False,
) -> None:
    """Turn two parallel bracket files into one file of pairs (JSON Lines)."""
    from treewright.corpora import Record, read_parallel, write_records

    console.check_outputs([source, target, alignment], [output])
    problems = console.collect(strict)
    pairs = read_parallel(source, target, alignment, problems=problems)
    records = (
        Record(p.id, p.source, (p.target,), None if p.alignment is None else (p.alignment,))
        for p in pairs
    )
    count = write_records(output, records)
    console.say(f"{'stdout' if output == '-' else output}: {count} pairs")
    console.conclude(problems, "pairs")


@app.command()
def parse(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help='Pairs of text: {"source": "…", "target": "…"} a line, with "targets" for '
            "several, or a source, a tab and a target; - is stdin.",
        ),
    ],
    output: options.PairsOutput = "-",
    parser: Annotated[
        str, typer.Option(metavar="SPEC", help="As for 'treewright parse'.")
    ] = "embedded",
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Most processes to use.")] = 1,
    engine: options.Engine = None,
    strict: options.Strict = False,
) -> None:
    """Make tree pairs from plain text: parse each source, and find its targets in it.

    A target may only delete words from its source. Only the case of the first
    word and the final full stop may differ.
    """
    from treewright.alignment import parse_texts, parse_texts_on
    from treewright.corpora import scan_texts, write_records
    from treewright.parsing import open_parser

    trees = console.trees_of(parser)
    console.check_files([file, trees], [output])
    here = open_parser(parser)
    problems = console.collect(strict)
    with console.opened_engine(engine, jobs, parser) as opened:
        progress = console.progress(streaming=True, thread=opened is None)
        pairs = progress.track(scan_texts(file), "Parsing")
        if opened is None:
            records = parse_texts(pairs, here, problems=problems)
        else:
            records = parse_texts_on(opened, pairs, parser, problems=problems)
        count = write_records(output, records)
    if not count and not problems.errors:
        console.say(f"{file}: no pairs in it")
    console.say(f"{'stdout' if output == '-' else output}: {count} pairs")
    console.conclude(problems, "pairs")


@app.command()
def sample(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Where to write the files.")] = ".",
    parallel: Annotated[
        bool, typer.Option("--parallel", help="English and German sentences instead.")
    ] = False,
) -> None:
    """Write the sample corpus that comes with the package, for trying out commands."""
    from pathlib import Path

    from treewright.data import LANGUAGES, PARALLEL, SAMPLES, parallel_path, sample_path
    from treewright.files import atomic_write, make_folder

    pairs = [sample_path(name) for name in SAMPLES]
    texts = [parallel_path(name, language) for name in PARALLEL for language in LANGUAGES]
    make_folder(folder)
    for path in texts if parallel else pairs:
        written = Path(folder) / path.name
        with atomic_write(written, binary=True) as handle:
            handle.write(path.read_bytes())
        console.say(str(written))

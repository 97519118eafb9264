"""`treewright plot`: pictures of experiments, with the numbers in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.errors import UsageError

if TYPE_CHECKING:
    from treewright.corpora import Pair
    from treewright.errors import Problems
    from treewright.plots import RateCurve

app = typer.Typer(help="Draw pictures of experiments.", no_args_is_help=True)

Picture = Annotated[
    str, typer.Option("--out", metavar="FILE", help="The picture: a .svg, .png or .pdf file.")
]
Title = Annotated[str | None, typer.Option(help="A heading for the picture.")]


@app.command()
def trace(
    traces: Annotated[
        str, typer.Argument(metavar="TRACE.jsonl", help="What train gibbs --trace wrote.")
    ],
    out: Picture,
    title: Title = None,
) -> None:
    """Draw how a sampler went: log joint, temperature, rules and changes against the sweep."""
    from treewright.plots import check_drawing, draw_traces, read_traces, save

    check_drawing(out)
    console.check_outputs([traces], [out])
    save(draw_traces(read_traces(traces), title=title), out)


@app.command()
def rates(
    pairs: options.Pairs,
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME=MODEL…", help="Models; those of the same name are averaged as runs."
        ),
    ],
    out: Picture,
    rates: Annotated[
        str | None,
        typer.Option(metavar="R,R,…", help="Compression rates.", show_default="0.4,0.45,…,0.9"),
    ] = None,
    target: options.Target = 0,
    table: Annotated[
        str | None, typer.Option(metavar="FILE.tsv", help="Also write the numbers as TSV.")
    ] = None,
    decode: options.CurveDecode = "viterbi",
    title: Title = None,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Draw relation precision, recall and F1 of models against the compression rate.

    Outputs are brought to each rate exactly, one word budget shared over all sentences.
    """
    from treewright.corpora import read_pairs
    from treewright.files import atomic_write
    from treewright.plots import RATES, as_table, as_tsv, check_drawing, draw_rates, save, summarise

    check_drawing(out)
    named = [_parse_name(text) for text in models]
    paths = [path for _, path in named]
    console.check_stdin(pairs, *paths)
    console.check_outputs([pairs, *paths], [out] if table is None else [out, table])
    wanted = RATES if rates is None else _parse_rates(rates)
    console.announce_compiling("transduction/generate")
    problems = console.collect(strict)
    held_out = list(read_pairs(pairs, target=target, problems=problems))
    curves = [
        _measure(name, path, held_out, wanted, target, decode, problems) for name, path in named
    ]
    rows = summarise(curves)
    gold = curves[0].decoded.score("gold_word_rate")
    signature = curves[0].decoded.signature
    save(draw_rates(rows, gold, title=title), out)
    if table is not None:
        with atomic_write(table) as handle:
            handle.writelines(f"{line}\n" for line in as_tsv(rows))
    if json:
        described = [row.as_dict() for row in rows]
        console.put_json({"signature": signature, "gold_rate": gold, "rows": described})
    elif table != "-":
        console.put_table(as_table(rows, title=f"models on {pairs}"))
        console.put(signature)
    console.conclude(problems, "items")


def _measure(
    name: str,
    path: str,
    pairs: list[Pair],
    rates: tuple[float, ...],
    target: int,
    decode: str,
    problems: Problems,
) -> RateCurve:
    """Measure one model, which may be forgotten when that is done."""
    from treewright.grammar import Model
    from treewright.plots import measure

    return measure(
        Model.load(path),
        pairs,
        rates,
        name=name,
        target=target,
        decode=decode,
        problems=problems,
        progress=console.progress(),
    )


def _parse_name(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals:
        return Path(text).stem, text
    if not name or not path:
        raise UsageError(f"expected NAME=MODEL, found {text!r}")
    return name, path


def _parse_rates(text: str) -> tuple[float, ...]:
    try:
        rates = tuple(float(rate) for rate in text.split(","))
    except ValueError:
        raise UsageError(f"expected --rates NUMBER,NUMBER,…, found {text!r}") from None
    for rate in rates:
        if not 0.0 <= rate <= 1.0:
            raise UsageError(f"a rate lies between 0 and 1, not {rate:g}")
    return rates

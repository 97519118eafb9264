"""`treewright plot`: pictures of experiments, with the numbers in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import UsageError, choose

if TYPE_CHECKING:
    from treewright.learning import SVM
    from treewright.plots import LossPoint

app = typer.Typer(help="Draw pictures of experiments.", no_args_is_help=True)

Picture = Annotated[
    str, typer.Option("--out", metavar="FILE", help="The picture: a .svg, .png or .pdf file.")
]
_DECODERS = ("viterbi", "mbr")
Title = Annotated[str | None, typer.Option(help="A heading for the picture.")]


@app.command()
def trace(
    traces: Annotated[
        str, typer.Argument(metavar="TRACE.jsonl", help="What train … --trace wrote.")
    ],
    out: Picture,
    title: Title = None,
) -> None:
    """Draw the trace of train gibbs, svm or perceptron.

    For a sampler: log joint, temperature, rules and changes against the sweep. For the others:
    objective, gap, constraints and seconds against the round.
    """
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
            metavar="NAME=MODEL…", help="Models; those with the same name are averaged as runs."
        ),
    ],
    out: Picture,
    rates: Annotated[str | None, optional("R,R,…", "Compression rates.", "0.4,0.45,…,0.9")] = None,
    target: options.Target = 0,
    table: Annotated[str | None, optional("FILE.tsv", "Also write the numbers as TSV.")] = None,
    decode: options.CurveDecode = "viterbi",
    title: Title = None,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Draw relation precision, recall and F1 of models against the compression rate.

    Outputs are brought to each rate exactly, with one word budget for all sentences.
    """
    from treewright.compression import load_model
    from treewright.corpora import read_pairs
    from treewright.files import atomic_write
    from treewright.plots import (
        RATES,
        as_table,
        as_tsv,
        check_drawing,
        draw_rates,
        measure,
        save,
        summarise,
    )

    check_drawing(out)
    choose(decode, _DECODERS, "decode")
    named = [_named(text) for text in models]
    paths = [path for _, path in named]
    console.check_files([pairs, *paths], [out, table])
    wanted = RATES if rates is None else _parse_rates(rates)
    problems = console.collect(strict)
    held_out = list(read_pairs(pairs, target=target, problems=problems))
    # A model is forgotten as soon as it is measured.
    curves = [
        measure(
            load_model(path),
            held_out,
            wanted,
            name=name,
            target=target,
            decode=decode,
            problems=problems,
            progress=console.progress(),
        )
        for name, path in named
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


@app.command()
def losses(
    pairs: options.Pairs,
    dev: Annotated[str, typer.Option(metavar="PAIRS.jsonl", help="Rewrite and score these pairs.")],
    out: Picture,
    losses: Annotated[str | None, optional("NAME,NAME,…", "Losses.", "all")] = None,
    c: Annotated[
        str | None,
        typer.Option("--c", metavar="C,C,…", help="Values of C, joined by a line for each loss."),
    ] = None,
    config: Annotated[
        str | None, optional("FILE.toml", "Other settings, as for train svm.")
    ] = None,
    target: options.Target = 0,
    all_targets: options.AllTargets = False,
    decode: options.CurveDecode = "viterbi",
    title: Title = None,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Train an SVM with each loss, and draw relation F1 against the rate."""
    from treewright.cli.settings import make_learner
    from treewright.corpora import read_pairs
    from treewright.learning import SVM
    from treewright.plots import check_drawing, draw_losses, measure_losses, save

    check_drawing(out)
    choose(decode, _DECODERS, "decode")
    console.check_stdin(pairs, dev)
    console.check_outputs([pairs, dev, config], [out])
    learner: SVM = make_learner(SVM, config, {})
    varied = _vary(learner, losses, c)
    problems = console.collect(strict)
    held_out = list(read_pairs(dev, target=target, problems=problems))
    aligned = console.aligned_pairs(pairs, None if all_targets else target, problems)
    data = learner.prepare(aligned, problems=problems, progress=console.progress())
    points = measure_losses(
        varied, data, held_out, target=target, decode=decode, progress=console.progress()
    )
    save(draw_losses(points, points[0].decoded.score("gold_word_rate"), title=title), out)
    _show_losses(points, f"losses on {dev}", json=json)
    console.conclude(problems, "items")


def _vary(learner: SVM, losses: str | None, c: str | None) -> list[SVM]:
    """Return the learner with every requested loss and C."""
    from treewright.plots import vary_losses

    chosen = console.given(
        losses=None if losses is None else losses.split(","),
        costs=None if c is None else _parse_numbers("--c", c),
    )
    return vary_losses(learner, **chosen)


def _show_losses(points: Sequence[LossPoint], title: str, *, json: bool) -> None:
    """Print the numbers of a picture of losses, and how many runs did not converge."""
    from treewright.plots import loss_table

    decoded = points[0].decoded
    if json:
        described = [point.as_dict() for point in points]
        gold = decoded.score("gold_word_rate")
        console.put_json({"signature": decoded.signature, "gold_rate": gold, "points": described})
    else:
        console.put_table(loss_table(points, title=title))
        console.put(decoded.signature)
    behind = sum(not point.converged for point in points)
    if behind:
        console.say(f"{behind} of {len(points)} runs not converged: raise rounds in --config")


def _named(text: str) -> tuple[str, str]:
    name, path = console.split_name(text, "NAME=MODEL")
    return name or Path(path).stem, path


def _parse_rates(text: str) -> tuple[float, ...]:
    from treewright.compression import Limit

    rates = _parse_numbers("--rates", text)
    for rate in rates:
        Limit(rate=rate)
    return rates


def _parse_numbers(option: str, text: str) -> tuple[float, ...]:
    try:
        return tuple(float(number) for number in text.split(","))
    except ValueError:
        raise UsageError(f"expected {option} NUMBER,NUMBER,…, found {text!r}") from None

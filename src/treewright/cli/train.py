"""`treewright train`: learn a model from tree pairs."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.errors import DataError, UsageError

if TYPE_CHECKING:
    from treewright.compression import Scored
    from treewright.corpora import Pair
    from treewright.evaluation import Evaluation
    from treewright.learning import IterativeLearner

app = typer.Typer(help="Learn a model from tree pairs.", no_args_is_help=True)

Out = Annotated[
    str, typer.Option("--model", metavar="OUT", help="Where to write the model; - is stdout.")
]
Iterations = Annotated[int | None, typer.Option(help="Most iterations.", show_default="50")]
Tolerance = Annotated[
    float | None, typer.Option(help="Stop when the objective gains less.", show_default="1e-05")
]
Dev = Annotated[
    str | None, typer.Option(metavar="PAIRS.jsonl", help="Score the model on these pairs.")
]
Grid = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=V,V,…", help="Search these values, scored on --dev. Repeat."),
]
Jobs = Annotated[int, typer.Option(min=1, help="Processes of the grid search.")]
Config = Annotated[
    str | None, typer.Option(metavar="FILE.toml", help="Settings; flags given here win.")
]
Kappa = Annotated[
    float | None,
    typer.Option(help="Prior counts a root pair, smoothing 'plain'.", show_default="300.0"),
]

Prune = Annotated[
    bool | None,
    typer.Option(
        "--pruning/--no-pruning",
        help="Let any children of a node go, at a learned price.",
        show_default="pruning",
    ),
]


@app.command()
def em(
    pairs: options.Pairs,
    model: Out,
    target: options.Target = 0,
    alpha: Annotated[
        float | None, typer.Option(help="Dirichlet parameter, at least 1.", show_default="1.0001")
    ] = None,
    smoothing: Annotated[
        str | None,
        typer.Option(help="Weights of rules never seen: plain or flat.", show_default="plain"),
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(help="δ - 1 is added to counts, smoothing 'flat'.", show_default="1.1"),
    ] = None,
    kappa: Kappa = None,
    pruning: Prune = None,
    iterations: Iterations = None,
    tolerance: Tolerance = None,
    parts: options.Parts = None,
    variables: options.Variables = None,
    depth: options.Depth = None,
    min_count: options.MinCount = None,
    config: Config = None,
    dev: Dev = None,
    grid: Grid = None,
    jobs: Jobs = 1,
    strict: options.Strict = False,
) -> None:
    """Train by MAP expectation maximisation."""
    from treewright.learning import EM

    flags = console.given(
        alpha=alpha,
        smoothing=smoothing,
        delta=delta,
        kappa=kappa,
        pruning=pruning,
        iterations=iterations,
        tolerance=tolerance,
    )
    shape = console.given(parts=parts, variables=variables, depth=depth, min_count=min_count)
    learner = _learner(EM, config, flags, shape)
    _train(learner, pairs, target, model, dev, grid or [], jobs, strict)


@app.command()
def vb(
    pairs: options.Pairs,
    model: Out,
    target: options.Target = 0,
    alpha: Annotated[
        float | None, typer.Option(help="Concentration of the prior.", show_default="100000.0")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(help="Chance that P0 expands a node.", show_default="0.1")
    ] = None,
    smoothing: Annotated[
        str | None,
        typer.Option(help="Weights of rules never seen: plain or p0.", show_default="plain"),
    ] = None,
    kappa: Kappa = None,
    pruning: Prune = None,
    iterations: Iterations = None,
    tolerance: Tolerance = None,
    parts: options.Parts = None,
    variables: options.Variables = None,
    depth: options.Depth = None,
    min_count: options.MinCount = None,
    config: Config = None,
    dev: Dev = None,
    grid: Grid = None,
    jobs: Jobs = 1,
    strict: options.Strict = False,
) -> None:
    """Train by variational Bayes with a Dirichlet-process prior."""
    from treewright.learning import VB

    flags = console.given(
        alpha=alpha,
        beta=beta,
        smoothing=smoothing,
        kappa=kappa,
        pruning=pruning,
        iterations=iterations,
        tolerance=tolerance,
    )
    shape = console.given(parts=parts, variables=variables, depth=depth, min_count=min_count)
    learner = _learner(VB, config, flags, shape)
    _train(learner, pairs, target, model, dev, grid or [], jobs, strict)


def _learner(
    kind: type[IterativeLearner],
    config: str | None,
    flags: dict[str, Any],
    shape: dict[str, int],
) -> IterativeLearner:
    """Make a learner from defaults, a config file and flags, each overriding the one before."""
    from treewright.grammar import Extraction

    settings = _read_config(config) if config else {}
    extraction = settings.pop("extraction", {})
    if not isinstance(extraction, dict):
        raise UsageError("'extraction' in a config file is a table: [extraction]")
    settings.update(flags)
    extraction.update(shape)
    _check_names(settings, [f.name for f in fields(kind)], "setting")
    _check_names(extraction, [f.name for f in fields(Extraction)], "extraction setting")
    try:
        return kind(extraction=Extraction(**extraction), **settings)
    except TypeError as error:
        raise UsageError(f"a setting has a value of the wrong type: {error}") from None


def _read_config(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read it: {error.strerror}", where=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"not TOML: {error}", where=path) from None


def _check_names(found: dict[str, Any], known: list[str], what: str) -> None:
    for name in found:
        if name not in known:
            raise UsageError(f"unknown {what} {name!r}; choose from: {', '.join(sorted(known))}")


def _train(
    learner: IterativeLearner,
    pairs: str,
    target: int,
    model: str,
    dev: str | None,
    grid: list[str],
    jobs: int,
    strict: bool,
) -> None:
    from treewright.compression import grid_search, score_model
    from treewright.corpora import read_pairs
    from treewright.learning import TrainingSet

    console.check_outputs([pairs, dev], [model])
    if grid and dev is None:
        raise UsageError("--grid needs --dev to score on")
    if model == "-" and dev is not None:
        raise UsageError("--dev prints scores on stdout, where --model - writes the model")
    console.check_stdin(pairs, dev)
    points = _parse_grid(grid, learner)
    console.announce_compiling()
    bars = console.progress()
    problems = console.collect(strict)
    held_out: list[Pair] = []
    if dev is not None:
        held_out = list(read_pairs(dev, target=target, problems=problems))
    data = TrainingSet.prepare(
        console.aligned_pairs(pairs, target, problems),
        learner.extraction,
        problems=problems,
        progress=bars,
    )
    scores: tuple[Evaluation, Evaluation] | None = None
    if points:
        ranking = grid_search(
            learner, points, data, held_out, target=target, jobs=jobs, progress=bars
        )
        _show_ranking(ranking)
        trained, scores = ranking[0].model, (ranking[0].decoded, ranking[0].matched)
    else:
        trained = learner.fit_prepared(data, progress=bars).model_
        scores = score_model(trained, held_out, target=target) if held_out else None
    trained.save(model)
    about = trained.metadata
    console.say(
        f"{model}: {len(trained.grammar)} rules from {about['derived']} of {about['pairs']} pairs, "
        f"{about['iterations']} iterations, objective {about['objective']:.2f}"
        + ("" if about["converged"] else " (not converged: raise --iterations)")
    )
    if scores is not None:
        from treewright.evaluation import score_table

        console.put_table(score_table(scores, title=f"{model} on {dev}"))
    console.conclude(problems, "pairs")


def _parse_grid(grid: list[str], learner: IterativeLearner) -> dict[str, list[float]]:
    numeric = [f.name for f in fields(learner) if isinstance(getattr(learner, f.name), float)]
    points: dict[str, list[float]] = {}
    for text in grid:
        name, _, values = text.partition("=")
        if name not in numeric:
            raise UsageError(
                f"unknown grid setting {name!r}; choose from: {', '.join(sorted(numeric))}"
            )
        try:
            points[name] = [float(value) for value in values.split(",")]
        except ValueError:
            raise UsageError(f"expected --grid {name}=NUMBER,NUMBER,…, found {text!r}") from None
    return points


def _show_ranking(ranking: list[Scored]) -> None:
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

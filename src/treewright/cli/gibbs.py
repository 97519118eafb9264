"""`treewright train gibbs`: derivations are sampled, in one chain or in several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.training import Request, interruptible, show_chains, training_command
from treewright.errors import Problems, UsageError
from treewright.learning import Gibbs
from treewright.learning.gibbs import RunFiles, best_chain, fit_chains
from treewright.learning.gibbs.chains import check_resume, names_of_chains
from treewright.pruning import Model

Chains = Annotated[
    int,
    typer.Option(
        min=1,
        help="Runs, with seeds one behind another; OUT is the best of them, and beside gs.model "
        "all are kept as gs.0.model, gs.1.model, …",
    ),
]
CheckpointFile = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Keep what --resume needs; a file for each chain."),
]
Every = Annotated[
    int,
    typer.Option(min=1, metavar="SWEEPS", help="Between checkpoints, which fall on each 50th."),
]
TraceFile = Annotated[
    str | None, typer.Option(metavar="FILE.jsonl", help="Write reports for 'plot trace'.")
]


def _train(
    learner: Gibbs,
    config: str | None,
    request: Request,
    chains: Chains = 1,
    checkpoint: CheckpointFile = None,
    checkpoint_every: Every = RunFiles.checkpoint_every,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from --checkpoint.")] = False,
    trace: TraceFile = None,
    strict: options.Strict = False,
) -> None:
    files = RunFiles(
        checkpoint=checkpoint, checkpoint_every=checkpoint_every, resume=resume, trace=trace
    )
    request = replace(request, chains=chains)
    _check(request, files, config)
    problems = console.collect(strict)
    if request.points:
        _search(request, learner, problems)
    else:
        _run(request, learner, files, problems)
    console.conclude(problems, "pairs")


def _check(request: Request, files: RunFiles, config: str | None) -> None:
    """Raise an error where the request makes no sense, before any work is done."""
    if request.model == "-" and request.chains > 1:
        raise UsageError("--chains prints a table on stdout, where --model - writes the model")
    saved = _checkpoints(files, request.chains)
    trace = None if files.trace is None else str(files.trace)
    request.check(config, trace, *saved, *_models(request))
    if request.points and (saved or trace):
        raise UsageError("a grid search keeps no --checkpoint and no --trace")
    check_resume(files, request.chains)


def _checkpoints(files: RunFiles, chains: int) -> list[str]:
    """Return the checkpoint of every chain; none if none is kept."""
    return [] if files.checkpoint is None else names_of_chains(files.checkpoint, chains)


def _models(request: Request) -> list[str]:
    """Return where the models of several chains go; an only one is the best, and written as it."""
    return names_of_chains(request.model, request.chains) if request.chains > 1 else []


def _search(request: Request, learner: Gibbs, problems: Problems) -> None:
    with interruptible(lambda: "nothing is kept"):
        packed, held_out = request.read(learner, problems)
        ranking = request.search(learner, packed, held_out)
        _save(ranking[0].model, request.model)
    with interruptible(lambda: f"the model is saved in {request.model}"):
        _save_chains(ranking[0].models, _models(request))
        request.show_search(ranking)


def _run(request: Request, learner: Gibbs, files: RunFiles, problems: Problems) -> None:
    with interruptible(lambda: _left(_checkpoints(files, request.chains))):
        packed, held_out = request.read(learner, problems)
        chains = fit_chains(
            learner,
            packed,
            request.chains,
            jobs=request.jobs,
            files=files,
            progress=console.progress(),
        )
        _save(best_chain(chains).model_, request.model)
    with interruptible(lambda: f"the model is saved in {request.model}"):
        models = [chain.model_ for chain in chains]
        _save_chains(models, _models(request))
        scores = request.score(models, held_out)
        if len(chains) > 1:
            show_chains(chains, scores)
        else:
            request.show(scores)


def _save(trained: Model, path: str) -> None:
    trained.save(path)
    about = trained.metadata
    console.say(
        f"{path}: {len(trained.grammar)} rules from {about['pairs']} pairs, "
        f"{about['iterations']} sweeps, log joint {about['objective']:.2f}"
    )


def _save_chains(models: Sequence[Model], paths: Sequence[str]) -> None:
    """Write every chain's model, for `plot rates` to average; there are no paths for one chain."""
    for trained, path in zip(models, paths, strict=False):
        trained.save(path)
    if paths:
        console.say(f"{paths[0]} to {paths[-1]}: the models of all {len(paths)} chains")


def _left(saved: Sequence[str]) -> str:
    """Say what is left of an interrupted run and how to go on, or how that could be."""
    kept = [path for path in saved if Path(path).exists()]
    if kept:
        return f"the last checkpoint is kept in {', '.join(kept)}; add --resume to go on"
    if saved:
        return "there was no checkpoint yet"
    return "nothing is kept; --checkpoint FILE keeps what --resume goes on from"


gibbs = training_command(
    Gibbs,
    _train,
    "Train by Gibbs sampling under Dirichlet processes.",
    {
        "alpha": "Concentration of every root pair.",
        "alphas": "Concentration of one, such as NP/ε=10. Repeat.",
        "beta": options.BASE["beta"],
        "betas": "The same of one category, such as NP=0.2. Repeat.",
        "beta_at_root": options.BASE["beta_at_root"],
        "count_insertions": "P0 counts alignments that insert.",
        "pcfg": "P0's productions: of the sides apart, or of both.",
        "insertions": "Sample inserted target nodes as rules of their own.",
        "iterations": "Sweeps over the corpus.",
        "schedule": "Annealing: linear, cosine, geometric, constant.",
        "hottest": "Temperature of the first sweep.",
        "coldest": "Temperature of the last; 0 takes the best.",
        "start": "First state: random, minimal rules, or whole trees.",
        "resample_hyperparameters": "Draw alpha and beta as well.",
        "samples": "States to average, drawn behind the best; 0: the best.",
        "spacing": "Sweeps between two of these states.",
        "smoothing": "Weights of rules never seen: plain, p0 or flat.",
        **options.KAPPA,
        "discount": "Taken off every count, smoothing 'plain'.",
        **options.PRUNING,
        "seed": "Seed of all random choices.",
    },
)

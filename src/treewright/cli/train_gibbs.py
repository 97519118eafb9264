"""`treewright train gibbs`: derivations are sampled, in one chain or in several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.cli.training import (
    Training,
    interruptible,
    show_chains,
    training_command,
    what_is_left,
)
from treewright.corpora import Pair
from treewright.errors import Problems, UsageError
from treewright.learning import Gibbs
from treewright.learning.gibbs import (
    RunFiles,
    best_chain,
    check_resume,
    fit_chains,
    names_of_chains,
)
from treewright.pruning import Model

Chains = Annotated[
    int,
    typer.Option(
        min=1,
        help="Runs, with consecutive seeds; OUT is the best of them, and beside gs.model "
        "all are kept as gs.0.model, gs.1.model, …",
    ),
]
CheckpointFile = Annotated[
    str | None, optional("FILE", "Save what --resume needs; one file per chain.")
]
Every = Annotated[
    int,
    typer.Option(min=1, metavar="SWEEPS", help="Sweeps between checkpoints, rounded up to 50."),
]


def _train(
    learner: Gibbs,
    training: Training,
    chains: Chains = 1,
    checkpoint: CheckpointFile = None,
    checkpoint_every: Every = RunFiles.checkpoint_every,
    resume: options.Resume = False,
    trace: options.TraceFile = None,
) -> None:
    files = RunFiles(
        checkpoint=checkpoint, checkpoint_every=checkpoint_every, resume=resume, trace=trace
    )
    if training.model == "-" and chains > 1:
        raise UsageError("--chains prints a table on stdout, where --model - writes the model")
    saved = [] if checkpoint is None else names_of_chains(checkpoint, chains)
    # A single chain is the best, and written as such.
    models = names_of_chains(training.model, chains) if chains > 1 else []
    training.check(learner, trace, *saved, *models)
    if training.grid and (saved or trace):
        raise UsageError("a grid search does not support --checkpoint or --trace")
    check_resume(files, chains)
    problems = console.collect(training.strict)
    if training.grid:
        _search(training, learner, chains, models, problems)
    else:
        with interruptible(lambda: what_is_left(*saved)):
            packed, held_out = training.read(learner, problems)
            fitted = fit_chains(
                learner,
                packed,
                chains,
                jobs=training.jobs,
                files=files,
                progress=console.progress(),
            )
            _save(best_chain(fitted).model_, training.model)
        _finish(training, fitted, models, held_out)
    console.conclude(problems, "pairs")


def _search(
    training: Training, learner: Gibbs, chains: int, models: Sequence[str], problems: Problems
) -> None:
    with interruptible(lambda: "nothing is kept"):
        packed, held_out = training.read(learner, problems)
        ranking = training.search(learner, packed, held_out, chains=chains)
        _save(ranking[0].model, training.model)
    with interruptible(lambda: f"the model is saved in {training.model}"):
        _save_chains(ranking[0].models, models)
        training.show_search(ranking)


def _finish(
    training: Training, chains: Sequence[Gibbs], models: Sequence[str], held_out: Sequence[Pair]
) -> None:
    """Save and score every chain."""
    with interruptible(lambda: f"the model is saved in {training.model}"):
        fitted = [chain.model_ for chain in chains]
        _save_chains(fitted, models)
        scores = training.score(fitted, held_out)
        if len(chains) > 1:
            show_chains(chains, scores)
        else:
            training.show(scores)


def _save(trained: Model, path: str) -> None:
    trained.save(path)
    about = trained.metadata
    console.say(
        f"{path}: {len(trained.grammar)} rules from {about['pairs']} pairs, "
        f"{about['iterations']} sweeps, log joint {about['objective']:.2f}"
    )


def _save_chains(models: Sequence[Model], paths: Sequence[str]) -> None:
    """Write the model of every chain, for `plot rates` to average; with one chain there are no
    paths.
    """
    for trained, path in zip(models, paths, strict=False):
        trained.save(path)
    if paths:
        console.say(f"{paths[0]} to {paths[-1]}: the models of all {len(paths)} chains")


gibbs = training_command(
    Gibbs,
    _train,
    "Train by Gibbs sampling under Dirichlet processes.",
    {
        "alpha": "Concentration of every root pair.",
        "alphas": "Concentration of one root pair, such as NP/ε=10. Repeat.",
        "beta": options.BASE["beta"],
        "betas": "The same for one category, such as NP=0.2. Repeat.",
        "beta_at_root": options.BASE["beta_at_root"],
        "count_insertions": "Let P0 count alignments with insertions.",
        "pcfg": "P0's productions: for each side, or for both.",
        "insertions": "Sample inserted target nodes as separate rules.",
        "iterations": "Sweeps over the corpus.",
        "schedule": "Annealing: linear, cosine, geometric, constant.",
        "hottest": "Temperature of the first sweep.",
        "coldest": "Temperature of the last sweep; 0 takes the best.",
        "start": "First state: random, minimal rules, or whole trees.",
        "resample_hyperparameters": "Draw alpha and beta as well.",
        "samples": "States to average, drawn after the best; 0: only the best.",
        "spacing": "Sweeps between two of these states.",
        "smoothing": "Weights of unseen rules: plain, p0 or flat.",
        **options.KAPPA,
        "discount": "Subtracted from every count, smoothing 'plain'.",
        **options.PRUNING,
        "seed": "Seed for all random choices.",
    },
)

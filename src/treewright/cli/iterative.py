"""`treewright train em` and `vb`: rules are extracted once, then weighted over and over."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.settings import make_command, parse_grid
from treewright.cli.training import Request
from treewright.grammar import Model
from treewright.learning import EM, VB, IterativeLearner


def _train(
    learner: IterativeLearner,
    config: str | None,
    pairs: options.Pairs,
    model: options.Out,
    target: options.Target = 0,
    all_targets: options.AllTargets = False,
    also: options.Also = None,
    dev: options.Dev = None,
    grid: options.Grid = None,
    decode: options.Decode = "viterbi",
    jobs: Annotated[int, typer.Option(min=1, help="Processes of the grid search.")] = 1,
    strict: options.Strict = False,
) -> None:
    request = Request(
        pairs=pairs,
        model=model,
        target=target,
        all_targets=all_targets,
        also=also or (),
        dev=dev,
        points=parse_grid(grid or [], learner),
        decode=decode,
        jobs=jobs,
    )
    request.check(config)
    request.announce_compiling("transduction/synchronise")
    problems = console.collect(strict)
    request.learn(learner, problems, _save)
    console.conclude(problems, "pairs")


def _save(trained: Model, path: str) -> None:
    trained.save(path)
    about = trained.metadata
    console.say(
        f"{path}: {len(trained.grammar)} rules from {about['derived']} of {about['pairs']} pairs, "
        f"{about['iterations']} iterations, objective {about['objective']:.2f}"
        + ("" if about["converged"] else " (not converged: raise --iterations)")
    )


_ITERATION = {
    **options.KAPPA,
    **options.PRUNING,
    "iterations": "Most iterations.",
    "tolerance": "Stop when the objective gains less.",
    **options.EXTRACTION,
}

em = make_command(
    EM,
    _train,
    "Train by MAP expectation maximisation.",
    {
        "alpha": "Dirichlet parameter, at least 1.",
        "smoothing": "Weights of rules never seen: plain or flat.",
        "delta": "δ - 1 is added to counts, smoothing 'flat'.",
        **_ITERATION,
    },
)

vb = make_command(
    VB,
    _train,
    "Train by variational Bayes with a Dirichlet-process prior.",
    {
        "alpha": "Concentration of the prior.",
        **options.BASE,
        "insertions": "Let P0 count alignments with insertions.",
        "smoothing": "Weights of rules never seen: plain or p0.",
        **_ITERATION,
    },
)

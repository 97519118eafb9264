"""`treewright train em` and `vb`: rules are extracted once, then weighted over and over."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.settings import make_command, parse_grid
from treewright.cli.training import check_request, held_out_pairs, show_ranking
from treewright.compression import grid_search, score_model
from treewright.evaluation import Evaluation, score_table
from treewright.learning import EM, VB, IterativeLearner


def _train(
    learner: IterativeLearner,
    pairs: options.Pairs,
    model: options.Out,
    target: options.Target = 0,
    dev: options.Dev = None,
    grid: options.Grid = None,
    decode: options.Decode = "viterbi",
    jobs: Annotated[int, typer.Option(min=1, help="Processes of the grid search.")] = 1,
    strict: options.Strict = False,
) -> None:
    check_request(pairs, dev, grid, model)
    points = parse_grid(grid or [], learner)
    console.announce_compiling()
    bars = console.progress()
    problems = console.collect(strict)
    held_out = held_out_pairs(dev, target, problems)
    data = learner.prepare(
        console.aligned_pairs(pairs, target, problems), problems=problems, progress=bars
    )
    scores: tuple[Evaluation, Evaluation] | None = None
    if points:
        ranking = grid_search(
            learner,
            points,
            data,
            held_out,
            target=target,
            decode=decode,
            jobs=jobs,
            progress=bars,
        )
        show_ranking(ranking)
        trained, scores = ranking[0].model, (ranking[0].decoded, ranking[0].matched)
    else:
        trained = learner.fit_prepared(data, progress=bars).model_
        if held_out:
            scores = score_model(trained, held_out, target=target, decode=decode)
    trained.save(model)
    about = trained.metadata
    console.say(
        f"{model}: {len(trained.grammar)} rules from {about['derived']} of {about['pairs']} pairs, "
        f"{about['iterations']} iterations, objective {about['objective']:.2f}"
        + ("" if about["converged"] else " (not converged: raise --iterations)")
    )
    if scores is not None:
        console.put_table(score_table(scores, title=f"{model} on {dev}"))
    console.conclude(problems, "pairs")


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
        "smoothing": "Weights of rules never seen: plain or p0.",
        **_ITERATION,
    },
)

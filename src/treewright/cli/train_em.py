"""`treewright train em` and `vb`: rules are extracted once and weighted iteratively."""

from __future__ import annotations

from treewright.cli import console, options
from treewright.cli.training import Training, training_command
from treewright.learning import EM, VB, IterativeLearner
from treewright.pruning import Model


def _train(learner: IterativeLearner, training: Training) -> None:
    training.run(learner, _save)


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
    "iterations": "Maximum number of iterations.",
    "tolerance": "Stop when the objective gains less than this.",
    **options.EXTRACTION,
}

em = training_command(
    EM,
    _train,
    "Train by MAP expectation maximisation.",
    {
        "alpha": "Dirichlet parameter, at least 1.",
        "smoothing": "Weights of unseen rules: plain or flat.",
        "delta": "δ - 1 is added to counts, smoothing 'flat'.",
        **_ITERATION,
    },
)

vb = training_command(
    VB,
    _train,
    "Train by variational Bayes with a Dirichlet-process prior.",
    {
        "alpha": "Concentration of the prior.",
        **options.BASE,
        "insertions": "Let P0 count alignments with insertions.",
        "smoothing": "Weights of unseen rules: plain or p0.",
        **_ITERATION,
    },
)

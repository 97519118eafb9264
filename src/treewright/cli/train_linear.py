"""`treewright train crf`, `svm` and `perceptron`: weights of features of rules and gaps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.training import Training, interruptible, training_command, what_is_left
from treewright.errors import DataError, UsageError
from treewright.learning import CRF, SVM, AveragedPerceptron
from treewright.learning.checkpoints import TrainingFiles
from treewright.learning.linear import ExampleSet, LinearLearner, MarginLearner
from treewright.learning.margin.losses import LOSSES
from treewright.learning.traces import round_trace
from treewright.pruning import Model

_NAMED = 5
"""How many targets out of reach are named."""

Every = Annotated[int, typer.Option(min=1, metavar="ROUNDS", help="Between checkpoints.")]


def _train(learner: CRF, training: Training) -> None:
    training.check(learner)
    problems = console.collect(training.strict)
    data, held_out = training.read(learner, problems)
    _note(data, learner)
    training.learn(learner, data, held_out, _save)
    console.conclude(problems, "pairs")


def _train_in_rounds(
    learner: MarginLearner,
    training: Training,
    checkpoint: options.CheckpointFile = None,
    checkpoint_every: Every = TrainingFiles.checkpoint_every,
    resume: options.Resume = False,
    trace: options.TraceFile = None,
) -> None:
    files = TrainingFiles(checkpoint=checkpoint, checkpoint_every=checkpoint_every, resume=resume)
    training.check(learner, checkpoint, trace)
    _check_files(files, trace, searching=bool(training.grid))
    problems = console.collect(training.strict)
    with interruptible(lambda: what_is_left(checkpoint)):
        data, held_out = training.read(learner, problems)
        _note(data, learner)
        with round_trace(trace, resume=resume) as report:
            training.learn(learner, data, held_out, _save, files=files, report=report)
    console.conclude(problems, "pairs")


def _check_files(files: TrainingFiles, trace: str | None, *, searching: bool) -> None:
    """Raise an error where files make no sense, before any work is done."""
    if trace == "-":
        raise UsageError("traces are files, not standard output")
    if searching and (files.checkpoint is not None or trace is not None):
        raise UsageError("a grid search keeps no --checkpoint and no --trace")
    if files.resume and not Path(str(files.checkpoint)).exists():
        raise DataError("no checkpoint to resume from", where=str(files.checkpoint))


def _note(data: ExampleSet, learner: LinearLearner) -> None:
    """Say what the pairs do not give: derivations of all targets, features to weigh."""
    if not data.rows.num_features:
        console.say(
            "no feature is left, so nothing is learned: lower --min-count "
            f"(now {learner.min_count}) or leave less out by --without"
        )
    if data.unreached:
        more = ", …" if len(data.unreached) > _NAMED else ""
        console.say(
            f"{len(data.unreached)} of {len(data.examples)} targets cannot be derived, and the "
            f"nearest output stands in: {', '.join(data.unreached[:_NAMED])}{more}"
        )


def _save(trained: Model, path: str) -> None:
    trained.save(path)
    about = trained.metadata
    rules = f" and {len(trained.grammar)} rules" if len(trained.grammar) else ""
    unreached = f" ({about['unreached']} targets not derived)" if about["unreached"] else ""
    console.say(
        f"{path}: {trained.num_weights} weights{rules} from {about['pairs']} pairs{unreached}, "
        f"{_outcome(trained)}"
    )


def _outcome(trained: Model) -> str:
    """Say how far training came, and what to change if that is not far enough."""
    about = trained.metadata
    unit = "iterations" if about["learner"] == CRF.name else "rounds"
    done = f"{about['iterations']} {unit}"
    if about["learner"] == AveragedPerceptron.name:
        return done + ("" if about["converged"] else " (mistakes are left)")
    # L-BFGS may end by its tolerance and yet be far from flat; rounds end by the gap itself.
    early = about["learner"] == CRF.name and about["iterations"] < about["settings"][unit]
    advice = "lower --tolerance" if early else f"raise --{unit}"
    rest = "" if about["converged"] else f" (not converged: {advice})"
    if about["learner"] == CRF.name:
        return f"{done}, objective {about['objective']:.2f}{rest}"
    return f"{done}, objective {-about['objective']:.4g}, gap {about['gap']:.2g}{rest}"


def _texts(own: dict[str, str]) -> dict[str, str]:
    """Return the help of all settings: those of one learner first, then what all have."""
    return {
        **own,
        "rules": "Extract rules, and learn weights for their features.",
        "open": "Let any children of any node go.",
        "without": "Groups of features to leave out, such as 'words,rule edits'.",
        "min_count": "Features of gaps and nodes seen less often have no weight.",
        "min_rule_count": "Leave out rules extracted less often.",
        **{name: text for name, text in options.EXTRACTION.items() if name != "min_count"},
        "extraction_min_count": options.EXTRACTION["min_count"],
        "threads": "Threads; the result is the same with any number.",
    }


_ROUNDS = {
    "loss": f"{', '.join(LOSSES)}.",
    "by_place": "Let the loss count tokens as right only in their places.",
    "rounds": "Most times to go through the pairs.",
}

crf = training_command(
    CRF,
    _train,
    "Train a conditional random field: the likelihood of targets given sources.",
    _texts(
        {
            "precision": "Of the Gaussian prior: higher draws weights to 0.",
            "iterations": "Most iterations of L-BFGS.",
            "tolerance": "Stop when the objective gains less, relative to it.",
        }
    ),
)

svm = training_command(
    SVM,
    _train_in_rounds,
    "Train a structured support vector machine: wrong outputs lose by a margin.",
    _texts(
        {
            "c": "What violated margins cost: higher fits the pairs closer.",
            **_ROUNDS,
            "rescaling": "How the loss enters: by slack or margin.",
            "optimiser": "n-slack, or frank-wolfe (rescaling margin).",
            "tolerance": "Largest duality gap, as a share of the larger of objective and C.",
            "seed": "Seed of the order of pairs, optimiser frank-wolfe.",
        }
    ),
)

perceptron = training_command(
    AveragedPerceptron,
    _train_in_rounds,
    "Train an averaged perceptron: quick, without an objective.",
    _texts(
        {
            **_ROUNDS,
            "loss": f"A mistake has a loss: {_ROUNDS['loss']}",
            "seed": "Seed of the order of pairs.",
        }
    ),
)

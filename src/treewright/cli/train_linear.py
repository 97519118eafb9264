"""`treewright train crf`, `svm`, `perceptron` and `deletion`: weights of features."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.training import Training, interruptible, training_command, what_is_left
from treewright.errors import DataError, UsageError
from treewright.learning import CRF, SVM, AveragedPerceptron, Deletion, TrainingFiles, round_trace
from treewright.learning.linear import ExampleSet, LinearLearner, MarginLearner
from treewright.learning.margin import LOSSES
from treewright.pruning import Model
from treewright.pruning.deletion import DeletionModel

_NAMED = 5
"""How many unreachable targets are named."""

Every = Annotated[int, typer.Option(min=1, metavar="ROUNDS", help="Rounds between checkpoints.")]


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
    """Raise an error if the files are invalid, before any work is done."""
    if trace == "-":
        raise UsageError("traces are files, not standard output")
    if searching and (files.checkpoint is not None or trace is not None):
        raise UsageError("a grid search does not support --checkpoint or --trace")
    if files.resume and not Path(str(files.checkpoint)).exists():
        raise DataError("no checkpoint to resume from", where=str(files.checkpoint))


def _note(data: ExampleSet, learner: LinearLearner) -> None:
    """Report what the pairs lack: derivations of all targets, features to weight."""
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
    """Report how far training got, and what to change if that is not far enough."""
    about = trained.metadata
    unit = "iterations" if about["learner"] == CRF.name else "rounds"
    done = f"{about['iterations']} {unit}"
    if about["learner"] == AveragedPerceptron.name:
        return done + ("" if about["converged"] else " (mistakes are left)")
    # L-BFGS may stop by its tolerance and yet be far from flat; rounds stop by the gap itself.
    early = about["learner"] == CRF.name and about["iterations"] < about["settings"][unit]
    advice = "lower --tolerance" if early else f"raise --{unit}"
    rest = "" if about["converged"] else f" (not converged: {advice})"
    if about["learner"] == CRF.name:
        return f"{done}, objective {about['objective']:.2f}{rest}"
    return f"{done}, objective {-about['objective']:.4g}, gap {about['gap']:.2g}{rest}"


def _texts(own: dict[str, str]) -> dict[str, str]:
    """Return the help of all settings: those of one learner first, then the shared ones."""
    return {
        **own,
        "rules": "Extract rules, and learn weights for their features.",
        "open": "Let any children of any node be dropped.",
        "without": "Groups of features to leave out, such as 'words,rule edits'.",
        "min_count": "Leave out features of gaps and nodes seen less often.",
        "min_rule_count": "Leave out rules extracted less often.",
        **{name: text for name, text in options.EXTRACTION.items() if name != "min_count"},
        "extraction_min_count": options.EXTRACTION["min_count"],
        "threads": "Threads; the result is the same with any number.",
    }


_ROUNDS = {
    "loss": f"{', '.join(LOSSES)}.",
    "by_place": "Count tokens as right only at their positions.",
    "rounds": "Maximum number of passes over the pairs.",
}

crf = training_command(
    CRF,
    _train,
    "Train a conditional random field: the likelihood of targets given sources.",
    _texts(
        {
            "precision": "Precision of the Gaussian prior: higher pulls weights towards 0.",
            "iterations": "Maximum number of L-BFGS iterations.",
            "tolerance": "Stop when the relative gain in the objective is less than this.",
        }
    ),
)

svm = training_command(
    SVM,
    _train_in_rounds,
    "Train a structured support vector machine: wrong outputs lose by a margin.",
    _texts(
        {
            "c": "Cost of violated margins: higher fits the pairs more closely.",
            **_ROUNDS,
            "rescaling": "How the loss is used: slack or margin.",
            "optimiser": "n-slack, or frank-wolfe (rescaling margin).",
            "tolerance": "Largest duality gap, as a share of the larger of objective and C.",
            "seed": "Seed for the order of pairs, optimiser frank-wolfe.",
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
            "seed": "Seed for the order of pairs.",
        }
    ),
)


def _train_deletion(learner: Deletion, training: Training) -> None:
    training.run(learner, _save_deletion)


def _save_deletion(trained: DeletionModel, path: str) -> None:
    trained.save(path)
    about = trained.metadata
    console.say(
        f"{path}: {len(trained)} weights from {about['pairs']} pairs, {about['iterations']} epochs"
    )


deletion = training_command(
    Deletion,
    _train_deletion,
    "Train McDonald's deletion model by MIRA: a baseline without rules.",
    {
        "epochs": "Passes over the pairs.",
        "cost": "Largest update from one pair.",
        "augment": "Bonus for each wrong token in the loss-augmented search.",
        "bits": "The number of weights is 2 to this power.",
        "seed": "Seed for the order of pairs.",
    },
    lacks=["decode"],
)

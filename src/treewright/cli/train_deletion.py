"""`treewright train deletion`: which tokens to keep, learned by large margins."""

from __future__ import annotations

from treewright.cli import console
from treewright.cli.training import Training, training_command
from treewright.learning import Deletion
from treewright.pruning.deletion import DeletionModel


def _train(learner: Deletion, training: Training) -> None:
    training.run(learner, _save)


def _save(trained: DeletionModel, path: str) -> None:
    trained.save(path)
    about = trained.metadata
    console.say(
        f"{path}: {len(trained)} weights from {about['pairs']} pairs, {about['iterations']} epochs"
    )


deletion = training_command(
    Deletion,
    _train,
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

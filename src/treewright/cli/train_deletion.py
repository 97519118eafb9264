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
        "epochs": "Times to go through the pairs.",
        "cost": "Longest step that one pair may make.",
        "augment": "Reward of each wrong token in the search for what to learn from.",
        "bits": "2 to the power of this is the number of weights.",
        "seed": "Seed of the order of pairs.",
    },
    lacks=["decode"],
)

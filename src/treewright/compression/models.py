"""Models of every kind: reading them from files, and making them ready to rewrite trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from treewright.modelfile import read_kind
from treewright.pruning import CompressionForest, Model, Pruner
from treewright.pruning.deletion import KIND as DELETION
from treewright.pruning.deletion import Deleted, DeletionForest, DeletionModel
from treewright.transduction import Target
from treewright.trees import TreeTable

DECODERS = ("viterbi", "mbr", "mpt")

AnyModel: TypeAlias = Model | DeletionModel
Engine: TypeAlias = Pruner | DeletionModel
"""Builds the forest of a source tree."""
AnyForest: TypeAlias = CompressionForest | DeletionForest
AnyTarget: TypeAlias = Target | Deleted


def load_model(path: str | Path) -> AnyModel:
    """Read a model file (`-`: standard input) of any kind."""
    return DeletionModel.load(path) if read_kind(path) == DELETION else Model.load(path)


def engine_of(model: AnyModel) -> Engine:
    """Return what builds forests with a model."""
    return Pruner.of(model) if isinstance(model, Model) else model


def ready(engine: Engine, sources: Sequence[TreeTable]) -> list[Engine]:
    """Return what builds the forest of each tree, having read them all at once."""
    if isinstance(engine, Pruner):
        return list(engine.ready(sources))
    return [engine] * len(sources)


WITHOUT_PROBABILITIES = frozenset({"svm", "perceptron"})
"""Learners whose scores are not log-probabilities."""


def has_probabilities(model: AnyModel) -> bool:
    """Whether a model's weights are log-probabilities, from which risks can be computed."""
    learner = model.metadata.get("learner")
    return isinstance(model, Model) and learner not in WITHOUT_PROBABILITIES


def decoders_of(model: AnyModel) -> tuple[str, ...]:
    """Name the ways to decode: all but the best score need probabilities."""
    return DECODERS if isinstance(model, Model) else ("viterbi",)

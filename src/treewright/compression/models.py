"""Models of every kind behind one door: read from a file, and made ready to rewrite trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from treewright.modelfile import read_kind
from treewright.pruning import CompressionForest, Model, Pruner
from treewright.pruning.deletion import Deleted, DeletionForest, DeletionModel
from treewright.pruning.deletion.model import KIND as DELETION
from treewright.transduction import Target
from treewright.trees import TreeTable

DECODERS = ("viterbi", "mbr", "mpt")

AnyModel: TypeAlias = Model | DeletionModel
Engine: TypeAlias = Pruner | DeletionModel
"""What gives the forest of a source tree."""
AnyForest: TypeAlias = CompressionForest | DeletionForest
AnyTarget: TypeAlias = Target | Deleted


def load_model(path: str | Path) -> AnyModel:
    """Read a model file (`-`: standard input), of whichever kind it says."""
    return DeletionModel.load(path) if read_kind(path) == DELETION else Model.load(path)


def engine_of(model: AnyModel) -> Engine:
    """Make ready what builds forests with a model."""
    return Pruner.of(model) if isinstance(model, Model) else model


def ready(engine: Engine, sources: Sequence[TreeTable]) -> list[Engine]:
    """Return what builds the forest of each tree, having read them all at once."""
    if isinstance(engine, Pruner):
        return list(engine.ready(sources))
    return [engine] * len(sources)


WITHOUT_PROBABILITIES = frozenset({"svm", "perceptron"})
"""Learners whose scores are no logarithms of anything."""


def has_probabilities(model: AnyModel) -> bool:
    """Whether a model's weights are logarithms of probabilities, of which risks can be made."""
    learner = model.metadata.get("learner")
    return isinstance(model, Model) and learner not in WITHOUT_PROBABILITIES


def decoders_of(model: AnyModel) -> tuple[str, ...]:
    """Name the ways to decode: all but the best score need probabilities."""
    return DECODERS if isinstance(model, Model) else ("viterbi",)

"""Models of every kind: reading them from files, and making them ready to rewrite trees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from treewright.modelfile import read_kind
from treewright.pruning import KINDS, CompressionForest, Model, Pruner
from treewright.pruning.deletion import KIND as DELETION
from treewright.pruning.deletion import Deleted, DeletionForest, DeletionModel
from treewright.transduction import Target

AnyModel: TypeAlias = Model | DeletionModel
Engine: TypeAlias = Pruner | DeletionModel
"""Builds the forest of a source tree."""
AnyForest: TypeAlias = CompressionForest | DeletionForest
AnyTarget: TypeAlias = Target | Deleted

_LOADERS: dict[str, Callable[[str | Path], AnyModel]] = {
    **dict.fromkeys(KINDS, Model.load),
    DELETION: DeletionModel.load,
}


def load_model(path: str | Path) -> AnyModel:
    """Read a model file (`-`: standard input) of any kind."""
    return _LOADERS.get(read_kind(path), Model.load)(path)

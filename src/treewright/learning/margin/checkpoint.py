"""Checkpoints: all that training needs to go on as if it had never stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from treewright.errors import DataError, ModelFileError, UsageError
from treewright.modelfile import pack_array, read_model, unpack_array, write_model

KIND = "margin-checkpoint"


@dataclass(frozen=True)
class Checkpoint:
    """Training after some rounds: arrays and numbers of its state, and what made it.

    `settings` and `problem` (its fingerprint) must be those of the training that goes on.
    """

    arrays: Mapping[str, NDArray[Any]]
    numbers: Mapping[str, Any]
    settings: Mapping[str, Any]
    problem: str

    def save(self, path: str | Path) -> None:
        """Write the checkpoint, whole or not at all."""
        parts = {f"{name}.npy": pack_array(array) for name, array in self.arrays.items()}
        about = {"numbers": self.numbers, "settings": self.settings, "problem": self.problem}
        write_model(path, kind=KIND, parts=parts, metadata=about)

    @classmethod
    def load(cls, path: str | Path) -> Checkpoint:
        """Read a checkpoint."""
        parts, about = read_model(path, kind=KIND)
        try:
            arrays = {name.removesuffix(".npy"): unpack_array(data) for name, data in parts.items()}
            numbers, settings = dict(about["numbers"]), dict(about["settings"])
            return cls(arrays, numbers, settings, str(about["problem"]))
        except (KeyError, ValueError, TypeError, OSError, EOFError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None

    def check(self, path: str | Path, settings: Mapping[str, Any], problem: str) -> None:
        """Raise if the checkpoint is of another problem or of training with other settings."""
        if self.problem != problem:
            raise DataError(
                "a checkpoint of another problem; resume with the pairs, grammar and loss it was "
                "made from",
                where=str(path),
            )
        plain = json.loads(json.dumps(settings))
        for name in sorted(plain.keys() | self.settings.keys()):
            if plain.get(name) != self.settings.get(name):
                raise UsageError(
                    f"{path}: a checkpoint of training with {name} {self.settings.get(name)}, "
                    f"found {plain.get(name)}; resume with the same settings"
                )


@dataclass(frozen=True, kw_only=True)
class TrainingFiles:
    """Where training saves its state and after how many rounds, and whether it goes on from there.

    The last checkpoint stays when training is interrupted.
    """

    checkpoint: str | Path | None = None
    checkpoint_every: int = 10
    resume: bool = False

    def __post_init__(self) -> None:
        if self.checkpoint_every < 1:
            raise UsageError(
                f"checkpoints need at least 1 round between them, found {self.checkpoint_every}"
            )
        if self.resume and self.checkpoint is None:
            raise UsageError("nothing to resume from; name the checkpoint (--checkpoint FILE)")
        if str(self.checkpoint) == "-":
            raise UsageError("checkpoints are files, not standard output")


NOWHERE = TrainingFiles()

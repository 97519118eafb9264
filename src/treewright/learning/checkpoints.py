"""Checkpoints: everything that training needs to continue as if it had never stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from treewright.errors import DataError, ModelFileError, UsageError
from treewright.modelfile import pack_array, read_model, unpack_array, write_model


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """Arrays and numbers of a training state, and what made it.

    `kind` is that of the file. `settings` and `data` (a fingerprint of what is learned from) must
    equal those of the training that continues.
    """

    kind: str
    arrays: Mapping[str, NDArray[Any]]
    numbers: Mapping[str, Any]
    settings: Mapping[str, Any]
    data: str

    def save(self, path: str | Path) -> None:
        """Write the checkpoint, completely or not at all."""
        parts = {f"{name}.npy": pack_array(array) for name, array in self.arrays.items()}
        about = {"numbers": self.numbers, "settings": self.settings, "data": self.data}
        write_model(path, kind=self.kind, parts=parts, metadata=about)

    @classmethod
    def load(cls, path: str | Path, kind: str) -> Checkpoint:
        """Read a checkpoint."""
        parts, about = read_model(path, kind=kind)
        try:
            return cls(
                kind=kind,
                arrays={n.removesuffix(".npy"): unpack_array(part) for n, part in parts.items()},
                numbers=dict(about["numbers"]),
                settings=dict(about["settings"]),
                data=str(about["data"]),
            )
        except (KeyError, ValueError, TypeError, OSError, EOFError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None

    def check(self, path: str | Path, settings: Mapping[str, Any], data: str) -> None:
        """Raise an error if the checkpoint is from other data or other settings."""
        plain = json.loads(json.dumps(settings))
        for name in sorted(plain.keys() | self.settings.keys()):
            if plain.get(name) != self.settings.get(name):
                raise UsageError(
                    f"{path}: a checkpoint of training with {name} {self.settings.get(name)}, "
                    f"found {plain.get(name)}; resume with the same settings"
                )
        if self.data != data:
            raise DataError(
                "a checkpoint of training on other data; resume with the pairs and settings it "
                "was made from",
                where=str(path),
            )


@dataclass(frozen=True, kw_only=True)
class TrainingFiles:
    """Where training saves its state and after how many rounds, and whether it continues from
    there.

    The last checkpoint is kept when training is interrupted.
    """

    checkpoint: str | Path | None = None
    checkpoint_every: int = 10
    resume: bool = False

    def __post_init__(self) -> None:
        if self.checkpoint_every < 1:
            raise UsageError(f"checkpoint_every must be at least 1, found {self.checkpoint_every}")
        if self.resume and self.checkpoint is None:
            raise UsageError("nothing to resume from; name the checkpoint (--checkpoint FILE)")
        if str(self.checkpoint) == "-":
            raise UsageError("checkpoints are files, not standard output")


NOWHERE = TrainingFiles()

"""Checkpoints: all that a run needs to go on as if it had never stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from treewright.errors import DataError, ModelFileError, UsageError
from treewright.modelfile import pack_array, read_model, unpack_array, write_model

KIND = "gibbs-checkpoint"


@dataclass(frozen=True)
class Checkpoint:
    """A run after some sweeps: arrays of the state, the generator's state, and what made it.

    `settings` and `data` (a fingerprint of the pairs) must be those of the run that goes on.
    """

    arrays: Mapping[str, NDArray[Any]]
    random: Mapping[str, Any]
    settings: Mapping[str, Any]
    data: str
    iteration: int
    best: float

    def save(self, path: str | Path) -> None:
        """Write the checkpoint, whole or not at all."""
        parts = {f"{name}.npy": pack_array(array) for name, array in self.arrays.items()}
        parts["random.json"] = json.dumps(self.random, sort_keys=True).encode()
        about = {
            "settings": self.settings,
            "data": self.data,
            "iteration": self.iteration,
            "best": self.best,
        }
        write_model(path, kind=KIND, parts=parts, metadata=about)

    @classmethod
    def load(cls, path: str | Path) -> Checkpoint:
        """Read a checkpoint."""
        parts, about = read_model(path, kind=KIND)
        try:
            random = json.loads(parts.pop("random.json"))
            arrays = {name.removesuffix(".npy"): unpack_array(data) for name, data in parts.items()}
            return cls(
                arrays, random, about["settings"], about["data"], about["iteration"], about["best"]
            )
        except (KeyError, ValueError, TypeError, OSError, EOFError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None

    def check(self, path: str | Path, settings: Mapping[str, Any], data: str) -> None:
        """Raise if the checkpoint is of another corpus or of a run with other settings."""
        if self.data != data:
            raise DataError(
                "a checkpoint of another corpus; resume with the pairs it was made from",
                where=str(path),
            )
        plain = json.loads(json.dumps(settings))
        for name in sorted(plain.keys() | self.settings.keys()):
            if plain.get(name) != self.settings.get(name):
                raise UsageError(
                    f"{path}: a checkpoint of a run with {name} {self.settings.get(name)}, "
                    f"found {plain.get(name)}; resume with the same settings"
                )

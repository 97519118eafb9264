"""Checkpoints of the sampler: a run that was stopped goes on as if it had not been."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewright.alignment.statistical.numbering import Text
from treewright.alignment.statistical.sampling.sampler import Sampler
from treewright.errors import DataError, ModelFileError, UsageError
from treewright.modelfile import pack_array, read_model, unpack_array, write_model

KIND = "alignment-checkpoint"
_ARRAYS = ("link", "random", "priors")


@dataclass(frozen=True, kw_only=True)
class CheckpointFile:
    """Where the state of a run is kept, how often, and whether the run goes on from there."""

    path: str | Path | None = None
    every: int = 5
    """After how many sweeps."""
    resume: bool = False

    def __post_init__(self) -> None:
        if self.resume and self.path is None:
            raise UsageError("nothing to resume from; name the checkpoint (--checkpoint FILE)")
        if str(self.path) == "-":
            raise UsageError("checkpoints are files, not standard output")

    def save(self, sampler: Sampler, step: int, settings: Mapping[str, Any], text: Text) -> None:
        """Write the state after a step, if it is time to."""
        if self.path is None or step % self.every:
            return
        parts = {f"{name}.npy": pack_array(array) for name, array in sampler.state().items()}
        about = {"step": step, "settings": dict(settings), "data": _fingerprint(text)}
        write_model(self.path, kind=KIND, parts=parts, metadata=about)

    def load(self, sampler: Sampler, settings: Mapping[str, Any], text: Text, steps: int) -> int:
        """Restore the state; return the number of steps that are done, of all `steps`."""
        if not self.resume or self.path is None:
            return 0
        parts, about = read_model(self.path, kind=KIND, known=[f"{name}.npy" for name in _ARRAYS])
        where = str(self.path)
        try:
            if about["settings"] != dict(settings):
                raise UsageError(
                    f"{where}: a checkpoint of a run with {about['settings']}, found "
                    f"{dict(settings)}; resume with the same settings"
                )
            if about["data"] != _fingerprint(text):
                raise DataError(
                    "a checkpoint of other text; resume with the files it was made from",
                    where=where,
                )
            step = about["step"]
            if type(step) is not int or not 0 <= step <= steps:
                raise ValueError(f"step {step!r} of {steps}")
            sampler.restore({name: unpack_array(parts[f"{name}.npy"]) for name in _ARRAYS})
            return step
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=where) from None


def _fingerprint(text: Text) -> str:
    digest = hashlib.sha256()
    for side, words in ((text.source, text.source_words), (text.target, text.target_words)):
        digest.update(side.words.tobytes())
        digest.update(side.start.tobytes())
        digest.update("\n".join(words.words).encode())
    return digest.hexdigest()

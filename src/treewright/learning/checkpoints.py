"""What training leaves: checkpoints, from which it continues as if it had never stopped, and traces
in JSON Lines, each written at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from numpy.typing import NDArray

from treewright.errors import DataError, ModelFileError, UsageError, check_least
from treewright.modelfile import pack_array, read_model, unpack_array, write_model

if TYPE_CHECKING:
    from treewright.learning.margin.method import Report


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
        check_least(self, "checkpoint_every")
        if self.resume and self.checkpoint is None:
            raise UsageError("nothing to resume from; name the checkpoint (--checkpoint FILE)")
        if str(self.checkpoint) == "-":
            raise UsageError("checkpoints are files, not standard output")


NO_FILES = TrainingFiles()


def begin_trace(path: str | Path, *, resume: bool) -> None:
    """Empty a trace; if the run is resumed, only drop an incomplete last line."""
    place = Path(path)
    try:
        text = place.read_bytes() if resume and place.exists() else b""
        place.write_bytes(text[: text.rfind(b"\n") + 1])
    except OSError as error:
        raise DataError(f"cannot write it: {error.strerror}", where=str(path)) from None


def append_to(path: str | Path) -> IO[str]:
    """Open an existing trace to append lines to it."""
    return Path(path).open("a", encoding="utf-8", buffering=1)


@contextmanager
def round_trace(
    path: str | Path | None, *, resume: bool = False
) -> Iterator[Callable[[Report], None] | None]:
    """Open a trace of rounds and yield a function that writes a report, or `None`
    without a trace.
    """
    if path is None:
        yield None
        return
    begin_trace(path, resume=resume)
    with append_to(path) as lines:

        def write(report: Report) -> None:
            lines.write(json.dumps({**asdict(report), "gap": report.gap}) + "\n")

        yield write

"""What a run of the sampler writes along the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from treewright.errors import UsageError
from treewright.learning.checkpoints import TrainingFiles, append_to, begin_trace

REFRESH = 50
"""Sweeps after which the state is recomputed, so rounding errors never accumulate. Checkpoints are
taken right after that: from there, a resumed run and one that never stopped are identical to the
last bit.
"""


@dataclass(frozen=True, kw_only=True)
class RunFiles(TrainingFiles):
    """What a run writes along the way, and whether it continues from its checkpoint.

    `checkpoint_every` counts sweeps. `begun` says that the trace is shared by several chains and
    already open to all of them.
    """

    checkpoint_every: int = 500
    trace: str | Path | None = None
    chain: int = 0
    begun: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if str(self.trace) == "-":
            raise UsageError("traces are files, not standard output")

    def due(self, iteration: int, iterations: int) -> bool:
        """Whether a checkpoint is taken after this many sweeps: at the first refresh
        that is due.
        """
        if self.checkpoint is None:
            return False
        behind = iteration // self.checkpoint_every > (iteration - REFRESH) // self.checkpoint_every
        return iteration == iterations or (iteration % REFRESH == 0 and behind)

    def of_chain(self, chain: int) -> RunFiles:
        """Return the files of one of several chains: its own checkpoint, and the same trace.

        A chain that was never saved has nothing to resume from, and starts from the beginning.
        """
        if self.checkpoint is None:
            return replace(self, chain=chain, begun=True)
        place = Path(self.checkpoint)
        own = place.with_name(f"{place.stem}.{chain}{place.suffix}")
        resume = self.resume and own.exists()
        return replace(self, checkpoint=own, resume=resume, chain=chain, begun=True)

    def begin_trace(self) -> None:
        """Empty the trace; if the run is resumed, only drop an incomplete last line."""
        if self.trace is not None:
            begin_trace(self.trace, resume=self.resume)

    @contextmanager
    def open_trace(self) -> Iterator[IO[str] | None]:
        """Open the trace to append lines to it, each written at once."""
        if self.trace is None:
            yield None
            return
        if not self.begun:
            self.begin_trace()
        with append_to(self.trace) as lines:
            yield lines


NO_FILES = RunFiles()

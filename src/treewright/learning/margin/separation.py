"""Separation on several cores: chunks of a batch in threads, results in the batch's order."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from treewright.errors import UsageError
from treewright.learning.margin.problem import Cut, Floats, Problem, Rescaling

CHUNKS = 4
"""Chunks per thread: examples differ in size, and one long chunk would keep the others waiting."""


class Separator:
    """Queries a problem in several threads. Its kernels release the lock, so threads suffice.

    The number of threads has no influence on the results. `seconds` adds up the time taken.
    """

    def __init__(self, problem: Problem, threads: int = 1) -> None:
        if threads < 1:
            raise UsageError(f"separation needs at least 1 thread, found {threads}")
        self.problem = problem
        self.threads = threads
        self.seconds = 0.0
        self._pool: ThreadPoolExecutor | None = None

    def separate(self, weights: Floats, examples: Sequence[int], rescaling: Rescaling) -> list[Cut]:
        """Return the most violated output of each example."""
        return self._ask(lambda part: self.problem.separate(weights, part, rescaling), examples)

    def predict(self, weights: Floats, examples: Sequence[int]) -> list[Cut]:
        """Return the best output of each example."""
        return self._ask(lambda part: self.problem.predict(weights, part), examples)

    def close(self) -> None:
        """End the threads; the next query starts new ones."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _ask(
        self, ask: Callable[[Sequence[int]], Sequence[Cut]], examples: Sequence[int]
    ) -> list[Cut]:
        begin = time.perf_counter()
        if self.threads == 1 or len(examples) < 2:
            cuts = list(ask(examples))
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.threads)
            size = -(-len(examples) // (CHUNKS * self.threads))
            parts = [examples[at : at + size] for at in range(0, len(examples), size)]
            cuts = [cut for part in self._pool.map(ask, parts) for cut in part]
        self._check(cuts, examples)
        self.seconds += time.perf_counter() - begin
        return cuts

    def _check(self, cuts: list[Cut], examples: Sequence[int]) -> None:
        """Raise an error unless there is one cut for each example: kernels write where cuts point
        to.
        """
        if [cut.example for cut in cuts] != list(examples):
            raise ValueError("a problem must return one cut for each example, in their order")
        for cut in cuts:
            if len(cut.indices) and cut.indices[-1] >= self.problem.num_features:
                raise ValueError(f"feature {cut.indices[-1]} of {self.problem.num_features}")

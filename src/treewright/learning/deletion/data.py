"""`DeletionSet`: what every epoch of training needs, prepared once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.learning.learner import fingerprint
from treewright.progress import SILENT, Progress
from treewright.pruning.deletion import Evidence, gather

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class DeletionSet:
    """Evidence of each source, and the positions that its compression keeps (start and end too)."""

    evidence: Sequence[Evidence]
    kept: Sequence[Bools]
    fingerprint: str

    def __len__(self) -> int:
        return len(self.evidence)

    @property
    def tokens(self) -> int:
        """The number of all tokens."""
        return sum(evidence.tokens for evidence in self.evidence)

    @classmethod
    def prepare(
        cls,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> DeletionSet:
        """Gather the evidence of pairs; those that do more than delete go to `problems`."""
        problems = problems or Problems(strict=True)
        good: list[Pair] = []
        kept: list[Bools] = []
        evidence: list[Evidence] = []
        for pair in progress.track(pairs, "gathering evidence"):
            try:
                kept.append(_kept(pair))
            except DataError as error:
                problems.add(error)
                continue
            good.append(pair)
            evidence.append(gather(pair.source))
        if not good:
            raise DataError("nothing to learn from; training needs at least one aligned pair")
        return cls(evidence, kept, fingerprint(good))


def _kept(pair: Pair) -> Bools:
    """Return which positions the target keeps."""
    if pair.alignment is None:
        raise DataError("the pair is not aligned", where=pair.id)
    source, target = pair.source.words(), pair.target.words()
    if not target:
        raise DataError("the target has no words", where=pair.id)
    links = sorted(pair.alignment)
    if [j for _, j in links] != list(range(len(target))) or len(dict(links)) < len(links):
        raise DataError(
            "the alignment does not lead, in order, from one source word to each target word; "
            "a deletion model learns from targets that only delete",
            where=pair.id,
        )
    for i, j in links:
        if source[i] != target[j]:
            raise DataError(
                f"target word {j + 1}, {target[j]!r}, is aligned to another word, {source[i]!r}; "
                "a deletion model learns from targets that only delete",
                where=pair.id,
            )
    kept = np.zeros(len(source) + 2, dtype=np.bool_)
    kept[[0, -1]] = True
    kept[[i + 1 for i, _ in links]] = True
    return kept

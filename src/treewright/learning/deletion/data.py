"""`DeletionSet`: what every epoch of training needs, prepared once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.learning.checks import check_pair, good_pairs
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
        good = good_pairs(pairs, problems, _check)
        evidence = [gather(p.source) for p in progress.track(good, "gathering evidence", len(good))]
        return cls(evidence, [_kept(pair) for pair in good], fingerprint(good))


def _check(pair: Pair) -> None:
    """Raise a `DataError` unless the target only deletes."""
    check_pair(pair)
    source, target = pair.source.words(), pair.target_words
    links = sorted(pair.alignment or ())
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


def _kept(pair: Pair) -> Bools:
    """Return which positions the target keeps."""
    kept = np.zeros(len(pair.source.words()) + 2, dtype=np.bool_)
    kept[[0, -1]] = True
    kept[[i + 1 for i, _ in pair.alignment or ()]] = True
    return kept

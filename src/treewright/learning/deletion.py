"""`Deletion`: learn which tokens to keep by MIRA, following McDonald (2006)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from treewright.arrays import Bools
from treewright.compiling import expect_work
from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.learning.checks import check_number, check_pair, check_whole, good_pairs
from treewright.learning.learner import Learner, fingerprint
from treewright.progress import SILENT, Progress
from treewright.pruning.deletion import MAX_BITS, DeletionModel, Evidence, gather
from treewright.randomness import generator


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


@dataclass(kw_only=True)
class Deletion(Learner[DeletionSet, DeletionModel]):
    """Single-best MIRA with averaged weights.

    Each sentence is compressed with the current weights; if a token is wrongly kept or dropped, the
    weights move just enough for the gold compression to win by the number of such tokens, and by no
    more than `cost` times the difference of features. In that search each wrong token adds
    `augment` to the score; with 0, learning uses what the weights alone prefer.

    After `fit`: `model_` and `losses_`, for each epoch the share of wrong tokens in what was
    learned from; with `augment` that is more than the model gets wrong.
    """

    epochs: int = 10
    cost: float = 0.001
    augment: float = 0.1
    bits: int = 22
    seed: int = 0

    name = "deletion"

    def __post_init__(self) -> None:
        check_whole("epochs", self.epochs)
        check_whole("bits", self.bits, least=8, most=MAX_BITS)
        check_whole("seed", self.seed, least=0)
        check_number("cost", self.cost, above=0.0)
        check_number("augment", self.augment, least=0.0)

    def prepare(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> DeletionSet:
        """Gather the evidence of pairs; those that do more than delete go to `problems`."""
        good = good_pairs(pairs, problems, _check)
        evidence = [gather(p.source) for p in progress.track(good, "gathering evidence", len(good))]
        return DeletionSet(evidence, [_kept(pair) for pair in good], fingerprint(good))

    def fit_prepared(self, data: DeletionSet, *, progress: Progress = SILENT) -> Self:
        """Learn from gathered evidence."""
        from treewright.learning import _deletion_kernels as _kernels

        expect_work(len(data) * self.epochs)
        state = _kernels.State(*np.zeros((3, 1 << self.bits)))
        shift, augment = np.uint64(64 - self.bits), float(self.augment)
        randomness = generator(self.seed)
        self.losses_: list[float] = []
        time = 0
        for _ in progress.track(range(self.epochs), f"training {self.name}", self.epochs):
            wrong = 0
            for place in randomness.permutation(len(data)).tolist():
                wrong += _kernels.learn(
                    data.evidence[place],
                    data.kept[place],
                    state,
                    shift,
                    float(self.cost),
                    augment,
                    float(time),
                )
                time += 1
            self.losses_.append(wrong / data.tokens)
        # A change at time t is part of the weights at all later times: time - t of them.
        metadata = self.about(
            len(data),
            data.fingerprint,
            iterations=len(self.losses_),
            objective=-self.losses_[-1],
        )
        self.model_ = DeletionModel.of(state.weights - state.later / time, metadata)
        return self

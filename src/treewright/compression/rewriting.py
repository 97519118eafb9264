"""Rewriting many trees with a model under a budget, in order, one bad tree at a time."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.compression.budgets import Budget, nearest
from treewright.corpora import MAX_WORDS, count_words
from treewright.errors import DataError, Problems
from treewright.evaluation import cap_budget, share_budget
from treewright.grammar import Model
from treewright.progress import SILENT, Progress
from treewright.transduction import Target, TargetForest, Transducer
from treewright.trees import Tree

UNLIMITED = Budget()


@dataclass(frozen=True)
class Rewriting:
    """The rewritings of one source tree, best first; none where nothing could be made.

    `met` is false where even the shortest rewriting exceeds the budget.
    """

    source: Tree | None
    targets: tuple[Target, ...]
    met: bool = True

    @property
    def best(self) -> Target | None:
        """The first rewriting, or `None`."""
        return self.targets[0] if self.targets else None


@dataclass(frozen=True, kw_only=True)
class Rewriter:
    """Rewrites trees with a model.

    `nbest` asks for several rewritings of each tree; it goes with caps, not with a corpus budget.
    Trees of more than `max_words` words are refused, so that hostile input costs a clear error.
    """

    model: Model
    budget: Budget = UNLIMITED
    nbest: int = 1
    max_words: int = MAX_WORDS

    def __call__(
        self,
        sources: Iterable[Tree | DataError],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> Iterator[Rewriting]:
        """Yield one rewriting a source, in order; an error in its place gives an empty one."""
        problems = problems or Problems(strict=True)
        transducer = Transducer(self.model.grammar, self.model.unseen)
        checked = self._checked(sources, problems)
        if self.budget.corpus_rate is not None:
            yield from self._share(transducer, list(checked), self.budget.corpus_rate, progress)
            return
        for source in progress.track(checked, "rewriting"):
            yield self._rewrite(transducer, source, problems)

    def _checked(
        self, sources: Iterable[Tree | DataError], problems: Problems
    ) -> Iterator[Tree | None]:
        for number, source in enumerate(sources, start=1):
            if isinstance(source, Tree):
                length = len(source.words())
                if length <= self.max_words:
                    yield source
                    continue
                source = DataError(
                    f"a sentence of {length} words, the limit is {self.max_words}",
                    where=f"tree {number}",
                )
            problems.add(source)
            yield None

    def _rewrite(
        self, transducer: Transducer, source: Tree | None, problems: Problems
    ) -> Rewriting:
        if source is None:
            return Rewriting(None, ())
        try:
            forest = transducer.forest(source)
        except DataError as error:
            problems.add(error)
            return Rewriting(source, ())
        cap = self.budget.cap(count_words(source))
        if cap is not None:
            return self._capped(forest, source, cap)
        if self.nbest == 1:
            best = forest.best()
            return Rewriting(source, () if best is None else (best,))
        return Rewriting(source, tuple(itertools.islice(forest.kbest(), self.nbest)))

    def _capped(self, forest: TargetForest, source: Tree, cap: int) -> Rewriting:
        curve = forest.curve()
        if not np.isfinite(curve.scores).any():
            return Rewriting(source, ())
        first = cap_budget(curve.scores, cap)
        lengths = [first]
        if self.nbest > 1:
            within = np.flatnonzero(np.isfinite(curve.scores[: max(cap, first) + 1])).tolist()
            lengths = sorted(within, key=lambda n: -curve.scores[n])[: self.nbest]
        targets = (forest.target(curve.derivation(n)) for n in lengths)
        return Rewriting(source, tuple(t for t in targets if t is not None), first <= cap)

    def _share(
        self,
        transducer: Transducer,
        sources: Sequence[Tree | None],
        rate: float,
        progress: Progress,
    ) -> Iterator[Rewriting]:
        """Find every curve, share the words, then build each forest again for its own length.

        Forests are made twice rather than kept: a curve is a few numbers, a forest is not.
        """
        curves: list[NDArray[np.float64]] = []
        for source in progress.track(sources, "measuring lengths"):
            curves.append(
                np.zeros(1) if source is None else transducer.forest(source).curve().scores
            )
        words = sum(count_words(source) for source in sources if source is not None)
        shared = share_budget(curves, nearest(rate * words), exactly=True)
        numbered = list(zip(sources, shared.counts, strict=True))
        for source, length in progress.track(numbered, "rewriting"):
            if source is None:
                yield Rewriting(None, ())
                continue
            forest = transducer.forest(source)
            target = forest.target(forest.curve().derivation(length))
            yield Rewriting(source, () if target is None else (target,), shared.met)

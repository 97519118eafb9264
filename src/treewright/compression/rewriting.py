"""Rewriting many trees with a model under a budget, in order, one bad tree at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.compression.budgets import Budget
from treewright.compression.models import (
    DECODERS,
    AnyForest,
    AnyModel,
    AnyTarget,
    Engine,
    decoders_of,
    engine_of,
)
from treewright.corpora import MAX_WORDS, count_words
from treewright.errors import DataError, Problems, UsageError, choose
from treewright.evaluation import cap_budget, leave_words, share_words
from treewright.forest import CountCurve
from treewright.progress import SILENT, Progress
from treewright.pruning import CompressionForest, split_by_heads
from treewright.trees import Tree

UNLIMITED = Budget()


@dataclass(frozen=True)
class Rewriting:
    """The rewritings of one source tree, best first; none where nothing could be made.

    `met` is false where even the shortest rewriting exceeds the budget.
    """

    source: Tree | None
    targets: tuple[AnyTarget, ...]
    met: bool = True

    @property
    def best(self) -> AnyTarget | None:
        """The first rewriting, or `None`."""
        return self.targets[0] if self.targets else None


@dataclass(frozen=True, kw_only=True)
class Rewriter:
    """Rewrites trees with a model.

    A rewriting keeps at least one word where the budget allows one: a full stop alone says nothing.
    `nbest` asks for several rewritings of each tree; it goes with caps, not with a corpus budget.
    Trees of more than `max_words` words are refused, so that hostile input costs a clear error.

    `decode` says which rewriting is the best. `"viterbi"`: that of the best derivation. `"mbr"`:
    the one that keeps most of the head-dependent pairs likely to survive, for quality under any
    budget (`pruning/pairs`). `"mpt"`: the most probable tree, searched for among
    `samples` derivations drawn with `seed`: of any length, of those a cap admits, or, under a
    corpus budget, of the very length that the best derivations' curves give the sentence.
    """

    model: AnyModel
    budget: Budget = UNLIMITED
    nbest: int = 1
    max_words: int = MAX_WORDS
    decode: str = "viterbi"
    samples: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        choose(self.decode, DECODERS, "decode")
        if self.decode not in decoders_of(self.model):
            raise UsageError(
                f"decode {self.decode} needs probabilities, which a deletion model does not have; "
                "use viterbi"
            )
        if self.samples < 1:
            raise UsageError(f"samples must be at least 1, found {self.samples}")
        if self.nbest > 1 and self.decode != "viterbi":
            raise UsageError(f"nbest goes with decode viterbi, not with {self.decode}")
        if self.nbest < 1:
            raise UsageError(f"nbest must be at least 1, found {self.nbest}")
        if self.nbest > 1 and self.budget.corpus_rate is not None:
            raise UsageError("nbest does not go with corpus_rate; use rate or max_words")

    def __call__(
        self,
        sources: Iterable[Tree | DataError],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> Iterator[Rewriting]:
        """Yield one rewriting a source, in order; an error in its place gives an empty one."""
        problems = problems or Problems(strict=True)
        engine = engine_of(self.model)
        checked = self._checked(sources, problems)
        if self.budget.corpus_rate is not None:
            yield from self._share(
                engine, list(checked), self.budget.corpus_rate, problems, progress
            )
            return
        for number, source in enumerate(progress.track(checked, "rewriting"), start=1):
            forest = _forest(engine, source, number, problems)
            if source is None or forest is None:
                yield Rewriting(source, ())
            else:
                yield self._rewrite(self._split(forest), source)

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

    def _rewrite(self, forest: AnyForest, source: Tree) -> Rewriting:
        words = count_words(source)
        cap = self.budget.cap(words)
        if cap is not None:
            return self._capped(forest, source, cap)
        if self.nbest > 1:
            return Rewriting(source, tuple(forest.nbest(self.nbest)))
        if self.decode != "viterbi":
            return self._capped(forest, source, words)
        best = forest.best()
        if best is not None and words and not count_words(best.tree):
            return self._capped(forest, source, words)
        return Rewriting(source, () if best is None else (best,))

    def _capped(self, forest: AnyForest, source: Tree, cap: int) -> Rewriting:
        curve = self.curve(forest)
        if not np.isfinite(curve.scores).any():
            return Rewriting(source, ())
        scores = leave_words(curve.scores) if cap else curve.scores
        length = cap_budget(scores, cap)
        met = length <= cap
        if self.nbest > 1:
            within = forest.nbest(self.nbest, limit=max(cap, length))
            return Rewriting(source, tuple(within), met)
        shortest = int(np.isfinite(scores).argmax())
        best = self._of_length(forest, curve, length, shortest, max(cap, length))
        return Rewriting(source, () if best is None else (best,), met)

    def _split(self, forest: AnyForest) -> AnyForest:
        """Return the forest in which pairs of words can be told, if their risk is asked for."""
        if self.decode != "mbr" or not isinstance(forest, CompressionForest) or len(forest.grammar):
            return forest
        return split_by_heads(forest, pairs=True)

    def curve(self, forest: AnyForest) -> CountCurve:
        """Return the best rewriting of every length, in the sense of `decode`."""
        if isinstance(forest, CompressionForest) and self.decode == "mbr":
            return forest.agreed_curve()
        return forest.curve()

    def _of_length(
        self, forest: AnyForest, curve: CountCurve, length: int, least: int, most: int
    ) -> AnyTarget | None:
        """Return the curve's rewriting of a length, or the most probable of several lengths."""
        if isinstance(forest, CompressionForest) and self.decode == "mpt":
            return forest.most_probable(
                samples=self.samples, seed=self.seed, least=least, most=most
            )
        return forest.target(curve.derivation(length))

    def _share(
        self,
        engine: Engine,
        sources: Sequence[Tree | None],
        rate: float,
        problems: Problems,
        progress: Progress,
    ) -> Iterator[Rewriting]:
        """Find every curve, share the words, then build each forest again for its own length.

        Forests are made twice rather than kept: a curve is a few numbers, a forest is not. Trees
        that cannot be rewritten have no part in the budget.
        """
        curves: list[NDArray[np.float64]] = []
        able: list[Tree] = []
        rewritable: list[bool] = []
        for number, source in enumerate(progress.track(sources, "measuring lengths"), start=1):
            forest = _forest(engine, source, number, problems)
            scores = np.full(1, -np.inf)
            if forest is not None:
                scores = self.curve(self._split(forest)).scores
            rewritable.append(bool(np.isfinite(scores).any()))
            if source is not None and rewritable[-1]:
                curves.append(scores)
                able.append(source)
        words = sum(map(count_words, able))
        total = round(rate * words)
        shared = share_words(curves, total)
        lengths = iter(shared.counts)
        for source, possible in progress.track(
            list(zip(sources, rewritable, strict=True)), "rewriting"
        ):
            if source is None or not possible:
                yield Rewriting(source, ())
                continue
            forest = self._split(engine.forest(source))
            length = next(lengths)
            target = self._of_length(forest, self.curve(forest), length, length, length)
            yield Rewriting(source, () if target is None else (target,), shared.met)


def _forest(
    engine: Engine, source: Tree | None, number: int, problems: Problems
) -> AnyForest | None:
    """Build the forest of a tree; `None`, and a problem, where the grammar derives nothing."""
    if source is None:
        return None
    try:
        return engine.forest(source)
    except DataError as error:
        problems.add(DataError(error.message, where=error.where or f"tree {number}"))
        return None

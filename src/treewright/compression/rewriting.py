"""Rewriting many trees with a model under a limit, in order, one bad tree at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright.compression.limits import UNLIMITED, Limit
from treewright.compression.models import (
    AnyForest,
    AnyModel,
    AnyTarget,
    Engine,
)
from treewright.compression.sharing import Curve, cap_budget, leave_words, share_words
from treewright.corpora import MAX_WORDS, count_words
from treewright.errors import DataError, Problems, UsageError, choose
from treewright.forest import CountCurve
from treewright.progress import SILENT, Progress
from treewright.pruning import DECODERS, CompressionForest, split_by_heads
from treewright.pruning.acceptance import join_neighbours
from treewright.trees import Tree


@dataclass(frozen=True)
class Rewriting:
    """The rewritings of one source tree, best first; none where nothing could be made.

    `met` is false where even the shortest rewriting exceeds the limit.
    """

    source: Tree | None
    targets: tuple[AnyTarget, ...]
    met: bool = True

    @property
    def best(self) -> AnyTarget | None:
        """The first rewriting, or `None`."""
        return self.targets[0] if self.targets else None

    @property
    def tree(self) -> Tree | None:
        """The tree of the first rewriting, or `None`."""
        return None if self.best is None else self.best.tree


@dataclass(frozen=True, kw_only=True)
class Rewriter:
    """Rewrites trees with a model.

    A rewriting keeps at least one word: a full stop alone says nothing. The limit is in words. One
    that all sentences share is filled as far as can be, so that systems are compared at the same
    rate. `nbest` asks for several rewritings of each tree; it goes with a limit on each sentence.
    Trees of more than `MAX_WORDS` words are refused, so that hostile input costs a clear error.

    `decode` says which rewriting is the best. `"viterbi"`: that of the best derivation. `"mbr"`:
    the one that keeps most of the head-dependent pairs likely to survive, for quality under any
    limit (`pruning/risk.py`). `"mpt"`: the most probable tree, searched for among
    `samples` derivations drawn with `seed`: of any length, of those a cap admits, or, under a
    shared limit, of the very length that the best derivations' curves give the sentence.
    """

    model: AnyModel
    limit: Limit = UNLIMITED
    nbest: int = 1
    decode: str = "viterbi"
    samples: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        choose(self.decode, DECODERS, "decode")
        if self.decode not in self.model.decoders:
            raise UsageError(
                f"decode {self.decode} needs probabilities, which a deletion model does not have; "
                "use viterbi"
            )
        if self.limit.unit != "words":
            raise UsageError(f"trees are limited in words, not in {self.limit.unit}")
        if self.samples < 1:
            raise UsageError(f"samples must be at least 1, found {self.samples}")
        if self.nbest > 1 and self.decode != "viterbi":
            raise UsageError(f"nbest needs decode viterbi, not {self.decode}")
        if self.nbest < 1:
            raise UsageError(f"nbest must be at least 1, found {self.nbest}")
        if self.nbest > 1 and self._shares:
            raise UsageError("nbest goes with a limit on each sentence, not a shared one")

    @property
    def _shares(self) -> bool:
        return self.limit.is_given and self.limit.per == "text"

    @cached_property
    def engine(self) -> Engine:
        """What builds forests with the model."""
        return self.model.engine()

    def __call__(
        self,
        sources: Iterable[Tree | DataError],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> Iterator[Rewriting]:
        """Yield one rewriting per source, in order; an error in its place gives an empty one."""
        problems = problems or Problems(strict=True)
        if self._shares:
            for [rewriting] in self.at_limits(
                sources, [self.limit], problems=problems, progress=progress
            ):
                yield rewriting
            return
        checked = self._checked(sources, problems)
        for number, source in enumerate(progress.track(checked, "rewriting"), start=1):
            engine = self.engine if source is None else self._engine_for(source)
            forest = self._forest(engine, source, number, problems)
            if source is None or forest is None:
                yield Rewriting(source, ())
            else:
                yield self._rewrite(forest, source)

    def at_limits(
        self,
        sources: Iterable[Tree | DataError],
        limits: Sequence[Limit],
        *,
        problems: Problems,
        progress: Progress = SILENT,
    ) -> Iterator[list[Rewriting]]:
        """Yield for each source its rewriting under each of several limits that all sources share.

        First every curve is found and the words are shared, then each forest is built again for
        the lengths chosen: a curve is a few numbers, a forest is not. Trees that cannot be
        rewritten have no part in the limit.
        """
        checked = list(self._checked(sources, problems))
        words = sum(count_words(source) for source in checked if source)
        shares = [limit.share_of(words) for limit in limits]
        engine_at = {share: self.engine.at(share) for share in shares}
        engines = [engine_at[share] for share in shares]
        curves = dict(self._curves(progress.track(checked, "measuring lengths"), engines, problems))
        words = sum(count_words(s) for n, s in enumerate(checked, start=1) if s and n in curves)
        plans = [
            share_words([found[engine] for found in curves.values()], limit.room_of(words))
            for engine, limit in zip(engines, limits, strict=True)
        ]
        lengths = dict(zip(curves, zip(*[plan.counts for plan in plans], strict=True), strict=True))
        for number, source in enumerate(progress.track(checked, "rewriting"), start=1):
            if source is None or number not in lengths:
                yield [Rewriting(source, ())] * len(limits)
                continue
            wanted = list(zip(engines, lengths[number], strict=True))
            made = dict(self._of_lengths(source, wanted))
            yield [
                _rewriting(source, made[each], plan.met)
                for each, plan in zip(wanted, plans, strict=True)
            ]

    def _curves(
        self, sources: Iterable[Tree | None], engines: Sequence[Engine], problems: Problems
    ) -> Iterator[tuple[int, dict[Engine, Curve]]]:
        """Yield the number of each source that can be rewritten, and its curve by each engine."""
        for number, source in enumerate(sources, start=1):
            curves: dict[Engine, Curve] = {}
            for engine in dict.fromkeys(engines):
                forest = self._forest(engine, source, number, problems)
                scores = np.empty(0) if forest is None else self.curve(forest).scores
                if not np.isfinite(scores).any():
                    break
                curves[engine] = scores
            else:
                yield number, curves

    def _of_lengths(
        self, source: Tree, wanted: Sequence[tuple[Engine, int]]
    ) -> Iterator[tuple[tuple[Engine, int], AnyTarget | None]]:
        """Yield the rewriting of a source by each of the engines, of the length that goes with
        it.
        """
        for engine in dict.fromkeys(engine for engine, _ in wanted):
            forest = self._built(engine, source)
            curve = self.curve(forest)
            for length in {length for other, length in wanted if other is engine}:
                yield (
                    (engine, length),
                    self._of_length(forest, curve, length, length, length),
                )

    def _checked(
        self, sources: Iterable[Tree | DataError], problems: Problems
    ) -> Iterator[Tree | None]:
        for number, source in enumerate(sources, start=1):
            if isinstance(source, Tree):
                length = len(source.words())
                if length <= MAX_WORDS:
                    yield source
                    continue
                source = DataError(
                    f"a sentence of {length} words, the limit is {MAX_WORDS}",
                    where=f"tree {number}",
                )
            problems.add(source)
            yield None

    def _rewrite(self, forest: AnyForest, source: Tree) -> Rewriting:
        words = count_words(source)
        if self.limit.is_given:
            return self._capped(forest, source, self.limit.room_of(words))
        if self.nbest > 1:
            return Rewriting(source, tuple(forest.nbest(self.nbest)))
        if self.decode != "viterbi":
            return self._capped(forest, source, words)
        best = forest.best()
        if best is not None and words and not count_words(best.tree):
            return self._capped(forest, source, words)
        return _rewriting(source, best)

    def _capped(self, forest: AnyForest, source: Tree, cap: int) -> Rewriting:
        curve = self.curve(forest)
        if not np.isfinite(curve.scores).any():
            return Rewriting(source, ())
        scores = leave_words(curve.scores)
        length = cap_budget(scores, cap)
        met = length <= cap
        if self.nbest > 1:
            within = forest.nbest(self.nbest, limit=max(cap, length))
            return Rewriting(source, tuple(within), met)
        shortest = int(np.isfinite(scores).argmax())
        best = self._of_length(forest, curve, length, shortest, max(cap, length))
        return _rewriting(source, best, met)

    def _forest(
        self, engine: Engine, source: Tree | None, number: int, problems: Problems
    ) -> AnyForest | None:
        """Build the forest of a tree; return `None`, and report it, if the grammar
        derives nothing.
        """
        if source is None:
            return None
        try:
            return self._built(engine, source)
        except DataError as error:
            problems.add(DataError(error.message, where=error.where or f"tree {number}"))
            return None

    def forest(self, source: Tree) -> AnyForest:
        """Build the forest of a tree, as `decode` needs it, with all weights in it."""
        return self._built(self._engine_for(source), source)

    def _engine_for(self, source: Tree) -> Engine:
        """Return what rewrites a tree that has the limit for itself."""
        return self.engine.at(self.limit.share_of(count_words(source)))

    def _built(self, engine: Engine, source: Tree) -> AnyForest:
        return self.prepared(engine.forest(source))

    def prepared(self, forest: AnyForest) -> AnyForest:
        """Return the forest as `decode` needs it, with the scores of neighbours in its weights."""
        forest = self.split(forest)
        return join_neighbours(forest) if isinstance(forest, CompressionForest) else forest

    def split(self, forest: AnyForest) -> AnyForest:
        """Return the forest in which kept pairs of words can be recognised, if their risk is
        needed.
        """
        if self.decode != "mbr":
            return forest
        weighed = _with_probabilities(forest)
        return weighed if len(weighed.grammar) else split_by_heads(weighed, pairs=True)

    def curve(self, forest: AnyForest) -> CountCurve:
        """Return the best rewriting of every length, in the sense of `decode`."""
        if self.decode == "mbr":
            return _with_probabilities(forest).agreed_curve()
        return forest.curve()

    def _of_length(
        self, forest: AnyForest, curve: CountCurve, length: int, least: int, most: int
    ) -> AnyTarget | None:
        """Return the curve's rewriting of a length, or the most probable of several lengths."""
        if self.decode == "mpt":
            return _with_probabilities(forest).most_probable(
                samples=self.samples, seed=self.seed, least=least, most=most
            )
        return forest.target(curve.derivation(length))


def _with_probabilities(forest: AnyForest) -> CompressionForest:
    """Tell the type checker what the model's `decoders` have made sure of."""
    assert isinstance(forest, CompressionForest)
    return forest


def _rewriting(source: Tree, best: AnyTarget | None, met: bool = True) -> Rewriting:
    return Rewriting(source, () if best is None else (best,), met)

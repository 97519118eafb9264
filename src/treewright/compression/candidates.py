"""`Candidates`: every admissible version of one sentence, and the best one for each cost."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.compression.limits import Limit
from treewright.compression.models import AnyForest, AnyTarget
from treewright.compression.prose import BoundSentence
from treewright.compression.result import Shortened, Span, Version
from treewright.compression.searching import Objective
from treewright.corpora import is_word
from treewright.errors import DataError
from treewright.forest import log_partition
from treewright.pruning import CompressionForest, ancestors, hold, hold_tokens
from treewright.pruning.deletion import DeletionForest
from treewright.pruning.guards import leans
from treewright.text import Kind, Sentence, cut
from treewright.trees import Tree

Floats = NDArray[np.float64]

MOST_STATES = 4_000
"""Edges × words up to which other versions are searched for exactly: some tenths of a second."""
SPARE = 4
"""Versions looked at beyond twice the number requested, in case some read the same."""


class Candidates(Protocol):
    """What a limit chooses from: the score of the best version for each cost, and that version."""

    @property
    def sentence(self) -> Sentence:
        """The source."""
        ...

    @property
    def demanded(self) -> frozenset[int]:
        """The tokens that must stay."""
        ...

    @property
    def barred(self) -> frozenset[int]:
        """The tokens that must go."""
        ...

    @property
    def scores(self) -> Floats:
        """One score per cost, -inf if no version has it."""
        ...

    @property
    def may_go(self) -> bool:
        """Whether the whole sentence may be dropped where others stay."""
        ...

    @property
    def leans(self) -> bool:
        """Whether it says nothing without the sentence before it."""
        ...

    @property
    def fills(self) -> bool:
        """Whether versions use the room of a limit, whatever readers think of them."""
        ...

    def version(self, cost: int) -> Shortened:
        """Return the best version for a cost."""
        ...

    def whole(self) -> Shortened | None:
        """Return the version that keeps everything but what must go, if there is one."""
        ...


@dataclass(frozen=True)
class Unchanged:
    """A sentence that is left unchanged: it has no words, is no English prose, or an error says
    why.
    """

    sentence: Sentence
    scores: Floats
    why: DataError | Kind | None
    demanded: frozenset[int] = frozenset()
    barred: frozenset[int] = frozenset()
    may_go: bool = False
    leans: bool = False
    fills: bool = False

    @classmethod
    def of(cls, sentence: Sentence, limit: Limit, why: DataError | Kind | None = None) -> Unchanged:
        """Make the only version of a sentence."""
        scores = np.full(limit.cost_of_all(sentence) + 1, -np.inf)
        scores[-1] = 0.0
        return cls(sentence, scores, why)

    def version(self, cost: int) -> Shortened:
        """Return the sentence."""
        return self.whole()

    def whole(self) -> Shortened:
        """Return the sentence."""
        sentence = self.sentence
        return Shortened(
            sentence.detokenize(),
            ((sentence.start, sentence.end),),
            tuple(range(len(sentence.tokens))),
            None,
            0.0,
            1.0,
            sentence=sentence,
            error=self.why if isinstance(self.why, DataError) else None,
            left=self.why if isinstance(self.why, Kind) else None,
        )


@dataclass(frozen=True)
class Gone:
    """A sentence all of whose words must go."""

    sentence: Sentence
    tree: Tree
    scores: Floats
    barred: frozenset[int]
    demanded: frozenset[int] = frozenset()
    may_go: bool = False
    leans: bool = False
    fills: bool = False

    @classmethod
    def of(cls, sentence: Sentence, tree: Tree, barred: frozenset[int]) -> Gone:
        """Make the only version of a sentence: none of it."""
        return cls(sentence, tree, np.zeros(1), barred)

    def version(self, cost: int) -> Shortened:
        """Return nothing of the sentence."""
        return self.whole()

    def whole(self) -> Shortened:
        """Return nothing of the sentence."""
        return Shortened("", (), (), self.tree, 0.0, 1.0, sentence=self.sentence, dropped=True)


class Prunings:
    """The versions that a model's forest derives, without those that break a guard.

    The best version is the one that the objective says; `demanded` tokens stay and `barred` ones
    go.
    """

    def __init__(
        self,
        forest: AnyForest,
        tree: Tree,
        objective: Objective,
        *,
        demanded: frozenset[int],
        barred: frozenset[int],
    ) -> None:
        self.forest = forest
        self.tree = tree
        self.objective = objective
        self.demanded = demanded
        self.barred = barred
        self.sentence = objective.sentence
        self.limit = objective.limit
        self.search = objective.search(forest)
        self.scores = self.search.scores.copy()
        if self.limit.unit == "words":
            self.scores[0] = -math.inf

    @property
    def may_go(self) -> bool:
        """Whether all of it may be dropped where others stay: none of it is demanded."""
        needed = isinstance(self.sentence, BoundSentence) and self.sentence.needed
        return not self.demanded and not needed

    @property
    def leans(self) -> bool:
        """Whether it says nothing without the sentence before it: it begins with a pronoun."""
        return leans(self.objective.source)

    @property
    def fills(self) -> bool:
        """Whether versions use the room of a limit, whatever readers think of them."""
        return self.objective.fill

    @property
    def is_possible(self) -> bool:
        """Whether there is any version."""
        return bool(np.isfinite(self.scores).any())

    def version(self, cost: int) -> Shortened:
        """Return the best version for a cost."""
        return self._shortened(self._best(cost), partial(self.search.target, cost))

    def _best(self, cost: int) -> Version:
        return self._write(*self.search.kept(cost))

    def whole(self) -> Shortened | None:
        """Return the version that keeps everything, including marks, but what must go."""
        stays = frozenset(range(len(self.sentence.tokens))) - self.barred
        target = _held(self.forest, stays).best()
        return None if target is None else self._shortened(self.read(target), lambda: target)

    def _shortened(self, version: Version, derive: Callable[[], AnyTarget]) -> Shortened:
        return Shortened(
            version.text,
            version.spans,
            version.kept,
            version.source,
            version.score,
            version.acceptable,
            sentence=self.sentence,
            derive=derive,
        )

    def read(self, target: AnyTarget) -> Version:
        """Write a rewriting that the forest derives as text."""
        return self._write(target.positions, target.score)

    def _write(self, positions: tuple[int, ...], score: float) -> Version:
        """Write tokens as text; the tree reflects what tidying drops or restores."""
        held = self.demanded
        if isinstance(self.sentence, BoundSentence):
            positions = self.sentence.settled(positions, self.objective.source)
            held |= self.sentence.marks(positions)
        text, spans = cut(self.sentence, positions, held=held)
        kept = _within(self.sentence, spans)
        acceptable = self.objective.acceptable(kept)
        return Version(text, spans, kept, self.tree, score - self._total, acceptable)

    @cached_property
    def _total(self) -> float:
        """The log of the total weight of all admissible versions; 0 without probabilities."""
        if not self.objective.agree:
            return 0.0
        if isinstance(self.forest, CompressionForest):
            return self.forest.expectation[0]
        return log_partition(self.forest.forest, self.forest.weights)

    def alternatives(self, chosen: Version, number: int, room: int | None) -> tuple[Version, ...]:
        """Return the model's best versions besides the chosen one, most probable first.

        They have words and fit the available room. There may be fewer than requested: several
        versions may give the same text, after tidying or with one of two equal words. For a long
        sentence they are the best of their lengths.
        """
        if not number:
            return ()
        limit = room
        if room is not None and self.limit.unit != "words":
            limit = self._count(chosen)
        others: dict[str, Version] = {chosen.text: chosen}
        for version in self._ranked(2 * number + SPARE, limit, room):
            if any(map(is_word, version.text)) and self._fits(version, room):
                others.setdefault(version.text, version)
        return tuple(others.values())[1 : number + 1]

    def _ranked(self, number: int, limit: int | None, room: int | None) -> list[Version]:
        """Return good versions of at most `limit` words or, if long, of the costs within `room`."""
        states = self.forest.forest.num_edges * (1 if limit is None else limit)
        if isinstance(self.forest, DeletionForest) or states <= MOST_STATES:
            return [self.read(target) for target in self.forest.nbest(number, limit=limit)]
        # Characters are counted as if there were a space before the first.
        scores = self.scores if room is None else self.scores[: room + 2]
        costs = [n for n in (-scores).argsort(kind="stable").tolist() if scores[n] > -math.inf]
        versions = [self._best(cost) for cost in costs[:number]]
        within = [v for v in versions if limit is None or self._count(v) <= limit]
        return sorted(within, key=lambda version: -version.score)

    def _count(self, version: Version) -> int:
        return sum(is_word(self.sentence.words[place]) for place in version.kept)

    def _fits(self, version: Version, room: int | None) -> bool:
        if room is None or self.limit.unit == "words":
            return True
        return self.limit.measure(version.text) <= room


def _held(forest: AnyForest, tokens: frozenset[int]) -> AnyForest:
    """Leave out all ways to drop one of the tokens."""
    if isinstance(forest, CompressionForest):
        return hold(forest, ancestors(forest.source, tokens))
    return hold_tokens(forest, tokens)


def has_words(sentence: Sentence) -> bool:
    """Whether there is anything to shorten."""
    return sentence.num_words > 0


_start, _end = attrgetter("start"), attrgetter("end")


def _within(sentence: Sentence, spans: Sequence[Span]) -> tuple[int, ...]:
    """Return the positions of the tokens that lie in one of the spans."""
    kept: list[int] = []
    for start, end in sorted(spans):
        first = bisect_left(sentence.tokens, start, key=_start)
        kept.extend(range(first, bisect_right(sentence.tokens, end, first, key=_end)))
    return tuple(kept)

"""`tune`: decode, gather outputs, improve the weights, and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from treewright.arrays import Floats, Ints, Longs
from treewright.errors import UsageError
from treewright.forest import best_derivations
from treewright.learning.tuning.constraints import Constraints
from treewright.learning.tuning.spaces import Scorer, SearchGraph, Space, words_of
from treewright.progress import SILENT, Progress
from treewright.randomness import generator

Decode = Callable[[Floats], Iterable[SearchGraph]]
"""Decodes all sentences with given weights; the graphs come in order, one at a time if need be."""

_STILL = 1e-6


class Method(Protocol):
    """A way to improve weights: `Mert`, `Mira` or `Pro`."""

    def space(self, scorer: Scorer) -> Space:
        """Return where outputs are kept."""
        ...

    def improve(
        self, space: Space, weights: Floats, constraints: Constraints, rng: np.random.Generator
    ) -> Floats:
        """Return better weights for the outputs found so far."""
        ...


@dataclass(frozen=True)
class Round:
    """Weights that sentences were decoded with, and the scores that this gave."""

    weights: tuple[float, ...]
    score: float
    second_score: float | None = None
    predicted: float | None = None
    """The score that these weights had on the outputs known before."""

    @property
    def rank(self) -> float:
        """The score that rounds are compared by: on the second set, if there is one."""
        return self.score if self.second_score is None else self.second_score

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        found = {"weights": list(self.weights), "score": self.score}
        more = {"second_score": self.second_score, "predicted": self.predicted}
        return {**found, **{name: value for name, value in more.items() if value is not None}}


@dataclass(frozen=True)
class Tuned:
    """The weights of the best round, by the second set if there is one; and all rounds."""

    curve: tuple[Round, ...]
    best: int
    """Which round was best, from 0."""
    why: str
    """Why tuning stopped."""

    @property
    def weights(self) -> Floats:
        """The weights of the best round."""
        return np.array(self.curve[self.best].weights)


def tune(
    decode: Decode,
    scorer: Scorer,
    start: ArrayLike,
    *,
    method: Method,
    iterations: int = 12,
    seed: int = 0,
    second: tuple[Decode, Scorer] | None = None,
    patience: int = 3,
    signs: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
    report: Callable[[Round], None] | None = None,
    progress: Progress = SILENT,
) -> Tuned:
    """Improve weights up to `iterations` times, each time after decoding with the last ones.

    Weights are scaled, constrained and fixed as `Constraints` says. With a `second` set of
    sentences and their scorer, the best round is chosen by it, and tuning stops after `patience`
    rounds without a better one. It also stops when weights stand still or decoding finds nothing
    new. The same seed gives the same result. `report` is told about each round when it is over.
    """
    if iterations < 1 or patience < 1:
        raise UsageError("iterations and patience must be at least 1")
    weights = np.asarray(start, np.float64)
    constraints = Constraints.of(weights, signs, fixed)
    rng = generator(seed)
    space = method.space(scorer)
    raw, predicted = weights, None
    curve: list[Round] = []
    best, why = 0, f"all {iterations} iterations done"
    for iteration in range(iterations + 1):
        scaled = constraints.scale(raw)
        score = _decode(decode, scorer, scaled, space, progress, f"round {iteration}")
        other = None if second is None else _decode(*second, scaled, None, progress, "second set")
        curve.append(Round(tuple(scaled.tolist()), score, other, predicted))
        if curve[-1].rank > curve[best].rank:
            best = iteration
        progress.say(_describe(iteration, curve[-1]))
        if report is not None:
            report(curve[-1])
        if iteration == iterations:
            break
        if second is not None and iteration - best >= patience:
            why = f"the second set got no better for {patience} rounds"
            break
        if not space.settle():
            why = "decoding found nothing new"
            break
        raw = method.improve(space, raw, constraints, rng)
        if np.abs(constraints.scale(raw) - scaled).sum() < _STILL:
            why = "the weights stand still"
            break
        predicted = space.score(raw)
    return Tuned(tuple(curve), best, why)


def _decode(
    decode: Decode,
    scorer: Scorer,
    weights: Floats,
    space: Space | None,
    progress: Progress,
    about: str,
) -> float:
    """Decode all sentences, gather outputs in a space, and return the score of the best ones."""
    starts: list[Longs] = []
    words: list[Ints] = []
    for sentence, graph in enumerate(progress.track(decode(weights), about)):
        if graph.num_features != weights.size:
            raise ValueError(
                f"{weights.size} weights for {graph.num_features} features of sentence {sentence}"
            )
        listed = best_derivations(graph.forest, graph.scores(weights), 1)
        if not listed.scores.size:
            raise ValueError(f"the graph of sentence {sentence} has no derivation")
        start, own = words_of(graph, listed.start, listed.edges)
        starts.append(start)
        words.append(own)
        if space is not None:
            space.add(sentence, graph, weights)
    if not starts:
        raise UsageError("there are no sentences to tune on")
    ends = np.cumsum([0, *[start[-1] for start in starts]])
    rows = scorer.statistics(np.arange(len(starts)), ends, np.concatenate(words))
    return float(scorer.score(rows.sum(axis=0)))


def _describe(iteration: int, round_: Round) -> str:
    second = "" if round_.second_score is None else f", second set {round_.second_score:.2f}"
    predicted = "" if round_.predicted is None else f" (predicted {round_.predicted:.2f})"
    return f"tuning, round {iteration}: {round_.score:.2f}{predicted}{second}"

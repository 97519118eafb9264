"""A model's relation scores at many compression rates, each reached exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treewright.compression import AnyModel, Engine, Rewriter, engine_of
from treewright.corpora import Pair, count_words
from treewright.errors import DataError, Problems, UsageError
from treewright.evaluation import Evaluation, evaluate, evaluate_all, share_words
from treewright.progress import SILENT, Progress
from treewright.trees import Tree
from treewright.trees.relations import relations

RATES = tuple(round(0.05 * step, 2) for step in range(8, 19))
"""From 0.4 to 0.9: what people and systems do."""


@dataclass(frozen=True, eq=False)
class RateCurve:
    """How a model scores as decoded, at the rate of the references, and at other rates.

    A rate is what was asked for; outputs may miss it where nothing so short, or so long, can be
    derived, and their own `word_rate` says so.
    """

    name: str
    decoded: Evaluation
    gold: Evaluation
    at: Mapping[float, Evaluation]


def measure(
    model: AnyModel,
    pairs: Sequence[Pair],
    rates: Iterable[float] = RATES,
    *,
    name: str = "system",
    target: int | None = None,
    decode: str = "viterbi",
    problems: Problems | None = None,
    progress: Progress = SILENT,
) -> RateCurve:
    """Bring a model's outputs to each rate of the whole corpus, as `Budget(corpus_rate=…)` does.

    All rates share two passes over the forests. Sentences without any output count as missing and
    go to `problems`.
    """
    asked = sorted(set(rates))
    for rate in asked:
        if not 0.0 <= rate <= 1.0:
            raise UsageError(f"a rate lies between 0 and 1, not {rate}")
    if decode == "mpt":
        raise UsageError("curves of all lengths are read off for decode viterbi or mbr, not mpt")
    problems = problems or Problems(strict=True)
    rewriter = Rewriter(model=model, decode=decode)
    sources = [pair.source for pair in pairs]
    rewritings = rewriter(sources, problems=problems, progress=progress)
    best = [None if found.best is None else found.best.tree for found in rewritings]
    decoded = evaluate(best, pairs, name=name, target=target)
    rates = [min(1.0, decoded.score("gold_word_rate")), *asked]
    # Rewriting has reported what it cannot do; there is no need to hear of it twice.
    outputs = _outputs(rewriter, sources, rates, progress)
    # Many rates give a sentence the same output.
    gold, *others = evaluate_all(
        {str(number): trees for number, trees in enumerate(outputs)},
        pairs,
        target=target,
        relations=lru_cache(maxsize=1 << 10)(relations),
    )
    return RateCurve(name, decoded, gold, dict(zip(asked, others, strict=True)))


def _outputs(
    rewriter: Rewriter, sources: Sequence[Tree], rates: Sequence[float], progress: Progress
) -> list[list[Tree | None]]:
    """Return for each rate the outputs: first all curves are found, then each forest is read.

    Forests are made twice rather than kept: a curve is a few numbers, a forest is not.
    """
    engine = engine_of(rewriter.model)
    curves = [
        _curve(rewriter, engine, source) for source in progress.track(sources, "measuring lengths")
    ]
    lengths = [_share(sources, curves, rate) for rate in rates]
    outputs: list[list[Tree | None]] = [[] for _ in rates]
    for place, source in enumerate(progress.track(sources, "rewriting at each rate")):
        trees: dict[int, Tree | None] = {}
        if curves[place] is not None:
            forest = engine.forest(source)
            curve = rewriter.curve(forest)
            for length in {chosen[place] for chosen in lengths}:
                made = forest.target(curve.derivation(length))
                trees[length] = None if made is None else made.tree
        for trees_at_rate, chosen in zip(outputs, lengths, strict=True):
            trees_at_rate.append(trees.get(chosen[place]))
    return outputs


def _curve(rewriter: Rewriter, engine: Engine, source: Tree) -> NDArray[np.float64] | None:
    try:
        scores = rewriter.curve(engine.forest(source)).scores
    except DataError:
        return None
    return scores if np.isfinite(scores).any() else None


def _share(
    sources: Sequence[Tree], curves: Sequence[NDArray[np.float64] | None], rate: float
) -> list[int]:
    """Choose every sentence's length for one rate; those without a curve have no part in it."""
    able = [curve for curve in curves if curve is not None]
    words = sum(
        count_words(source)
        for source, curve in zip(sources, curves, strict=True)
        if curve is not None
    )
    total = round(rate * words)
    counts = iter(share_words(able, total).counts)
    return [-1 if curve is None else next(counts) for curve in curves]

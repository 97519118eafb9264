"""A model's relation scores at many compression rates, each reached exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from treewright.compression import AnyModel, Limit, Rewriter, gold_limit, score_rewriter
from treewright.corpora import Pair
from treewright.errors import Problems, UsageError
from treewright.evaluation import Evaluation, evaluate_all
from treewright.progress import SILENT, Progress
from treewright.trees.relations import relations

RATES = tuple(round(0.05 * step, 2) for step in range(8, 19))
"""From 0.4 to 0.9: what people and systems do."""


@dataclass(frozen=True, eq=False)
class RateCurve:
    """How a model scores as decoded, at the rate of the references, and at other rates.

    A rate is the one requested; outputs may miss it if nothing of that length can be derived, and
    their `word_rate` says so.
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
    """Bring a model's outputs to each rate of the whole corpus, as `Limit(rate=…)` does.

    Rates share two passes over the forests, unless the model prices by share. Sentences without any
    output count as missing and go to `problems`.
    """
    asked = sorted(set(rates))
    limits = [Limit(rate=rate) for rate in asked]
    if decode == "mpt":
        raise UsageError("rate curves need decode viterbi or mbr, not mpt")
    rewriter = Rewriter(model=model, decode=decode)
    decoded = score_rewriter(
        rewriter, pairs, name=name, target=target, problems=problems, progress=progress
    )
    # Rewriting has already reported what it cannot do.
    rows = rewriter.at_limits(
        [pair.source for pair in pairs],
        [gold_limit(decoded), *limits],
        problems=Problems(),
        progress=progress,
    )
    outputs = list(zip(*[[each.tree for each in row] for row in rows], strict=True))
    # Many rates give a sentence the same output.
    gold, *others = evaluate_all(
        {str(number): trees for number, trees in enumerate(outputs)},
        pairs,
        target=target,
        relations=lru_cache(maxsize=1 << 10)(relations),
    )
    return RateCurve(name, decoded, gold, dict(zip(asked, others, strict=True)))

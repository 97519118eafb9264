"""How well a model rewrites held-out pairs."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.compression.limits import UNLIMITED, Limit
from treewright.compression.models import AnyModel
from treewright.compression.rewriting import Rewriter
from treewright.corpora import Pair
from treewright.evaluation import Evaluation, evaluate

Scores = tuple[Evaluation, Evaluation]
"""As decoded, and at the gold rate."""


def score_model(
    model: AnyModel, pairs: Sequence[Pair], *, target: int | None = None, decode: str = "viterbi"
) -> Scores:
    """Evaluate a model on pairs, as decoded and with all outputs brought to the gold rate.

    `target` only goes into the signature: it is which of the corpus's targets the pairs hold.
    """

    def at(limit: Limit, name: str) -> Evaluation:
        rewriter = Rewriter(model=model, limit=limit, decode=decode)
        rewritings = rewriter(pair.source for pair in pairs)
        outputs = (r.best.tree if r.best is not None else None for r in rewritings)
        return evaluate(outputs, pairs, name=name, target=target)

    decoded = at(UNLIMITED, "as decoded")
    return decoded, at(gold_limit(decoded), "at the gold rate")


def gold_limit(evaluation: Evaluation) -> Limit:
    """Return the references' rate as a limit of the whole corpus, a word where they have none."""
    rate = min(1.0, evaluation.score("gold_word_rate"))
    return Limit(rate=rate) if rate > 0.0 else Limit(max_words=1)

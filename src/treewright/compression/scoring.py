"""How well a model rewrites held-out pairs."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.compression.budgets import Budget
from treewright.compression.models import AnyModel
from treewright.compression.rewriting import UNLIMITED, Rewriter
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

    def at(budget: Budget, name: str) -> Evaluation:
        rewriter = Rewriter(model=model, budget=budget, decode=decode)
        rewritings = rewriter(pair.source for pair in pairs)
        outputs = (r.best.tree if r.best is not None else None for r in rewritings)
        return evaluate(outputs, pairs, name=name, target=target)

    decoded = at(UNLIMITED, "as decoded")
    gold = Budget(corpus_rate=min(1.0, decoded.score("gold_word_rate")))
    return decoded, at(gold, "at the gold rate")

"""How well a model rewrites held-out pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treewright.compression.limits import Limit
from treewright.compression.models import AnyModel
from treewright.compression.rewriting import Rewriter
from treewright.corpora import Pair
from treewright.errors import Problems
from treewright.evaluation import Evaluation, evaluate
from treewright.progress import SILENT, Progress

Scores = tuple[Evaluation, Evaluation]
"""As decoded, and at the gold rate."""


def score_model(
    model: AnyModel, pairs: Sequence[Pair], *, target: int | None = None, decode: str = "viterbi"
) -> Scores:
    """Evaluate a model on pairs, as decoded and with all outputs brought to the gold rate.

    `target` only goes into the signature: it says which of the corpus's targets the pairs hold.
    """
    rewriter = Rewriter(model=model, decode=decode)
    decoded = score_rewriter(rewriter, pairs, name="as decoded", target=target)
    matched = replace(rewriter, limit=gold_limit(decoded))
    return decoded, score_rewriter(matched, pairs, name="at the gold rate", target=target)


def score_rewriter(
    rewriter: Rewriter,
    pairs: Sequence[Pair],
    *,
    name: str,
    target: int | None = None,
    problems: Problems | None = None,
    progress: Progress = SILENT,
) -> Evaluation:
    """Evaluate what becomes of the sources of pairs."""
    sources = [pair.source for pair in pairs]
    rewritings = rewriter(sources, problems=problems, progress=progress)
    return evaluate((each.tree for each in rewritings), pairs, name=name, target=target)


def gold_limit(evaluation: Evaluation) -> Limit:
    """Return the references' rate as a limit of the whole corpus, a word where they have none."""
    rate = min(1.0, evaluation.score("gold_word_rate"))
    return Limit(rate=rate) if rate > 0.0 else Limit(max_words=1)

"""`treewright demo`: learn from the sample corpus and shorten sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.cli import console

if TYPE_CHECKING:
    from treewright.compression import AnyTarget
    from treewright.trees import Tree


def demo() -> None:
    """Learn from a small sample corpus and shorten sentences it has not seen."""
    from treewright.alignment import align_pair
    from treewright.compression import Rewriter, score_model
    from treewright.corpora import read_pairs
    from treewright.data import sample_path
    from treewright.evaluation import score_table
    from treewright.learning import EM

    bars = console.progress()
    pairs = [align_pair(pair) for pair in read_pairs(sample_path("train"))]
    unseen = list(read_pairs(sample_path("test")))
    model = EM(kappa=20.0).fit(pairs, progress=bars).model_
    console.put(f"Learned {len(model.grammar)} rules from {len(pairs)} pairs of trees.")
    console.put(
        "Sentences it has not seen (-), shortened (+), and the rules behind the deletions:\n"
    )
    for rewriting in Rewriter(model=model)(pair.source for pair in unseen):
        if rewriting.source is not None and rewriting.best is not None:
            _show(rewriting.source, rewriting.best)
    scores = score_model(model, unseen, target=0)
    console.put_table(score_table(scores, title="sample test pairs"))


def _show(source: Tree, target: AnyTarget) -> None:
    """Print a sentence with deleted words struck out, the shorter one, and why."""
    from rich.console import Console
    from rich.text import Text

    from treewright.grammar import UNLINKED

    kept = set(target.positions)
    before = [
        Text(word, style="" if position in kept else "red strike")
        for position, word in enumerate(source.words())
    ]
    out = Console(highlight=False)
    out.print(Text(" ").join([Text("-"), *before]), soft_wrap=True)
    out.print(Text(" ".join(["+", *target.tree.words()])), soft_wrap=True)
    for rule in target.rules:
        if rule.is_compression and UNLINKED in rule.links:
            out.print(Text(f"    {rule}", style="dim"), soft_wrap=True)
    out.print()

"""`treewright demo`: the main job on the sample corpus that ships with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.cli import console

if TYPE_CHECKING:
    from treewright.grammar import Rule
    from treewright.transduction import Target
    from treewright.trees import Tree


def demo() -> None:
    """Learn from a small sample corpus and shorten sentences it has not seen."""
    from rich.console import Console

    from treewright.alignment import align_pair
    from treewright.compression import Rewriter, score_model
    from treewright.corpora import read_pairs
    from treewright.data import sample_path
    from treewright.evaluation import score_table
    from treewright.learning import EM

    bars = console.progress()
    bars.say("Compiling kernels on the first run takes up to a minute; later runs start at once.")
    pairs = [align_pair(pair) for pair in read_pairs(sample_path("train"))]
    unseen = list(read_pairs(sample_path("test")))
    model = EM(kappa=20.0).fit(pairs, progress=bars).model_
    out = Console(highlight=False)
    out.print(f"Learned {len(model.grammar)} rules from {len(pairs)} pairs of trees.\n")
    for rewriting in Rewriter(model=model)(pair.source for pair in unseen):
        if rewriting.source is not None and rewriting.best is not None:
            out.print(_difference(rewriting.source, rewriting.best))
            for rule in rewriting.best.rules:
                if _tells(rule):
                    out.print(f"    {rule}", style="dim", markup=False)
    out.print()
    console.put_table(score_table(score_model(model, unseen), title="sample test pairs"))


def _tells(rule: Rule) -> bool:
    """Whether a rule keeps one part of a sentence and drops another: the reason for a change."""
    from treewright.grammar import UNLINKED

    return rule.source is not None and rule.target is not None and UNLINKED in rule.links


def _difference(source: Tree, target: Target) -> str:
    """Return the source sentence with deleted words struck out."""
    kept = set(target.positions)
    return " ".join(
        word if position in kept else f"[red strike]{word}[/]"
        for position, word in enumerate(source.words())
    )

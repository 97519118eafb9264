"""`treewright evaluate`: score outputs against the targets of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.errors import choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treewright.corpora import Pair
    from treewright.evaluation import Evaluation
    from treewright.trees import Tree


def evaluate(
    system: Annotated[str, typer.Argument(metavar="SYSTEM.trees", help="One tree a line.")],
    pairs: options.Pairs,
    target: options.Target = 0,
    against: Annotated[
        str | None, typer.Option(metavar="OTHER.trees", help="A second system to compare with.")
    ] = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Add copy-all, first words and the ceiling.")
    ] = False,
    test: Annotated[
        str, typer.Option(help="Significance test with --against: bootstrap or randomisation.")
    ] = "bootstrap",
    samples: Annotated[int, typer.Option(min=1, help="Samples of the test.")] = 10_000,
    seed: options.Seed = 0,
    per_sentence: Annotated[
        bool, typer.Option("--per-sentence", help="Also print a JSON object a sentence.")
    ] = False,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Score a system's trees: relational precision, recall and F1, token F1, rates.

    Relations ignore punctuation and favour long outputs: compare systems at the same word rate.
    """
    from treewright.corpora import read_pairs
    from treewright.evaluation import TESTS, evaluate_all, score_table
    from treewright.trees import read_tree_lines

    compare = TESTS[choose(test, TESTS, "test")]
    problems = console.collect(strict)
    gold = list(read_pairs(pairs, target=target))
    systems: dict[str, list[Tree | None]] = {
        name: list(read_tree_lines(name, problems=problems))
        for name in (system, against)
        if name is not None
    }
    if baselines:
        systems.update(_baselines(gold))
    evaluations = evaluate_all(systems, gold, target=target)
    comparison = None
    if against is not None:
        comparison = compare(*evaluations[:2], samples=samples, seed=seed).as_dict()
    if per_sentence:
        for row in evaluations[0].rows():
            console.put_json(row)
    if json:
        console.put_json(_report(evaluations, comparison))
    else:
        console.put_table(score_table(evaluations))
        if comparison is not None:
            console.put_json(comparison)
    console.conclude(problems, "trees")


def _baselines(gold: Sequence[Pair]) -> dict[str, list[Tree | None]]:
    """Return what every report should stand beside, the first words at the gold rate."""
    from treewright.alignment import align_pair
    from treewright.corpora import count_words
    from treewright.evaluation import ceiling, copy_all, first_words_at

    words = sum(count_words(pair.source) for pair in gold)
    rate = sum(count_words(pair.target) for pair in gold) / words if words else 0.0
    return {
        "copy all": list(copy_all(gold)),
        "first words": list(first_words_at(gold, rate)),
        "ceiling": list(ceiling([align_pair(pair) for pair in gold])),
    }


def _report(evaluations: Sequence[Evaluation], comparison: dict[str, Any] | None) -> dict[str, Any]:
    """Return the first system's scores on top, the others and the test beside them."""
    report = evaluations[0].as_dict()
    if len(evaluations) > 1:
        report["others"] = [evaluation.as_dict() for evaluation in evaluations[1:]]
    if comparison is not None:
        report["comparison"] = comparison
    return report

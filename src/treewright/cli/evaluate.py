"""`treewright evaluate`: score outputs against the targets of a corpus, and paraphrases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.groups import group_with_default
from treewright.cli.options import optional
from treewright.errors import UsageError, choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treewright.corpora import Pair
    from treewright.evaluation import Comparison, Evaluation
    from treewright.evaluation.paraphrases import ParaphraseScores
    from treewright.trees import Tree


def evaluate(
    system: Annotated[str, typer.Argument(metavar="SYSTEM.trees", help="One tree per line.")],
    pairs: options.Pairs,
    target: options.Target = 0,
    against: Annotated[
        str | None, optional("OTHER.trees", "Another system to compare with.")
    ] = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Add copy-all, first words and the ceiling.")
    ] = False,
    test: options.Test = "bootstrap",
    samples: options.Samples = 10_000,
    seed: options.Seed = 0,
    per_sentence: Annotated[
        bool, typer.Option("--per-sentence", help="Also print one JSON object per sentence.")
    ] = False,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Score a system's trees: relational precision, recall and F1, token F1, rates.

    Relations ignore punctuation and favour long outputs: compare systems at the same word rate.
    """
    from treewright.evaluation import TESTS, evaluate_all, score_table
    from treewright.trees import read_tree_lines

    console.check_stdin(system, pairs, against)
    if system == against:
        raise UsageError(f"--against {against} is the same file; name another system")
    compare = TESTS[choose(test, TESTS, "test")]
    problems = console.collect(strict)
    places = console.pairs_in_place(pairs, target, problems)
    gold = [pair for pair in places if pair is not None]
    systems: dict[str, list[Tree | None]] = {
        name: _beside_good_pairs(list(read_tree_lines(name, problems=problems)), places)
        for name in (system, against)
        if name is not None
    }
    if baselines:
        systems.update(_baselines(gold))
    evaluations = evaluate_all(systems, gold, target=target)
    comparison = None
    if against is not None:
        comparison = compare(*evaluations[:2], samples=samples, seed=seed)
    if per_sentence:
        for row in evaluations[0].rows():
            console.put_json(row)
    if json:
        console.put_json(_report(evaluations, comparison))
    else:
        console.put_table(score_table(evaluations))
        if comparison is not None:
            console.put(comparison.sentence("RelF1", f"{100 * comparison.difference:+.1f}"))
    console.conclude(problems, "lines")


def _beside_good_pairs(
    outputs: list[Tree | None], places: Sequence[Pair | None]
) -> list[Tree | None]:
    """Leave out the outputs for bad pairs; any after the last pair stay, to be reported."""
    beside = [tree for tree, pair in zip(outputs, places, strict=False) if pair is not None]
    return beside + outputs[len(places) :]


def _baselines(gold: Sequence[Pair]) -> dict[str, list[Tree | None]]:
    """Return the baselines, with the first words at the gold rate."""
    from treewright.corpora import count_words
    from treewright.evaluation import ceiling, copy_all, first_words_at

    words = sum(count_words(pair.source) for pair in gold)
    rate = min(1.0, sum(count_words(pair.target_words) for pair in gold) / max(1, words))
    return {
        "copy all": list(copy_all(gold)),
        "first words": list(first_words_at(gold, rate)),
        "ceiling": list(ceiling(gold)),
    }


def _report(evaluations: Sequence[Evaluation], comparison: Comparison | None) -> dict[str, Any]:
    """Return the first system's scores at the top, with the others and the test beside them."""
    report = evaluations[0].as_dict()
    if len(evaluations) > 1:
        report["others"] = [evaluation.as_dict() for evaluation in evaluations[1:]]
    if comparison is not None:
        report["comparison"] = comparison.as_dict()
    return report


app = group_with_default(evaluate, {"translation": "treewright.cli.evaluate_translation"})


@app.command()
def paraphrases(
    output: Annotated[
        str, typer.Argument(metavar="OUTPUT.jsonl", help="As of paraphrase apply; - is stdin.")
    ],
    gold: Annotated[
        str | None, optional("FOLDER", "Has phrases.PART.jsonl, gold.PART.json and verb-forms.tsv.")
    ] = None,
    part: Annotated[str, typer.Option(help="Which part of the gold.")] = "dev",
    without: Annotated[
        list[str] | None, optional("SOURCE", "Leave out what only this source says. Repeat.")
    ] = None,
    judgements: Annotated[
        str | None, optional("FILE.jsonl", "What people judged, instead of --gold.")
    ] = None,
    phrases: Annotated[str | None, optional("FILE", "The phrases to be covered.")] = None,
    json: options.Json = False,
) -> None:
    """Score paraphrases: coverage, and expected precision at 1, 5 and 10, lenient (the meaning is
    the same) and strict (and the grammar, too), with and without (nr) those that repeat the verb.
    """
    from treewright.evaluation.paraphrases import (
        read_gold,
        read_judgements,
        read_paraphrases,
        read_phrases,
        score_paraphrases,
    )

    if (gold is None) == (judgements is None):
        raise UsageError("either --gold FOLDER or --judgements FILE says what is right")
    if gold is not None:
        folder = Path(gold)
        judge: Any = read_gold(
            folder / f"gold.{part}.json", folder / "verb-forms.tsv", without or ()
        )
        phrases = phrases or str(folder / f"phrases.{part}.jsonl")
    else:
        judge = read_judgements(judgements or "")
    ranked = read_paraphrases(output)
    wanted = list(ranked) if phrases is None else read_phrases(phrases)
    scores = score_paraphrases(ranked, wanted, judge)
    if json:
        console.put_json(scores.to_dict())
    else:
        console.put_table(_table(scores))


def _table(scores: ParaphraseScores) -> Any:
    from rich.table import Table

    from treewright.evaluation.paraphrases import DEPTHS

    title = (
        f"{scores.phrases} phrases, coverage {scores.coverage:.3f}, {scores.items} items, "
        f"{scores.redundancy:.3f} redundant"
    )
    table = Table(title=title, box=None, pad_edge=False, title_justify="left", title_style="")
    table.add_column("")
    for over in ("", " of all"):
        for k in DEPTHS:
            table.add_column(f"P@{k}{over}", justify="right")
    for measure in ("lenient", "strict", "lenient_nr", "strict_nr"):
        figures = [
            f"{scores.precision(measure, k, over_all=over_all):.3f}"
            for over_all in (False, True)
            for k in DEPTHS
        ]
        table.add_row(measure.replace("_", " "), *figures)
    return table

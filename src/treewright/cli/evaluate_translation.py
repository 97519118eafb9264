"""`treewright evaluate translation`: score translations against one or more references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import DataError, UsageError, choose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from treewright.evaluation import Comparison
    from treewright.evaluation.translation import TranslationEvaluation

Interval = tuple[float, float]

_TITLES = {"bleu": "BLEU", "chrf": "chrF2", "ter": "TER"}


def translation(
    system: Annotated[str, typer.Argument(metavar="HYP", help="One translation per line.")],
    references: Annotated[list[str], typer.Argument(metavar="REF", help="Its references.")],
    against: Annotated[str | None, optional("HYP2", "Another system to compare with.")] = None,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore case.")] = False,
    tokenize: Annotated[
        str, typer.Option(help="BLEU's tokens: none (split at spaces), 13a, intl, zh or char.")
    ] = "none",
    test: options.Test = "bootstrap",
    samples: options.Samples = 1000,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Score translations by BLEU, chrF and TER, as sacrebleu does, with 95 % intervals.

    All files have the same number of lines; an empty one is an empty translation. The lower TER,
    the better.
    """
    from treewright.evaluation import TESTS, bootstrap_interval
    from treewright.evaluation.translation import evaluate_translation, translation_metrics

    console.check_stdin(system, against, *references)
    if system == against:
        raise UsageError(f"--against {against} is the same file; name another system")
    compare = TESTS[choose(test, TESTS, "test")]
    metrics = translation_metrics(lowercase=lowercase, tokenize=tokenize)
    texts = _read([*references, system, *([] if against is None else [against])])
    evaluations = [
        evaluate_translation(texts[name], [texts[ref] for ref in references], metrics, name=name)
        for name in (system, against)
        if name is not None
    ]
    intervals = [
        {name: bootstrap_interval(each, name, samples=samples, seed=seed) for name in metrics}
        for each in evaluations
    ]
    comparisons: list[Comparison] = []
    if len(evaluations) > 1:
        first, second = evaluations
        comparisons = [
            compare(first, second, metric=name, samples=samples, seed=seed) for name in metrics
        ]
    if json:
        console.put_json(_report(evaluations, intervals, comparisons))
    else:
        console.put_table(_table(evaluations, intervals))
        for each in comparisons:
            console.put(each.sentence(_TITLES[each.metric], f"{each.difference:+.2f}"))


def _read(paths: Sequence[str]) -> dict[str, list[str]]:
    """Return the lines of each file, all as many."""
    from treewright.corpora import read_plain

    texts = {path: [text for _, text in read_plain(path)] for path in paths}
    count = len(texts[paths[0]])
    for path, lines in texts.items():
        if not lines:
            raise DataError("it is empty; one line for each sentence expected", where=path)
        if len(lines) != count:
            raise DataError(
                f"it has {len(lines)} lines, but {paths[0]} has {count}; give one line for each "
                "sentence, in order, and an empty line for a missing one",
                where=path,
            )
    return texts


def _table(
    evaluations: Sequence[TranslationEvaluation], intervals: Sequence[Mapping[str, Interval]]
) -> Table:
    from rich.table import Table

    signatures = [f"{name}: {text}" for name, text in evaluations[0].signatures.items()]
    table = Table(caption="\n".join([*signatures, evaluations[0].signature]))
    table.add_column("System")
    for heading in [*_TITLES.values(), "Words", "n"]:
        table.add_column(heading, justify="right")
    for evaluation, bounds in zip(evaluations, intervals, strict=True):
        cells = [
            f"{evaluation.score(name):.1f} ({bounds[name][0]:.1f} to {bounds[name][1]:.1f})"
            for name in _TITLES
        ]
        sums = evaluation.tables["bleu"].sum(axis=0)
        ratio = f"{100 * sums[0] / sums[1]:.1f} %" if sums[1] else "-"
        table.add_row(evaluation.name, *cells, ratio, str(evaluation.sentences))
    return table


def _report(
    evaluations: Sequence[TranslationEvaluation],
    intervals: Sequence[Mapping[str, Interval]],
    comparisons: Sequence[Comparison],
) -> dict[str, Any]:
    """Return the first system's scores at the top, with the other and the tests beside them."""
    reports: list[dict[str, Any]] = [
        {**evaluation.as_dict(), "intervals": dict(bounds)}
        for evaluation, bounds in zip(evaluations, intervals, strict=True)
    ]
    report = reports[0]
    if comparisons:
        report["others"] = reports[1:]
        report["comparisons"] = {each.metric: each.as_dict() for each in comparisons}
    return report

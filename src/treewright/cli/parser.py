"""`treewright parser`: train parsers, label text with a teacher, evaluate."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.groups import lazy
from treewright.cli.options import optional
from treewright.errors import DataError, Problems, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treewright.parsing.scoring import BracketScores, Speed
    from treewright.trees import Tree

_TRAINING = dict.fromkeys(("train", "label", "average"), "treewright.cli.parser_train")

app = typer.Typer(help="Train and evaluate parsers.", no_args_is_help=True, cls=lazy(_TRAINING))


@app.command()
def evaluate(
    gold: Annotated[
        str, typer.Argument(metavar="GOLD.mrg", help="A treebank in Penn brackets; - is stdin.")
    ],
    parser: Annotated[
        str | None, optional("SPEC", "Which parser, NAME or NAME=VALUE.", "embedded")
    ] = None,
    guessed: Annotated[str | None, optional("TREES", "Score these trees; parse nothing.")] = None,
    treebank: Annotated[
        str | None, optional("NAME", "Style of trees of the embedded parser.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Use only the first N sentences.")
    ] = None,
    errors: Annotated[
        bool, typer.Option("--errors", help="Add scores by label, and mistakes by kind.")
    ] = False,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Score a parser by evalb's conventions: labelled brackets, crossing ones, tags; and its speed.

    The parser gets the words of the gold trees and predicts the tags. Traces and function tags
    do not count; the gold tags say what is punctuation, which does not count either.
    """
    from treewright.parsing import read_treebank
    from treewright.parsing.scoring import score_brackets

    if guessed is not None and (parser is not None or treebank is not None):
        raise UsageError("--guessed has its trees already; leave --parser and --treebank out")
    console.check_stdin(gold, guessed)
    problems = console.collect(strict)
    trees = list(islice(read_treebank(gold, problems=problems), limit))
    if not trees:
        raise DataError("no trees to score against", where=gold)
    if guessed is None:
        outputs, speed = _parse(parser or "embedded", treebank, trees, problems)
    else:
        outputs, speed = _read(guessed, limit, problems), None
    scores = score_brackets(trees, outputs)
    if json:
        console.put_json(_report(scores, speed, errors))
    else:
        _put_tables(scores, speed, errors)
    console.conclude(problems, "trees")


def _parse(
    spec: str, treebank: str | None, trees: Sequence[Tree], problems: Problems
) -> tuple[list[Tree | None], Speed]:
    from treewright.parsing import open_parser
    from treewright.parsing.scoring import WARM_UP, parse_timed

    opened = open_parser(spec, treebank=treebank)
    sentences = [tree.words() for tree in trees]
    # Trees of a file are returned in order, so none may be requested twice.
    warm_up = 0 if spec.startswith("file=") else WARM_UP
    results, speed = parse_timed(opened, sentences, warm_up=warm_up, progress=console.progress())
    return _good(results, problems), speed


def _read(path: str, limit: int | None, problems: Problems) -> list[Tree | None]:
    """Read predicted trees, `None` for each bad one, to preserve positions."""
    from treewright.trees import scan_trees

    return _good((item.tree for item in islice(scan_trees(path), limit)), problems)


def _good(results: Iterable[Tree | DataError], problems: Problems) -> list[Tree | None]:
    trees: list[Tree | None] = []
    for result in results:
        if isinstance(result, DataError):
            problems.add(result)
        trees.append(None if isinstance(result, DataError) else result)
    return trees


def _report(scores: BracketScores, speed: Speed | None, errors: bool) -> dict[str, Any]:
    from treewright.parsing.scoring import SHORT

    report: dict[str, Any] = scores.as_dict()
    report[f"up_to_{SHORT}"] = scores.up_to(SHORT).as_dict()
    if speed is not None:
        report["speed"] = speed.as_dict()
    if errors:
        report["labels"] = {name: one.as_dict() for name, one in scores.labels().items()}
        report["errors"] = {
            kind: {"missing": missing, "extra": extra}
            for kind, (missing, extra) in scores.errors().items()
        }
    return report


def _put_tables(scores: BracketScores, speed: Speed | None, errors: bool) -> None:
    from treewright.parsing.scoring import error_table, label_table, score_table

    console.put_table(score_table(scores))
    if speed is not None:
        console.put(
            f"{speed.sentences_per_second:.1f} sentences/s, {speed.tokens_per_second:.0f} tokens/s "
            f"({speed.sentences} sentences in {speed.seconds:.1f} s after a warm-up)"
        )
    if errors:
        console.put_table(label_table(scores))
        console.put_table(error_table(scores))

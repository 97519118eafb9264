"""`treewright translate`: one sentence a line in, its translation out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.errors import DataError, Problems, UsageError

if TYPE_CHECKING:
    from treewright.translation import Fixed, Input, PhraseModel, Translation

    Split = Callable[..., tuple[Sequence[str], tuple[Fixed, ...]]]
    Join = Callable[[Sequence[str]], str]

_LIMIT = "0: no limit."


def translate(
    model: options.ModelFile,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Sentences, one a line; - is stdin.")
    ] = "-",
    nbest: Annotated[
        int, typer.Option(min=1, metavar="K", help="Up to K translations of each sentence.")
    ] = 1,
    json: options.Json = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the phrases, their features and their order.")
    ] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="Plain text in and out, tokenised as the model says.")
    ] = False,
    xml: Annotated[
        bool,
        typer.Option("--xml", help='Obey <fix translation="…">words</fix> in the input.'),
    ] = False,
    stack: Annotated[
        int | None, typer.Option(min=0, metavar="N", help=f"Hypotheses in a stack. {_LIMIT}")
    ] = None,
    pops: Annotated[
        int | None, typer.Option(min=0, metavar="N", help=f"Steps to fill a stack. {_LIMIT}")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(min=0, metavar="X", help="Drop what scores worse than the best by X."),
    ] = None,
    distortion: Annotated[
        int | None, typer.Option(min=-1, metavar="N", help="Longest jump in words; -1: any.")
    ] = None,
    unknown: Annotated[
        str | None, typer.Option(help="Words that the model does not know: copy or drop.")
    ] = None,
    monotone_at_punctuation: Annotated[
        bool | None,
        typer.Option("--monotone-at-punctuation", help="Never move words across punctuation."),
    ] = None,
    mbr: Annotated[
        int,
        typer.Option(
            min=0, metavar="K", help="Choose by minimum Bayes risk among the K best. 0: do not."
        ),
    ] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Threads.")] = 1,
    strict: options.Strict = False,
) -> None:
    """Translate sentences, one a line; one line out for each, in order.

    A line that cannot be translated is reported and gives an empty line, and the exit status is 1.
    """
    from treewright.translation import PhraseModel, Translator, by_risk

    console.check_stdin(model, file)
    if explain and json:
        raise UsageError("--explain is for people and --json for programs; give one of them")
    loaded = PhraseModel.load(model)
    asked = console.given(
        stack=stack,
        pops=pops,
        threshold=threshold,
        distortion=distortion,
        unknown=unknown,
        monotone_at_punctuation=monotone_at_punctuation,
    )
    translator = Translator(loaded, replace(loaded.search, **asked))
    problems = console.collect(strict)
    split, join = _words(loaded, raw=raw, xml=xml)
    inputs = _inputs(file, split, problems)
    wanted = max(nbest, mbr)
    for given, found in translator.stream(inputs, nbest=wanted, jobs=jobs, problems=problems):
        ranked = by_risk(found) if mbr else found
        best = ranked[:nbest]
        if json:
            console.put_json(_as_dict(given, best, join))
        elif explain:
            console.put(_explanation(given, best, loaded))
        else:
            _put(best, nbest, join)
    if console.conclude(problems, "lines"):
        raise typer.Exit(1)


def _words(model: PhraseModel, *, raw: bool, xml: bool) -> tuple[Split, Join]:
    """Return how lines become words and fixed spans, and how words become lines."""
    from treewright.text import word_tokenizer
    from treewright.translation import parse_marked

    if raw and xml:
        raise UsageError("--xml marks words, so its input must be tokenised: leave --raw out")
    if xml:
        return parse_marked, " ".join
    if not raw:
        return lambda line, **_: (line.split(), ()), " ".join
    source, target = map(word_tokenizer, model.languages)
    return lambda line, **_: (source.tokenize(line), ()), target.detokenize


def _inputs(file: str, split: Split, problems: Problems) -> Iterator[Input]:
    """Yield the sentences of a file, an empty one in place of a bad line."""
    from treewright.corpora import scan_plain
    from treewright.translation import Input

    for where, line in scan_plain(file):
        words: Sequence[str] = ()
        fixed: tuple[Fixed, ...] = ()
        try:
            if isinstance(line, DataError):
                raise line
            words, fixed = split(line, where=where)
        except DataError as error:
            problems.add(error)
        yield Input(tuple(words), fixed, where)


def _put(best: Sequence[Translation], nbest: int, join: Join) -> None:
    for translation in best or (None,):
        console.put("" if translation is None else join(translation.words))
    if nbest > 1:
        console.put("")


def _as_dict(given: Input, best: Sequence[Translation], join: Join) -> dict[str, Any]:
    return {
        "source": list(given.words),
        "translation": join(best[0].words) if best else "",
        "nbest": [_translation(translation, join) for translation in best],
    }


def _translation(translation: Translation, join: Join) -> dict[str, Any]:
    return {
        "translation": join(translation.words),
        "words": list(translation.words),
        "score": translation.score,
        "features": dict(translation.features),
        "phrases": [
            {
                "source": [step.start, step.end],
                "target": list(step.words),
                "origin": step.origin,
                "order": step.way,
                "links": [list(link) for link in step.links],
                "features": {name: value for name, value in step.features.items() if value},
            }
            for step in translation.steps
        ],
    }


def _explanation(given: Input, best: Sequence[Translation], model: PhraseModel) -> str:
    """Show phrases in the order of the target, then what each feature adds to the score."""
    lines = [f"source       {' '.join(given.words)}"]
    weights = model.features.named(model.weights)
    for translation in best:
        lines.append(f"translation  {' '.join(translation.words)}")
        rows = [
            (
                f"{step.start}-{step.end - 1}",
                " ".join(given.words[step.start : step.end]),
                " ".join(step.words) or "(nothing)",
                step.way if step.origin == "table" else f"{step.way}, {step.origin}",
                "  ".join(f"{name} {value:.2f}" for name, value in step.features.items() if value),
            )
            for step in translation.steps
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append(f"  {cells[0]}  {cells[1]} → {cells[2]}  {cells[3]}  {cells[4]}".rstrip())
        parts = [
            f"{name} {value:.2f} × {weights[name]:.3f}"
            for name, value in translation.features.items()
            if value
        ]
        lines.append(f"  score {translation.score:.3f} = {' + '.join(parts)}")
    return "\n".join([*lines, ""])

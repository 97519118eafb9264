"""`treewright translate`: one sentence a line in, its translation out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.cli.translations import as_dict, explanation
from treewright.errors import DataError, Problems, UsageError

if TYPE_CHECKING:
    from treewright.translation import Fixed, Input, Translation

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
        bool, typer.Option("--explain", help="Show the phrases or rules, and their features.")
    ] = False,
    picture: Annotated[
        str | None, optional("SVG", "Also draw the phrases, skeletons marked, in this file.")
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Plain text in and out, tokenised as the model says.")
    ] = False,
    xml: Annotated[
        bool,
        typer.Option("--xml", help='Obey <fix translation="…">words</fix> in the input.'),
    ] = False,
    trees: Annotated[
        str | None, optional("FILE", "The sentences' trees, a line for each, instead of parsing.")
    ] = None,
    skeletons: Annotated[
        str | None, optional("FILE", "The sentences' skeletons, instead of finding them.")
    ] = None,
    parser: Annotated[
        str | None, optional("NAME", "Parse with this, not with the model's own parser.")
    ] = None,
    beam: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help=f"States kept per node (rules). {_LIMIT}"),
    ] = None,
    stack: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help=f"Hypotheses in a stack (phrases). {_LIMIT}"),
    ] = None,
    pops: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help=f"Steps to fill a stack or a node. {_LIMIT}"),
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
    jobs: options.Threads = 1,
    strict: options.Strict = False,
) -> None:
    """Translate sentences, one a line; one line out for each, in order.

    A line that cannot be translated is reported and gives an empty line, and the exit status is 1.
    A model of rules parses the sentences, or takes their trees; with several trees on a line, it
    chooses among them.
    """
    from treewright.files import atomic_write
    from treewright.translation import by_risk, draw_translations, open_translator

    console.check_stdin(model, trees or file, skeletons)
    if picture is not None:
        console.check_outputs([model, file, trees, skeletons], [picture])
        if picture == "-":
            raise UsageError("--picture: give a file; standard output has the translations")
    if explain and json:
        raise UsageError("--explain is for people and --json for programs; give one of them")
    asked = console.given(
        beam=beam,
        stack=stack,
        pops=pops,
        threshold=threshold,
        distortion=distortion,
        unknown=unknown,
        monotone_at_punctuation=monotone_at_punctuation,
    )
    if trees is not None and parser is not None:
        raise UsageError("--trees needs no parser; leave --parser out")
    translator = open_translator(model, asked, parser=parser)
    loaded = translator.model
    if xml and not translator.takes_fixed:
        raise UsageError(f"--xml: {model} is a model of rules, which cannot fix translations")
    problems = console.collect(strict)
    join: Join = _joined
    if trees is not None:
        if raw or xml or file != "-":
            raise UsageError("--trees replaces the sentences; leave FILE, --raw and --xml out")
        inputs = _tree_inputs(trees, problems)
    else:
        split, join = _words(loaded.languages, raw=raw, xml=xml)
        inputs = _inputs(file, split, problems)
    if skeletons is not None:
        inputs = _outlined(inputs, skeletons, problems)
    if picture is not None and not translator.takes_fixed:
        raise UsageError(f"--picture draws phrases; {model} is a model of rules")
    wanted = max(nbest, mbr)
    drawn: list[tuple[Input, Translation]] = []
    for given, found in translator.stream(inputs, nbest=wanted, jobs=jobs, problems=problems):
        ranked = by_risk(found) if mbr else found
        best = ranked[:nbest]
        if picture is not None:
            drawn += [(given, each) for each in best]
        if json:
            console.put_json(as_dict(given, best, join))
        elif explain:
            console.put(explanation(given, best, loaded.features.named(loaded.weights)))
        else:
            _put(best, nbest, join)
    if picture is not None:
        weights = loaded.features.named(loaded.weights)
        with atomic_write(picture) as handle:
            handle.write(draw_translations(drawn, weights))
    console.finish(problems, "lines")


def _joined(words: Sequence[str]) -> str:
    return " ".join(words)


def _words(languages: tuple[str, str], *, raw: bool, xml: bool) -> tuple[Split, Join]:
    """Return how lines become words and fixed spans, and how words become lines."""
    from treewright.text import word_tokenizer
    from treewright.translation import parse_marked

    if raw and xml:
        raise UsageError("--xml marks words, so its input must be tokenised: leave --raw out")
    if xml:
        return parse_marked, _joined
    if not raw:
        return lambda line, **_: (line.split(), ()), _joined
    source, target = map(word_tokenizer, languages)
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


def _outlined(inputs: Iterator[Input], path: str, problems: Problems) -> Iterator[Input]:
    """Yield sentences with their skeletons, an empty sentence in place of a bad skeleton."""
    from treewright.corpora import scan_plain
    from treewright.translation import Input, parse_skeletons

    for given, scanned in zip_longest(inputs, scan_plain(path)):
        if given is None or scanned is None:
            longer = "the text ends before it" if given is None else "it ends before the text"
            raise DataError(f"{longer}; expected a line for each sentence", where=path)
        where, line = scanned
        try:
            if isinstance(line, DataError):
                raise line
            found = parse_skeletons(line, len(given.words), where=where) if given.words else ()
            yield replace(given, skeletons=tuple(found))
        except DataError as error:
            problems.add(error)
            yield Input((), (), given.where)


def _tree_inputs(path: str, problems: Problems) -> Iterator[Input]:
    """Yield the sentences of a file of trees, an empty one in place of a bad line."""
    from treewright.translation import Input, scan_line_trees

    for where, trees in scan_line_trees(path):
        if isinstance(trees, DataError):
            problems.add(trees)
            yield Input((), (), where)
        else:
            yield Input(trees[0].words(), (), where, trees)


def _put(best: Sequence[Translation], nbest: int, join: Join) -> None:
    for translation in best or (None,):
        console.put("" if translation is None else join(translation.words))
    if nbest > 1:
        console.put("")

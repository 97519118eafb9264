"""`treewright parse`: sentences → trees."""

from __future__ import annotations

import json as jsonlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.cli.sentences import READERS, Given, Item, in_batches
from treewright.errors import DataError, Problems, choose

if TYPE_CHECKING:
    from treewright.parsing import Parser
    from treewright.trees import Tree

_FORMATS = ("brackets", "json", "tree", "svg")


def parse(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Text; - is stdin.", show_default=False)
    ] = "-",
    tokenized: options.Tokenized = False,
    parser: options.ParserSpec = "embedded",
    treebank: Annotated[
        str | None, optional("NAME", "Style of the embedded parser's trees.")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="brackets, json, tree (an outline) or svg.")
    ] = "brackets",
    json: options.FormatJson = False,
    output: options.Output = "-",
    strict: options.Strict = False,
) -> None:
    """Parse sentences; one bracketed tree a line in input order, rooted in ROOT.

    Running text is split into sentences; an empty line ends one. With --tokenized an empty line
    gives an empty line. So does a sentence that cannot be parsed, and the exit status is 1.
    """
    from treewright.files import atomic_write
    from treewright.parsing import open_parser

    form = "json" if json else choose(form, _FORMATS, "format")
    trees = console.trees_of(parser)
    console.check_files([file, trees], [output])
    opened = open_parser(parser, treebank=treebank)
    problems = console.collect(strict)
    with atomic_write(output) as handle:
        results = _parsed(READERS[tokenized](file), opened, problems)
        number = _write_svg(handle, results) if form == "svg" else _write(handle, results, form)
    if number == 0:
        console.say(f"{file}: no sentences in it")
    console.finish(problems, "sentences")


@dataclass(frozen=True)
class _Parsed:
    """A sentence with its tree or its error; an empty line has none of these."""

    given: Given | None
    tree: Tree | None
    error: DataError | None

    @property
    def is_empty(self) -> bool:
        """Whether this is an empty line."""
        return self.given is None and self.error is None


def _parsed(items: Iterator[Item], parser: Parser, problems: Problems) -> Iterator[list[_Parsed]]:
    """Parse batch by batch, in order; bad sentences keep their positions."""
    from treewright.parsing import parse_each

    progress = console.progress(streaming=True)
    for batch in progress.track(in_batches(items), "Parsing"):
        words = [item.words for item in batch if isinstance(item, Given)]
        trees = iter(parse_each(parser, words) if words else ())
        done = []
        for item in batch:
            result = next(trees) if isinstance(item, Given) else item
            done.append(_outcome(item, result, problems))
        yield done


def _outcome(item: Item, result: Tree | DataError | None, problems: Problems) -> _Parsed:
    """Put a sentence and its tree together; report errors at their place in the input."""
    given = item if isinstance(item, Given) else None
    if not isinstance(result, DataError):
        return _Parsed(given, result, None)
    if given is not None:
        # The parser knows only the position in its batch.
        result = DataError(result.message, where=given.where)
    problems.add(result)
    return _Parsed(given, None, result)


def _write(handle: IO[str], batches: Iterator[list[_Parsed]], form: str) -> int:
    """Write each batch when it is done; return the number of sentences."""
    number = 0
    width = shutil.get_terminal_size().columns if handle.isatty() else None
    for batch in batches:
        for parsed in batch:
            number += not parsed.is_empty
            handle.write(f"{_line(parsed, form, width)}\n")
        handle.flush()
    return number


def _write_svg(handle: IO[str], batches: Iterator[list[_Parsed]]) -> int:
    """Draw all trees below one another, in one picture; return the number of sentences."""
    from treewright.trees.drawing import draw_svg

    results = [parsed for batch in batches for parsed in batch if not parsed.is_empty]
    handle.write(draw_svg(parsed.tree for parsed in results if parsed.tree is not None))
    return len(results)


def _line(parsed: _Parsed, form: str, width: int | None) -> str:
    if form == "json":
        return jsonlib.dumps(_as_dict(parsed), ensure_ascii=False)
    if parsed.tree is None:
        return ""
    if form == "brackets":
        return str(parsed.tree)
    from treewright.trees.drawing import draw_outline

    return f"{draw_outline(parsed.tree, width=width)}\n"


def _as_dict(parsed: _Parsed) -> dict[str, Any]:
    from treewright.parsing import describe_parse

    given = parsed.given or Given((), "", "")
    error = None if parsed.error is None else str(parsed.error)
    return describe_parse(
        given.text, given.words, parsed.tree, span=given.span, spans=given.spans, error=error
    )

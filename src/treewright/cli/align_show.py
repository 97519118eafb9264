"""`treewright align show`: pairs with their links, as people read them."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def show(
    source: Annotated[str, typer.Argument(metavar="SRC", help="Sentences, one a line.")],
    target: Annotated[str, typer.Argument(metavar="TGT", help="Their translations.")],
    links: Annotated[str, typer.Argument(metavar="LINKS", help="Their links, as align prints.")],
    format: Annotated[str, typer.Option(help="text, svg or html.")] = "text",
    line: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only this pair, counted from 1.")
    ] = None,
    output: options.Output = "-",
) -> None:
    """Print each pair as a matrix: a row for each source word, a column for each target word."""
    from treewright.alignment import draw_alignments
    from treewright.corpora import read_bitext, read_links
    from treewright.errors import DataError
    from treewright.files import atomic_write

    console.check_stdin(source, target, links)
    console.check_outputs([source, target, links], [output])
    pairs = list(read_bitext(source, target))
    found = read_links(links, [(len(a), len(b)) for a, b in pairs])
    numbers = range(len(pairs)) if line is None else [line - 1]
    if line is not None and line > len(pairs):
        raise DataError(f"it has {len(pairs)} lines, no line {line}", where=source)
    drawn = draw_alignments([(number + 1, *pairs[number], found[number]) for number in numbers],
                            format=format)  # fmt: skip
    with atomic_write(output) as handle:
        handle.write(drawn)

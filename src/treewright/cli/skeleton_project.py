"""`treewright skeleton project`: pairs to learn skeletons from, by those of translations."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def project(
    trees: Annotated[str, typer.Argument(metavar="TREES", help="Source trees, one a line.")],
    target: Annotated[str, typer.Argument(metavar="TGT", help="Target text, tokenised.")],
    links: Annotated[str, typer.Argument(metavar="LINKS", help="Word links, as of `align`.")],
    skeletons: Annotated[
        str, typer.Argument(metavar="SKELETONS", help="Skeletons of TGT, by `skeleton`.")
    ],
    output: options.PairsOutput = "-",
    least: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Least words of a source.", show_default="5"),
    ] = None,
    strict: options.Strict = False,
) -> None:
    """Make tree pairs for `train` by carrying the skeletons of translations over the links.

    Pairs are taken where the links agree and the source's skeleton is connected in its tree.
    """
    from treewright.corpora import read_tokens, write_records
    from treewright.translation import Projection, read_projected, read_skeletons

    inputs = [trees, target, links, skeletons]
    console.check_stdin(*inputs)
    console.check_outputs(inputs, [output])
    problems = console.collect(strict)
    kept = read_skeletons(skeletons, list(read_tokens(target)))
    projection = Projection(**console.given(least=least))
    items = read_projected(trees, links, skeletons, kept, problems=problems)
    write_records(output, projection(items))
    outcomes = projection.outcomes.most_common()
    console.say(", ".join(f"{name}: {number}" for name, number in outcomes))
    if console.conclude(problems, "pairs"):
        raise typer.Exit(1)

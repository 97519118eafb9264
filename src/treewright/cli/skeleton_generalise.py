"""`treewright skeleton generalise`: targets with X for what lies outside the skeleton."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.skeleton import SkeletonFile


def generalise(
    source: Annotated[str, typer.Argument(metavar="SRC", help="Source text, tokenised.")],
    target: Annotated[str, typer.Argument(metavar="TGT", help="Target text, tokenised.")],
    links: Annotated[str, typer.Argument(metavar="LINKS", help="Word links, as of `align`.")],
    skeletons: SkeletonFile,
    output: options.Output = "-",
) -> None:
    """Replace what does not translate the skeleton of the source by X, a stretch at a time.

    `lm estimate` makes a skeletal language model of the result. A word without links goes with the
    next linked word to its right; a word linked to a kept word stays, whatever its other links.
    """
    from treewright.corpora import read_bitext, read_links
    from treewright.files import atomic_write
    from treewright.translation import generalise_all, read_skeletons

    inputs = [source, target, links, skeletons]
    console.check_stdin(*inputs)
    console.check_outputs(inputs, [output])
    pairs = list(read_bitext(source, target))
    aligned = read_links(links, [(len(one), len(other)) for one, other in pairs])
    kept = read_skeletons(skeletons, [one for one, _ in pairs])
    with atomic_write(output) as handle:
        for words in generalise_all([other for _, other in pairs], kept, aligned):
            handle.write(" ".join(words) + "\n")

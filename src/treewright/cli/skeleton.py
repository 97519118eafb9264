"""`treewright skeleton`: the tokens that carry a sentence, found by a compression model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.groups import group_with_default
from treewright.cli.options import optional
from treewright.cli.outputs import is_styled, paint
from treewright.errors import choose
from treewright.files import as_json

if TYPE_CHECKING:
    from treewright.translation import Skeleton

_FORMATS = ("text", "positions", "json")
Text = Annotated[str, typer.Argument(metavar="TEXT", help="Tokenised sentences, one a line.")]
SkeletonFile = Annotated[
    str, typer.Argument(metavar="SKELETONS", help="Positions of kept tokens, a line a sentence.")
]


def skeleton(
    file: Annotated[
        str, typer.Argument(metavar="TEXT", help="Tokenised sentences, one a line; - is stdin.")
    ],
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="news, headline, or a model file.")
    ] = "news",
    rate: Annotated[float | None, optional("R", "At most R × words are kept.", "0.65")] = None,
    nbest: Annotated[
        int,
        typer.Option(min=1, metavar="K", help="Up to K distinct skeletons of each sentence."),
    ] = 1,
    parser: options.ParserSpec = "embedded",
    form: Annotated[
        str, typer.Option("--format", help="text, positions (for files) or json.")
    ] = "text",
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    output: options.Output = "-",
    strict: options.Strict = False,
) -> None:
    """Find the skeleton of each sentence: the tokens a compression model keeps, and its last stop.

    Printed text has the rest as [-this-], or struck out. With --format positions, a line has the
    positions of the kept tokens, from 0; several skeletons are separated by |. A sentence that
    cannot be shortened is kept whole, and the exit status is 1.
    """
    from treewright.corpora import read_tokens
    from treewright.files import atomic_write
    from treewright.translation import SkeletonFinder

    form = choose(form, _FORMATS, "format")
    trees = console.trees_of(parser)
    console.check_files([file, model, trees], [output])
    finder = SkeletonFinder(
        model=model, nbest=nbest, parser=parser, jobs=jobs, **console.given(rate=rate)
    )
    problems = console.collect(strict)
    sentences = list(read_tokens(file, problems=problems))
    progress = console.progress(thread=jobs == 1)
    kept = tokens = 0
    with atomic_write(output) as handle:
        styled = output == "-" and is_styled(sys.stdout)
        found = finder(sentences, problems=problems, progress=progress)
        for words, several in zip(sentences, found, strict=True):
            handle.write(written(words, several, form, styled=styled, grouped=nbest > 1))
            kept += int(several[0].sum())
            tokens += len(words)
    console.say(f"{kept} of {tokens} tokens kept ({kept / max(tokens, 1):.1%})")
    console.finish(problems, "sentences")


def written(
    words: Sequence[str],
    several: Sequence[Skeleton],
    form: str,
    *,
    styled: bool = False,
    grouped: bool = False,
) -> str:
    """Write the skeletons of a sentence; as text, a blank line ends a group of several."""
    from treewright.translation import format_skeletons

    if form == "positions":
        return format_skeletons(several) + "\n"
    if form == "json":
        positions = [kept.nonzero()[0].tolist() for kept in several]
        described: dict[str, Any] = {"tokens": list(words), "kept": positions[0]}
        return as_json(described | ({"nbest": positions} if grouped else {})) + "\n"
    lines = [_drawn(words, kept, styled=styled) for kept in several]
    return "\n".join(lines) + ("\n\n" if grouped else "\n")


def _drawn(words: Sequence[str], kept: Skeleton, *, styled: bool) -> str:
    """Return a sentence with what lies outside the skeleton struck out, or `[-like this-]`."""
    from treewright.trees.drawing import shown

    parts = []
    places = iter(words)
    for stays, run in groupby(kept.tolist()):
        stretch = " ".join(islice(places, len(list(run))))
        stretch = shown(stretch) if styled else stretch
        if not stays:
            stretch = paint(stretch, "red strike") if styled else f"[-{stretch}-]"
        parts.append(stretch)
    return " ".join(parts)


app = group_with_default(skeleton)


@app.command()
def show(text: Text, skeletons: SkeletonFile, output: options.Output = "-") -> None:
    """Check skeletons against their text, and print each sentence with the rest as [-this-]."""
    from treewright.corpora import read_tokens
    from treewright.files import atomic_write
    from treewright.translation import read_skeleton_lists

    console.check_files([text, skeletons], [output])
    sentences = list(read_tokens(text))
    lists = read_skeleton_lists(skeletons, sentences)
    grouped = any(len(several) > 1 for several in lists)
    with atomic_write(output) as handle:
        styled = output == "-" and is_styled(sys.stdout)
        for words, several in zip(sentences, lists, strict=True):
            handle.write(written(words, several, "text", styled=styled, grouped=grouped))


@app.command()
def generalise(
    source: options.SourceText,
    target: options.TargetText,
    links: options.WordLinks,
    skeletons: SkeletonFile,
    output: options.Output = "-",
) -> None:
    """Replace what does not translate the skeleton of the source by X, a stretch at a time.

    `lm train` makes a skeletal language model of the result. A word without links goes with the
    next linked word to its right; a word linked to a kept word stays, whatever its other links.
    """
    from treewright.corpora import read_bitext, read_links
    from treewright.files import atomic_write
    from treewright.translation import generalise_all, read_skeletons

    inputs = [source, target, links, skeletons]
    console.check_files(inputs, [output])
    pairs = list(read_bitext(source, target))
    aligned = read_links(links, [(len(one), len(other)) for one, other in pairs])
    kept = read_skeletons(skeletons, [one for one, _ in pairs])
    with atomic_write(output) as handle:
        for words in generalise_all([other for _, other in pairs], kept, aligned):
            handle.write(" ".join(words) + "\n")


@app.command()
def project(
    trees: Annotated[str, typer.Argument(metavar="TREES", help="Source trees, one a line.")],
    target: options.TargetText,
    links: options.WordLinks,
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
    console.check_files(inputs, [output])
    problems = console.collect(strict)
    kept = read_skeletons(skeletons, list(read_tokens(target)))
    projection = Projection(**console.given(least=least))
    items = read_projected(trees, links, skeletons, kept, problems=problems)
    write_records(output, projection(items))
    outcomes = projection.outcomes.most_common()
    console.say(", ".join(f"{name}: {number}" for name, number in outcomes))
    console.finish(problems, "pairs")

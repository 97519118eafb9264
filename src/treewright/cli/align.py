"""`treewright align`: which words of parallel text translate each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.cli.groups import group_with_default
from treewright.errors import UsageError

if TYPE_CHECKING:
    from treewright.corpora import Words
    from treewright.errors import Problems

Source = Annotated[
    str, typer.Argument(metavar="SRC", help="Sentences, one a line, words between spaces.")
]
Target = Annotated[str, typer.Argument(metavar="TGT", help="Their translations; - is stdin.")]


def align(
    source: Source,
    target: Target,
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="SRC TGT", help="Learn from these too, without output. Repeat."),
    ] = None,
    method: Annotated[
        str | None, typer.Option(help="bayes: sampled, with fertilities.", show_default="bayes")
    ] = None,
    symmetrize: Annotated[
        str | None,
        typer.Option(
            help="posterior, intersection, union, grow-diag, grow-diag-final-and, forward, "
            "reverse.",
            show_default="posterior",
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(help="Least probability of a link, for posterior.", show_default="0.45"),
    ] = None,
    keep_case: Annotated[
        bool, typer.Option("--keep-case", help="Tell upper and lower case apart.")
    ] = False,
    seed: options.Seed = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Threads.")] = 1,
    output: options.Output = "-",
    strict: options.Strict = False,
) -> None:
    """Link the words of sentences to those of their translations, learning from these alone.

    A line of links (0-0 1-2: source-target positions from 0) for each pair, empty for a bad one.
    """
    from treewright.alignment import AlignmentSettings, Text, align_text
    from treewright.files import atomic_write

    inputs = [source, target, *(also or [])]
    if len(inputs) % 2:
        raise UsageError(f"--also {inputs[-1]} lacks its translations; give --also SRC TGT")
    more = list(zip(inputs[2::2], inputs[3::2], strict=True))
    console.check_stdin(*inputs)
    console.check_outputs(inputs, [output])
    settings = AlignmentSettings(
        seed=seed,
        jobs=jobs,
        **console.given(method=method, symmetrize=symmetrize, threshold=threshold),
    )
    problems = console.collect(strict)
    count = 0

    def counted() -> Iterator[tuple[Words, Words]]:
        nonlocal count
        for pair in _pairs([(source, target)], problems):
            count += 1
            yield pair
        yield from _pairs(more, problems)

    text = Text.of(counted(), lowercase=not keep_case)
    links = align_text(text, settings, wanted=count, progress=console.progress())
    with atomic_write(output) as handle:
        handle.writelines(f"{line}\n" for line in links.lines())
    if console.conclude(problems, "pairs"):
        raise typer.Exit(1)


def _pairs(files: list[tuple[str, str]], problems: Problems) -> Iterator[tuple[Words, Words]]:
    from treewright.corpora import read_bitext

    for source, target in files:
        yield from read_bitext(source, target, problems=problems)


app = group_with_default(align, {"score": "treewright.cli.align_score"}, twofold=["--also"])

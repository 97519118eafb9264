"""`treewright align refine`: links that agree with the phrases of the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.files import as_json

if TYPE_CHECKING:
    from treewright.translation import RefinementReport


def refine(
    source: Annotated[
        str, typer.Argument(metavar="SRC", help="Sentences, one a line, words between spaces.")
    ],
    target: Annotated[str, typer.Argument(metavar="TGT", help="Their translations.")],
    links: Annotated[str, typer.Argument(metavar="ALIGN", help="Their links, as align prints.")],
    derivations: Annotated[
        int | None,
        typer.Option(help="Ways to translate a pair that vote on its links.", show_default="8"),
    ] = None,
    iterations: Annotated[int, typer.Option(min=1, help="How often to go through the text.")] = 1,
    leave_one_out: Annotated[
        bool,
        typer.Option(
            "--leave-one-out/--keep-own", help="Ignore what a pair says of itself, or do not."
        ),
    ] = True,
    delete: Annotated[
        bool, typer.Option("--delete/--no-delete", help="Delete links that contradict phrases.")
    ] = True,
    add: Annotated[
        bool, typer.Option("--add/--no-add", help="Add the links of phrases of one word each.")
    ] = True,
    confidence: Annotated[
        float | None,
        typer.Option(help="Least confidence of a link that is added.", show_default="0.05"),
    ] = None,
    length: Annotated[
        int | None, typer.Option(help="Words of a phrase, at first.", show_default="5")
    ] = None,
    distortion: Annotated[
        int | None, typer.Option(help="Longest jump, at first; -1: any.", show_default="6")
    ] = None,
    beam: Annotated[
        int | None, typer.Option(help="States kept for each target word.", show_default="100")
    ] = None,
    word_price: Annotated[
        float | None,
        typer.Option(help="Score of a word dropped or inserted.", show_default="-3"),
    ] = None,
    keep_case: options.KeepCase = False,
    seed: options.Seed = 0,
    jobs: options.Threads = 1,
    output: options.Output = "-",
    report: Annotated[str | None, optional("FILE.json", "Save what each iteration did.")] = None,
    strict: options.Strict = False,
) -> None:
    """Delete wrong links and add missing ones, by the best ways to translate each pair in phrases.

    Phrases come from the text and its links; a pair's own are not counted for it. Links come out as
    they went in, a line for each pair, an empty one for a bad pair.
    """
    from treewright.corpora import Sentences, Vocabulary, read_bitext, read_links
    from treewright.files import atomic_write
    from treewright.translation import Forcing, Refinement, refine_links

    console.check_files([source, target, links], [output, report])
    forcing = Forcing(
        leave_one_out=leave_one_out,
        **console.given(length=length, distortion=distortion, beam=beam, word_price=word_price),
    )
    settings = Refinement(
        forcing,
        delete=delete,
        add=add,
        iterations=iterations,
        seed=seed,
        jobs=jobs,
        **console.given(confidence=confidence, derivations=derivations),
    )
    problems = console.collect(strict)
    pairs = list(read_bitext(source, target, problems=problems))
    given = read_links(links, [(len(f), len(e)) for f, e in pairs])
    if not keep_case:
        pairs = [([w.lower() for w in f], [w.lower() for w in e]) for f, e in pairs]
    vocabularies = Vocabulary(), Vocabulary()
    texts = [
        Sentences.encode((pair[side] for pair in pairs), vocabularies[side]) for side in (0, 1)
    ]
    refined = refine_links(
        texts[0], texts[1], given, *vocabularies, settings=settings, progress=console.progress()
    )
    with atomic_write(output) as handle:
        handle.writelines(f"{line}\n" for line in refined.links.lines())
    for done in refined.reports:
        console.say(_summary(done))
    if report is not None:
        with atomic_write(report) as handle:
            handle.write(as_json([_record(done) for done in refined.reports]) + "\n")
    console.finish(problems, "pairs")


def _summary(report: RefinementReport) -> str:
    pairs = max(1, report.pairs)
    shares = ", ".join(
        f"{100 * report.reached[name] / pairs:.1f} % {how}"
        for name, how in (
            ("none", "as they are"),
            ("phrases", "with longer phrases and jumps"),
            ("words", "with words dropped or inserted"),
        )
    )
    return (
        f"{report.pairs} pairs derived: {shares}; {report.deleted / pairs:.2f} links deleted and "
        f"{report.added / pairs:.2f} added a pair"
    )


def _record(report: RefinementReport) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(report), "reached": dict(sorted(report.reached.items()))}

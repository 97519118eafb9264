"""`treewright align`: which words of parallel text translate each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.cli.groups import group_with_default
from treewright.cli.options import optional
from treewright.cli.training import interruptible, what_is_left
from treewright.errors import DataError, Problems, UsageError
from treewright.files import as_json

if TYPE_CHECKING:
    from treewright.alignment import AlignmentSettings, CheckpointFile
    from treewright.corpora import Links, Words
    from treewright.translation import RefinementReport

Source = Annotated[
    str, typer.Argument(metavar="SRC", help="Sentences, one a line, words between spaces.")
]
Target = Annotated[str, typer.Argument(metavar="TGT", help="Their translations; - is stdin.")]
_METHODS = "bayes: sampled, with jumps and fertilities; hmm: EM, with jumps; ibm1: EM, words alone."
_WAYS = "posterior, intersection, union, grow-diag, grow-diag-final-and, forward, reverse."


def align(
    source: Source,
    target: Target,
    also: Annotated[
        list[str] | None, optional("SRC TGT", "Learn from these too, without output. Repeat.")
    ] = None,
    method: Annotated[str | None, typer.Option(help=_METHODS, show_default="bayes")] = None,
    symmetrize: Annotated[str | None, typer.Option(help=_WAYS, show_default="posterior")] = None,
    threshold: Annotated[
        float | None,
        typer.Option(help="Least probability of a link, for posterior.", show_default="0.45"),
    ] = None,
    keep_case: options.KeepCase = False,
    model: Annotated[str | None, optional("OUT", "Save what was learned, for --using.")] = None,
    using: Annotated[
        str | None, optional("MODEL", "Learn nothing; align by a saved model, as a stream.")
    ] = None,
    seed: options.Seed = 0,
    jobs: options.Threads = 1,
    checkpoint: options.CheckpointFile = None,
    resume: options.Resume = False,
    output: options.Output = "-",
    strict: options.Strict = False,
) -> None:
    """Link the words of sentences to those of their translations, learning from these alone.

    A line of links (0-0 1-2: source-target positions from 0) for each pair, empty for a bad one.
    """
    from treewright.alignment import AlignmentSettings, CheckpointFile
    from treewright.files import atomic_write

    inputs = [source, target, *(also or [])]
    if len(inputs) % 2:
        raise UsageError(f"--also {inputs[-1]} lacks its translations; give --also SRC TGT")
    files = list(zip(inputs[::2], inputs[1::2], strict=True))
    console.check_files([*inputs, using], [output, model, checkpoint])
    settings = AlignmentSettings(
        seed=seed,
        jobs=jobs,
        **console.given(method=method, symmetrize=symmetrize, threshold=threshold),
    )
    problems = console.collect(strict)
    if using is None:
        saved = CheckpointFile(path=checkpoint, resume=resume)
        can_resume = settings.method == "bayes"
        with interruptible(lambda: what_is_left(checkpoint) if can_resume else "nothing is kept"):
            found = iter([_learned(files, settings, saved, model, not keep_case, problems)])
    else:
        forbidden = {"--also": also, "--method": method, "--model": model, "--keep-case": keep_case}
        forbidden |= {"--checkpoint": checkpoint, "--resume": resume}
        for name, value in forbidden.items():
            if value:
                raise UsageError(f"{name} is for learning; --using {using} learns nothing")
        found = _by_model(using, files[0], settings, problems)
    with atomic_write(output) as handle:
        for links in found:
            handle.writelines(f"{line}\n" for line in links.lines())
            handle.flush()
    console.finish(problems, "pairs")


def _learned(
    files: list[tuple[str, str]],
    settings: AlignmentSettings,
    checkpoint: CheckpointFile,
    model: str | None,
    lowercase: bool,
    problems: Problems,
) -> Links:
    """Learn from all files, save the model if so wanted, and align the first pair of files."""
    from treewright.alignment import Text, learn, learned_links, model_of

    if model is not None and settings.method != "bayes":
        raise UsageError("only the method bayes makes models; choose it, or give no --model")
    own = _Counted(_pairs(files[:1], problems))
    text = Text.of((pair for part in (own, _pairs(files[1:], problems)) for pair in part),
                   lowercase=lowercase)  # fmt: skip
    learned = learn(text, settings, checkpoint=checkpoint, progress=console.progress())
    if model is not None:
        about = {"method": settings.method, "seed": settings.seed, "pairs": len(text)}
        model_of(learned, text, lowercase=lowercase).save(model, **about)
    return learned_links(learned, text, settings, wanted=own.count)


def _by_model(
    path: str, files: tuple[str, str], settings: AlignmentSettings, problems: Problems
) -> Iterator[Links]:
    from treewright.alignment import AlignmentModel

    return AlignmentModel.load(path).align(
        _pairs([files], problems),
        symmetrize=settings.symmetrize,
        threshold=settings.threshold,
        seed=settings.seed,
        jobs=settings.jobs,
    )


def _pairs(files: list[tuple[str, str]], problems: Problems) -> Iterator[tuple[Words, Words]]:
    from treewright.corpora import read_bitext

    for source, target in files:
        yield from read_bitext(source, target, problems=problems)


class _Counted:
    """A stream of pairs that counts what has passed."""

    def __init__(self, pairs: Iterable[tuple[Words, Words]]) -> None:
        self.pairs = pairs
        self.count = 0

    def __iter__(self) -> Iterator[tuple[Words, Words]]:
        for pair in self.pairs:
            self.count += 1
            yield pair


app = group_with_default(align, twofold=["--also"])


@app.command()
def refine(
    source: Source,
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
    from dataclasses import asdict

    from treewright.corpora import Sentences, Vocabulary, read_bitext, read_links
    from treewright.files import atomic_write
    from treewright.translation import Forcing, LinkRefinement, refine_links

    console.check_files([source, target, links], [output, report])
    forcing = Forcing(
        leave_one_out=leave_one_out,
        **console.given(length=length, distortion=distortion, beam=beam, word_price=word_price),
    )
    settings = LinkRefinement(
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
        rows = [
            {**asdict(done), "reached": dict(sorted(done.reached.items()))}
            for done in refined.reports
        ]
        with atomic_write(report) as handle:
            handle.write(as_json(rows) + "\n")
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


@app.command()
def score(
    system: Annotated[str, typer.Argument(metavar="HYP", help="Links, a line for each pair.")],
    gold: Annotated[
        str,
        typer.Argument(metavar="GOLD", help="Links that people drew: 3-4 is sure, 3p4 possible."),
    ],
    text: Annotated[
        tuple[str, str] | None,
        optional("SRC TGT", "The sentences, to check that all links fit them."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Print precision, recall, F1 and the alignment error rate (AER)."""
    from treewright.corpora import read_bitext
    from treewright.evaluation import AlignmentCounts, score_alignment_files

    console.check_stdin(system, gold, *(text or ()))
    sizes = None
    if text is not None:
        sizes = [(len(source), len(target)) for source, target in read_bitext(*text)]
    counts = score_alignment_files(system, gold, sizes)
    total = sum(counts, AlignmentCounts())
    if json:
        console.put_json({"pairs": len(counts), **total.as_dict()})
        return
    from rich.table import Table

    names = ("precision", "recall", "F1", "AER")
    values = (total.precision, total.recall, total.f1, total.aer)
    table = Table("pairs", "links", *names)
    table.add_row(str(len(counts)), str(total.system), *[f"{100 * value:.1f}" for value in values])
    console.put_table(table)


@app.command()
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
    from treewright.files import atomic_write

    console.check_files([source, target, links], [output])
    pairs = list(read_bitext(source, target))
    found = read_links(links, [(len(a), len(b)) for a, b in pairs])
    numbers = range(len(pairs)) if line is None else [line - 1]
    if line is not None and line > len(pairs):
        raise DataError(f"it has {len(pairs)} lines, no line {line}", where=source)
    drawn = draw_alignments([(number + 1, *pairs[number], found[number]) for number in numbers],
                            format=format)  # fmt: skip
    with atomic_write(output) as handle:
        handle.write(drawn)

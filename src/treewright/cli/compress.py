"""`treewright compress`: text → shorter text."""

from __future__ import annotations

import contextlib
import gc
import shutil
from collections import Counter
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.inputs import Texts
from treewright.cli.options import optional
from treewright.cli.outputs import WIDTH, Form, Output, is_styled
from treewright.errors import UsageError, choose

if TYPE_CHECKING:
    from treewright.compression import Compressor, Drop, Input, Job, Keep
    from treewright.documents import DocumentCompressor
    from treewright.text import Kind

_ALTERNATIVES = 3
"""How many alternatives an explanation shows."""
_SHOWN = 20
"""How many bad inputs are shown as they occur; the others are only counted."""


def compress(
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What to shorten.", show_default=False)
    ] = None,
    file: Annotated[
        str | None, optional("FILE", "Shorten a file, as one text; - is stdin.")
    ] = None,
    by_line: Annotated[
        bool, typer.Option("--lines", help="Every line is a text and produces one line.")
    ] = False,
    tokenized: options.Tokenized = False,
    format: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help="auto, plain, markdown, srt or vtt; auto goes by the name of the file, and knows "
            "subtitles by how they begin.",
        ),
    ] = "auto",
    jsonl: Annotated[
        bool,
        typer.Option(
            "--jsonl",
            help='Lines are JSON: {"text": "…"}, {"tokens": ["…"]} or a string; an "id" is passed '
            "through. Implied by FILE.jsonl.",
        ),
    ] = False,
    model: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="news, headline, or a model file.")
    ] = "news",
    parser: options.ParserSpec = "embedded",
    rate: Annotated[float | None, optional("R", "At most R × words; R is 0 to 1.")] = None,
    max_words: Annotated[int | None, optional("N", "At most N words; punctuation is free.")] = None,
    max_chars: Annotated[
        int | None, optional("N", "At most N characters, including spaces.")
    ] = None,
    max_tokens: Annotated[
        int | None, optional("N", "At most N tokens: words and punctuation.")
    ] = None,
    tokenizer: Annotated[
        str | None,
        optional(
            "NAME",
            "Whose tokens --max-tokens counts: an encoding or a model that tiktoken knows, or "
            "a table FILE.tiktoken.",
        ),
    ] = None,
    cue_line_chars: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Subtitles: most characters in a line.")
    ] = None,
    cue_lines: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Subtitles: most lines in a cue.")
    ] = None,
    cue_second_chars: Annotated[
        float | None, optional("N", "Subtitles: most characters for a second that a cue lasts.")
    ] = None,
    per: Annotated[
        str, typer.Option(metavar="SCOPE", help="What is limited: the text or each sentence.")
    ] = "text",
    at_least: Annotated[
        float | None, optional("R", "Keep at least R × the length, if a limit leaves room.")
    ] = None,
    fill: Annotated[
        bool,
        typer.Option(
            "--fill",
            help="Use all the room that a limit gives, even where a shorter text is better.",
        ),
    ] = False,
    drop_sentences: Annotated[
        str,
        typer.Option(
            metavar="auto|never", help="Whether whole sentences may go where several share a limit."
        ),
    ] = "auto",
    keep: Annotated[
        list[str] | None,
        optional(
            "WHAT",
            "Never delete this: a word or phrase, /regex/, or a class: numbers, names, "
            "quotations, urls, code. Repeat.",
        ),
    ] = None,
    drop: Annotated[
        list[str] | None, optional("WHAT", "Always delete this: written as for --keep. Repeat.")
    ] = None,
    faithful: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="normal keeps what a claim would be false without; strict also what only "
            "qualifies it, or drops the whole clause.",
        ),
    ] = "normal",
    grammar: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="strict exceeds a limit rather than break a sentence; loose breaks it.",
        ),
    ] = "strict",
    warn: Annotated[
        bool,
        typer.Option(
            "--warn", help="Name what is gone that a careful reader may want: on stderr, in JSON."
        ),
    ] = False,
    language: Annotated[
        str,
        typer.Option(
            metavar="en|any",
            help="en leaves other languages, code and tables unchanged; any shortens everything.",
        ),
    ] = "en",
    json: Annotated[bool, typer.Option("--json", help="One JSON object per text.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show the text with deletions marked.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show reasons, trees and other versions.")
    ] = False,
    alternatives: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="K", help="Other versions of each sentence, for --json and --explain."
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Most processes to use, for lines.")
    ] = 1,
    engine: options.Engine = None,
    output: options.Output = "-",
    strict: options.Strict = False,
) -> None:
    """Shorten text by deleting words.

    The text is TEXT, a file or stdin, or each line of these. Without a limit the model decides how
    much to delete; a limit applies to the whole text unless --per sentence is given, and is a
    ceiling: a shorter text that reads well is better than a full one that does not. What cannot be
    processed is reported and left unchanged, and the exit status is 1.
    """
    from treewright.compression import Drop, Job, Keep, Limit, Request, model_path, open_tokenizer
    from treewright.files import atomic_write

    texts = Texts.of(text, file, by_line=by_line, tokenized=tokenized, jsonl=jsonl)
    trees = console.trees_of(parser)
    console.check_stdin(texts.path, model, trees)
    console.check_outputs([texts.path, str(model_path(model)), trees], [output])
    if (jobs > 1 or engine) and "-" in (model, trees):
        raise UsageError("with --jobs or --engine, the model and the trees must be files, not -")
    if engine and texts.is_one:
        raise UsageError("--engine is for many texts; give --lines, --tokenized or --jsonl")
    name, details, number = _form(json, diff, explain, alternatives)
    limit = console.given(
        rate=rate, max_words=max_words, max_chars=max_chars, max_tokens=max_tokens
    )
    choose(drop_sentences, ("auto", "never"), "way to drop sentences")
    cues = {"line_chars": cue_line_chars, "lines": cue_lines, "second_chars": cue_second_chars}
    loading = _Loading(model, parser, texts.format(format), texts.path, console.given(**cues))
    counted = open_tokenizer(tokenizer) if tokenizer else None
    request = Request(
        limit=Limit(**limit, per=per, at_least=at_least, tokenizer=counted),
        keep=tuple([Keep.parse(demand) for demand in keep or ()]),
        drop=tuple([Drop.parse(demand) for demand in drop or ()]),
        explain=explain,
        alternatives=number,
        faithful=faithful,
        grammar=grammar,
        warn=warn,
        trees=json,
        language=language,
        fill=fill,
        drop_sentences=drop_sentences == "auto",
    )
    cue_limit = {f"cue_{name}": value for name, value in loading.cues.items()}
    report = _Report(
        strict=strict, alone=texts.is_one, limit=limit | cue_limit, may_break=request.may_break
    )
    with atomic_write(output, binary=True) as handle:
        form = Form(
            name=name,
            one_line=texts.by_line,
            details=details,
            styled=is_styled(handle),
            width=shutil.get_terminal_size().columns if handle.isatty() else WIDTH,
            format=loading.format,
        )
        job = Job(load=loading, request=request, finish=form)
        _run(job, texts, 1 if texts.is_one else jobs, engine, handle, report)
    if report.conclude(texts.path):
        raise typer.Exit(1)


def _form(json: bool, diff: bool, explain: bool, alternatives: int | None) -> tuple[str, bool, int]:
    """Return the form of the output, whether it has all details, and how many other versions."""
    if diff and (json or explain):
        raise UsageError("--diff contradicts --json and --explain; give one of them")
    if alternatives and not (json or explain):
        raise UsageError("--alternatives are shown by --json and --explain; give one of them")
    number = (_ALTERNATIVES if explain else 0) if alternatives is None else alternatives
    name = "json" if json else "explanation" if explain else "diff" if diff else "text"
    return name, explain or number > 0, number


def _load(model: str, parser: str) -> Compressor:
    from treewright.compression import Compressor

    compressor = Compressor.load(model, parser=parser)
    # The grammar is many small objects that live to the end: exempt them from garbage collection.
    gc.freeze()
    return compressor


@dataclass(frozen=True)
class _Loading:
    """What a process loads: a compressor of texts, or of documents in a format."""

    model: str
    parser: str
    format: str
    path: str | None
    cues: dict[str, Any]

    def __call__(self) -> Compressor | DocumentCompressor:
        compressor = _load(self.model, self.parser)
        if self.format == "plain" and not self.cues:
            return compressor
        from treewright.documents import CueLimit, DocumentCompressor

        limit = CueLimit(**self.cues)
        return DocumentCompressor(compressor, format=self.format, name=self.path, cues=limit)


def _run(
    job: Job[Input, Output],
    texts: Texts,
    jobs: int,
    engine: str | None,
    handle: IO[bytes],
    report: _Report,
) -> None:
    """Write every batch as soon as it is done."""
    from treewright.compression import compress_on, compress_stream
    from treewright.engine import open_engine

    progress = console.progress(streaming=True, thread=jobs == 1)
    with contextlib.ExitStack() as stack:
        if engine is None:
            stream = compress_stream(job, texts.read(), jobs)
        else:
            opened = stack.enter_context(open_engine(engine, jobs))
            stream = compress_on(opened, job, texts.read())
        stack.enter_context(contextlib.closing(stream))
        for batch in progress.track(stream, "Shortening"):
            for output in batch:
                report.add(output)
                # Bytes that are not UTF-8 are written as they were read.
                handle.write(output.written.encode("utf-8", "surrogateescape"))
            handle.flush()


class _Report:
    """What is reported on stderr: problems as they occur, and totals at the end."""

    def __init__(
        self, *, strict: bool, alone: bool, limit: dict[str, Any], may_break: bool
    ) -> None:
        self.strict = strict
        self.alone = alone
        self.limit = limit
        self.may_break = may_break
        self.total = self.unmet = 0
        self.unmatched: frozenset[Keep | Drop] | None = None
        self.unchanged = {"line": 0, "sentence": 0}
        self.left: Counter[Kind] = Counter()

    def add(self, output: Output) -> None:
        """Note an output; with --strict, a problem ends the command."""
        self.total += 1
        self.unmet += not output.met
        self.left.update(output.left)
        if output.unmatched is not None:
            missing = output.unmatched
            self.unmatched = missing if self.unmatched is None else self.unmatched & missing
        for warning in output.warnings:
            console.say(warning)
        for error in output.errors:
            if self.strict or (self.alone and output.unchanged):
                raise error
            self.unchanged["line" if output.unchanged else "sentence"] += 1
            if sum(self.unchanged.values()) <= _SHOWN:
                console.say(f"unchanged: {error}")

    def conclude(self, path: str | None) -> bool:
        """Report how many outputs have problems; return whether any input was bad."""
        if self.total == 0:
            console.say(f"{path}: no lines in it")
        if self.unmet:
            given = [f"--{name.replace('_', '-')} {value}" for name, value in self.limit.items()]
            limit = f"the limit ({' '.join(given)})"
            what = (
                "the output exceeds"
                if self.alone
                else f"{self.unmet} of {self.total} outputs exceed"
            )
            advice = "" if self.may_break else "; --grammar loose cuts further"
            console.say(f"{what} {limit}: nothing admissible fits{advice}")
        if self.left:
            console.say(_describe_left(self.left))
        for keep in sorted(self.unmatched or (), key=str):
            near = keep.nearest_class
            option = f"--{keep.verb}"
            advice = f"; for the class, write {option} {near}" if near else ""
            console.say(f"{option} {keep} matches nothing in the input{advice}")
        for what, number in self.unchanged.items():
            if number:
                several = "s" * (number > 1)
                advice = "(--strict stops at the first)"
                console.say(f"{number} {what}{several} passed through unchanged {advice}")
        return any(self.unchanged.values())


def _describe_left(left: Counter[Kind]) -> str:
    """Say how much is not English prose, and of what kind."""
    several = left.total() > 1
    subject = f"{left.total()} part{'s' * several} of the input {'are' if several else 'is'}"
    kinds = ", ".join([f"{number} {kind.described}" for kind, number in left.most_common()])
    verb = "stay" if several else "stays"
    return (
        f"{subject} not English prose and {verb} unchanged: {kinds} "
        "(--language any shortens everything)"
    )

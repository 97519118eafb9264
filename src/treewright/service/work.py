"""What a worker process does: one job at a time, from plain values to the bytes of an answer."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from treewright.alignment import METHODS, AlignmentSettings
from treewright.compression import (
    Compression,
    Input,
    Request,
    describe,
    describe_failure,
    mark_deletions,
)
from treewright.documents import DocumentCompressor
from treewright.errors import DataError, TreewrightError
from treewright.files import as_json
from treewright.progress import Progress

if TYPE_CHECKING:
    from treewright.compression import Compressor

_WARM = (
    "Fortunately, nobody was hurt when the old crane, which had been out of use for years, fell "
    "onto two parked cars early on Sunday. The police said that they did not know why."
)


@dataclass(frozen=True)
class Shortening:
    """Texts to shorten: one that is answered by its own result or error, or a list."""

    items: Sequence[Input]
    request: Request
    model: str
    format: str = "auto"
    alone: bool = False
    diff: bool = False
    lines: bool = False
    """Whether the answer is JSON Lines."""


@dataclass(frozen=True)
class Parsing:
    """A text to parse."""

    text: str


@dataclass(frozen=True)
class Aligning:
    """Sentences and their translations, whose words are to be linked."""

    sources: Sequence[Sequence[str]]
    targets: Sequence[Sequence[str]]
    settings: AlignmentSettings


class Warming(NamedTuple):
    """Load everything and do everything once."""


Job: TypeAlias = Shortening | Parsing | Aligning | Warming


@dataclass(frozen=True)
class Answer:
    """A body of JSON; `failed` says that it is a text of the library about what is wrong."""

    body: bytes = b""
    failed: str | None = None


@dataclass
class Work:
    """Does jobs, with the models of the service, which it loads when it is warmed."""

    models: dict[str, str]
    remember: int
    _compressors: dict[str, Compressor] = field(default_factory=dict, repr=False)

    def __call__(self, job: Job, progress: Progress) -> Answer:
        """Do a job; what is wrong with the data is an answer too."""
        try:
            if isinstance(job, Shortening):
                return self._shorten(job)
            if isinstance(job, Parsing):
                return _parse(job)
            if isinstance(job, Aligning):
                return _align(job)
            return self._warm()
        except TreewrightError as error:
            return Answer(failed=str(error))

    def _shorten(self, job: Shortening) -> Answer:
        compressor = self._reader(job)
        good = compressor.compress_each(
            [item.text for item in job.items if not isinstance(item.text, DataError)], job.request
        )
        described = []
        for item in job.items:
            result = item.text if isinstance(item.text, DataError) else next(good)
            if isinstance(result, DataError) and job.alone:
                return Answer(failed=str(result))
            described.append(_describe(item, result, job))
        if job.lines:
            return Answer("".join([f"{as_json(each)}\n" for each in described]).encode())
        return Answer(as_json(described[0] if job.alone else {"results": described}).encode())

    def _reader(self, job: Shortening) -> Compressor | DocumentCompressor:
        """Return what shortens texts of the format that a job names; lists of tokens have none."""
        compressor = self._compressors[job.model]
        documents = all(isinstance(item.text, str | DataError) for item in job.items)
        if not documents or job.lines or job.format == "plain":
            return compressor
        return DocumentCompressor(compressor, format=job.format)

    def _warm(self) -> Answer:
        from treewright.compiling import expect_work
        from treewright.compression import Compressor, Drop, Keep, Limit

        if hasattr(signal, "SIGTERM"):
            # A signal for all processes of the service is the parent's business.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if not self.models or self._compressors:
            return Answer()
        expect_work()
        for name, path in self.models.items():
            self._compressors[name] = Compressor.load(path, remember=self.remember)
            keep, drop = (Keep.parse("numbers"),), (Drop.parse("parked"),)
            limits = [Limit(), Limit(rate=0.5), Limit(max_chars=60), Limit(max_tokens=9)]
            # One that nothing meets, so that grammar gives way.
            for limit in (*limits, Limit(max_words=3)):
                request = Request(
                    limit=limit,
                    keep=keep,
                    drop=drop,
                    grammar="loose",
                    explain=True,
                    alternatives=2,
                )
                items = (Input(_WARM, _WARM, ""),)
                self._shorten(Shortening(items, request, name))
                self._shorten(Shortening(items, replace(request, explain=False), name))
        _parse(Parsing(_WARM))
        for method in METHODS:
            _align(Aligning([["a", "b"]], [["c", "d"]], AlignmentSettings(method=method)))
        return Answer()


def _describe(item: Input, result: Compression | DataError, job: Shortening) -> dict[str, Any]:
    if isinstance(result, DataError):
        return describe_failure(item, result)
    details = job.request.explain or job.request.alternatives > 0
    described = describe(item, result, details=details, errors=result.errors)
    if job.diff:
        described["diff"] = mark_deletions(result.source, result.spans)
    return described


def _parse(job: Parsing) -> Answer:
    from treewright.parsing import describe_parse, open_parser, parse_each
    from treewright.text import split_sentences

    sentences = list(split_sentences(job.text))
    found = parse_each(open_parser(), [each.words for each in sentences]) if sentences else []
    described = []
    for sentence, tree in zip(sentences, found, strict=True):
        is_error = isinstance(tree, DataError)
        described.append(
            describe_parse(
                sentence.detokenize(),
                sentence.words,
                None if isinstance(tree, DataError) else tree,
                span=(sentence.start, sentence.end),
                spans=[(token.start, token.end) for token in sentence.tokens],
                error=str(tree) if is_error else None,
            )
        )
    return Answer(as_json({"sentences": described}).encode())


def _align(job: Aligning) -> Answer:
    from treewright.alignment import Text, align_text

    text = Text.of(zip(job.sources, job.targets, strict=True), lowercase=True)
    links = align_text(text, job.settings)
    written = [" ".join(f"{s}-{t}" for s, t in links[place]) for place in range(len(links))]
    return Answer(as_json({"alignments": written}).encode())

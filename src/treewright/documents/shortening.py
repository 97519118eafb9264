"""Shortening documents: their prose as one text, everything else byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath

from treewright.compression import Compression, Compressor, Keep, Request, Text
from treewright.documents.cues import CueLimit, shorten_subtitles
from treewright.documents.markdown import Page, broken, may_start_line, read_page
from treewright.documents.rewriting import Manuscript
from treewright.errors import DataError, UsageError, choose

SUBTITLES = ("srt", "vtt")
FORMATS = ("plain", "markdown", *SUBTITLES)
_SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".mdown": "markdown"}
_SUFFIXES |= {".srt": "srt", ".vtt": "vtt"}
_VTT = re.compile(r"\ufeff?WEBVTT(?:[ \t\r\n]|\Z)")
_SRT = re.compile(r"\ufeff?\s*\d+[ \t]*\r?\n\d+:\d\d:\d\d[,.]\d{1,3}[ \t]*-->")
NO_CUES = CueLimit()


def find_format(text: str, name: str | None = None, format: str = "auto") -> str:
    """Return a format by its name or, if that is `auto`, that of a text, from a file of that name.

    Subtitles are known by how they begin, Markdown only by the name of its file.
    """
    if choose(format, ("auto", *FORMATS), "format") != "auto":
        return format
    suffix = PurePath(name).suffix.lower() if name else ""
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if _VTT.match(text):
        return "vtt"
    return "srt" if _SRT.match(text) else "plain"


class DocumentCompressor:
    """A compressor of documents in one format, or in that which each appears to have (`auto`).

    It offers `compress_each` like a `Compressor`, and its results have the same type: their source,
    text and spans are those of the document. `name` is that of the file a document comes from.
    """

    def __init__(
        self,
        compressor: Compressor,
        *,
        format: str = "auto",
        name: str | None = None,
        cues: CueLimit = NO_CUES,
    ) -> None:
        find_format("", name, format)
        self.cues = cues
        self.compressor = compressor
        self.format = format
        self.name = name

    def compress_each(
        self, texts: Iterable[Text], request: Request | None = None
    ) -> Iterator[Compression | DataError]:
        """Shorten documents in order, with an error in place of each bad one."""
        asked = request or Request()
        for text in texts:
            if not isinstance(text, str):
                raise UsageError("a document is a string; tokens have no format")
            found = find_format(text, self.name, self.format)
            try:
                yield self._shorten(text, found, asked)
            except DataError as error:
                yield error

    def _shorten(self, text: str, format: str, request: Request) -> Compression:
        if format in SUBTITLES:
            return shorten_subtitles(text, self.compressor, request, self.cues)
        if self.cues.is_given:
            raise UsageError(f"limits of cues are for subtitles, this is {format}")
        if format == "markdown":
            return _shorten_markdown(text, self.compressor, request)
        return _shorten_text(text, self.compressor, request)


def shorten_document(
    text: str,
    compressor: Compressor,
    request: Request | None = None,
    *,
    format: str = "auto",
    name: str | None = None,
    cues: CueLimit = NO_CUES,
) -> Compression:
    """Shorten the prose of a document and leave the rest of it byte for byte.

    `format` is plain, markdown, srt, vtt or auto, which goes by the `name` of the file and by how
    subtitles begin; `cues` limits each cue of these. The result has the document as its source and
    text, and in its spans what is left of it. What cannot be processed raises a `DataError`.
    """
    documents = DocumentCompressor(compressor, format=format, name=name, cues=cues)
    return _shorten_text(text, documents, request)


def _shorten_text(
    text: Text, compressor: Compressor | DocumentCompressor, request: Request | None
) -> Compression:
    [result] = compressor.compress_each([text], request)
    if isinstance(result, DataError):
        raise result
    return result


def _shorten_markdown(text: str, compressor: Compressor, request: Request) -> Compression:
    """Shorten paragraphs; links and code stay, unless a limit cannot be met otherwise."""
    page = read_page(text)
    if not page.passages:
        return Compression(text, text, ((0, len(text)),) if text else (), ())
    result = _shorten_page(page, compressor, request, held=True)
    if not result.met:
        looser = _shorten_page(page, compressor, request, held=False)
        result = looser if looser.met else result
    return replace(result, unmatched=_unmatched(page, result.unmatched))


def _shorten_page(page: Page, compressor: Compressor, request: Request, held: bool) -> Compression:
    """Shorten passages, and leave those unchanged that would turn into something else."""
    manuscript = Manuscript(page.source, page.passages, may_start_line)
    fixed = [False] * len(page.passages)
    while True:
        prose = manuscript.prose(held=held, fixed=fixed).with_measure(
            lambda result: request.limit.measure(manuscript.write(result))
        )
        result = _shorten_text(prose, compressor, request)
        text = manuscript.write(result)
        bad = _bad_passages(page, manuscript, result, text)
        if not bad:
            return manuscript.in_source(result, text)
        for number in bad:
            fixed[number] = True


def _bad_passages(page: Page, manuscript: Manuscript, result: Compression, text: str) -> list[int]:
    """Return the passages that do not read as they should once they are part of the document."""
    letters = manuscript.divided(result)
    plain = [passage.plain for passage in page.passages]
    after = ["".join([letter.text for letter in own]) for own in letters]
    if not broken(page, text, after):
        return []
    changed = [n for n, (one, other) in enumerate(zip(plain, after, strict=True)) if one != other]
    bad = []
    for number in changed:
        alone = [*plain[:number], after[number], *plain[number + 1 :]]
        if broken(page, manuscript.write_only(number, letters[number]), alone):
            bad.append(number)
    return bad or changed


def _unmatched(page: Page, unmatched: tuple[Keep, ...]) -> tuple[Keep, ...]:
    """Leave out what occurs in code or addresses, which stay anyway."""
    written = " ".join(
        [
            page.source[passage.spans[a][0] : passage.spans[b - 1][1]].casefold()
            for passage in page.passages
            for a, b in passage.atoms
        ]
    )
    return tuple([k for k in unmatched if k.kind == "pattern" or k.value.casefold() not in written])

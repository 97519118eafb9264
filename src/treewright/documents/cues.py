"""Shortening subtitles: every cue within its own limits, its times as they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from treewright.compression import Compression, Compressor, Limit, Prose, Request, Shortened
from treewright.documents.passages import Letter, Passage, Span
from treewright.documents.rewriting import GAP, Manuscript
from treewright.documents.subtitles import Cue, read_cues
from treewright.errors import DataError, UsageError
from treewright.text import is_word

_ROOM = 1_000_000
"""What a cue's own limit is counted as, so that one request serves all cues."""
_MOST = 4
"""The most cues that a sentence is followed through."""


@dataclass(frozen=True, kw_only=True)
class CueLimit:
    """How much a cue may hold: lines, characters in a line, characters for each second it is shown.

    Tags do not count; spaces and marks do.
    """

    line_chars: int | None = None
    lines: int | None = None
    second_chars: float | None = None

    def __post_init__(self) -> None:
        for name in ("line_chars", "lines", "second_chars"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int | float) and value > 0):
                raise UsageError(f"{name} must be above 0, found {value!r}")
        if self.lines is not None and self.line_chars is None:
            raise UsageError("lines are limited by their characters, too: give line_chars")

    @property
    def is_given(self) -> bool:
        """Whether there is any limit."""
        return self.line_chars is not None or self.second_chars is not None

    def fits(self, lines: Sequence[str], seconds: float) -> bool:
        """Whether lines are within all limits as they are."""
        if self.line_chars is not None and any(len(line) > self.line_chars for line in lines):
            return False
        return (self.lines is None or len(lines) <= self.lines) and self.excess(lines, seconds) <= 0

    def excess(self, texts: Sequence[str], seconds: float) -> int:
        """Return by how many characters the texts of a cue, each on lines of its own, are too
        long.
        """
        size = sum(map(len, texts))
        over = 0
        if self.second_chars is not None:
            over = size - math.floor(self.second_chars * max(seconds, 0.0))
        if self.line_chars is None or self.lines is None:
            return over
        if sum(len(wrap(text, self.line_chars)) for text in texts) > self.lines:
            over = max(over, 1, size - self.lines * self.line_chars)
        longest = max([len(word) for text in texts for word in text.split(" ")], default=0)
        return max(over, longest - self.line_chars)


def wrap(text: str, width: int | None) -> list[str]:
    """Break a text into as few lines as fit the width, as even as possible."""
    if width is None or len(text) <= width:
        return [text]
    lines = _greedy(text, width)
    while width > 1 and len(narrower := _greedy(text, width - 1)) == len(lines):
        width, lines = width - 1, narrower
    return lines


def _greedy(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def shorten_subtitles(
    source: str, compressor: Compressor, request: Request, limit: CueLimit
) -> Compression:
    """Shorten the cues that exceed their limits, or all if there is no limit.

    A sentence is read through the cues it runs over; none of them is left empty.
    """
    if limit.is_given and request.limit.is_given:
        raise UsageError("a limit of cues and another limit contradict each other; give one kind")
    if request.limit.unit != "words" or request.limit.max_words is not None:
        raise UsageError(
            "subtitles are limited by cue (--cue-line-chars, --cue-lines, --cue-second-chars) or by"
            " --rate"
        )
    asked = replace(request, limit=Limit(max_chars=_ROOM)) if limit.is_given else request
    cues = [cue for cue in read_cues(source) if cue.passages]
    scenes = [_Scene(source, group, limit) for group in _groups(cues)]
    parts = []
    for scene, result in zip(scenes, _results(scenes, compressor, asked), strict=True):
        parts += [(scene, result)] if scene.is_good(result) else []
        if not scene.is_good(result):
            alone = [_Scene(source, (cue,), limit) for cue in scene.cues]
            parts += [*zip(alone, _results(alone, compressor, asked), strict=True)]
    return _put_together(source, parts)


def _results(
    scenes: Sequence[_Scene], compressor: Compressor, request: Request
) -> Iterator[Compression]:
    texts = [scene.prose() for scene in scenes]
    for result in compressor.compress_each(texts, request):
        if isinstance(result, DataError):
            raise result
        yield result


def _groups(cues: Sequence[Cue]) -> Iterator[tuple[Cue, ...]]:
    """Put cues together that a sentence may run over."""
    group: list[Cue] = []
    for cue in cues:
        if group and not (group[-1].is_open and len(cue.passages) == 1 and len(group) < _MOST):
            yield tuple(group)
            group = []
        group.append(cue)
    if group:
        yield tuple(group)


class _Scene:
    """Cues that are shortened together, and what is left of them."""

    def __init__(self, source: str, cues: tuple[Cue, ...], limit: CueLimit) -> None:
        self.source = source
        self.cues = cues
        self.limit = limit
        self.passages = [passage for cue in cues for passage in cue.passages]
        self.manuscript = Manuscript(source, self.passages, gap="\n" if len(cues) > 1 else GAP)

    def prose(self) -> Prose:
        """Return the text of all cues."""
        prose = self.manuscript.prose(held=False, fixed=[False] * len(self.passages))
        return prose.with_measure(self._measure) if self.limit.is_given else prose

    def is_good(self, result: Compression) -> bool:
        """Whether a result meets all limits and leaves something of every cue."""
        left = self.manuscript.divided(result)
        return len(self.cues) == 1 or (result.met and all(map(_has_words, left)))

    def _measure(self, result: Compression) -> int:
        over = 0
        for cue, texts in self._texts(result):
            if all(map(_has_words, texts)):
                over += max(0, self.limit.excess(texts, cue.seconds))
            else:
                over += 1
        return _ROOM + over

    def _texts(self, result: Compression) -> Iterator[tuple[Cue, list[str]]]:
        left = iter(self.manuscript.divided(result))
        for cue in self.cues:
            own = [next(left) for _ in cue.passages]
            leads = zip(cue.leads, own, strict=True)
            yield cue, [_led(lead, text) if _has_words(text) else "" for lead, text in leads]

    def written(self, result: Compression) -> Iterator[tuple[Passage, str]]:
        """Yield the passages and their new text, wrapped anew unless a cue is as it was."""
        left = iter(self.manuscript.divided(result))
        for cue in self.cues:
            own = [(p, lead, next(left)) for p, lead in zip(cue.passages, cue.leads, strict=True)]
            same = all(_led("", letters) == _led("", p.letters) for p, _, letters in own)
            keep = same and self.limit.fits(cue.written(self.source), cue.seconds)
            for passage, lead, letters in own:
                if keep or (same and not self.limit.is_given):
                    yield passage, self.source[passage.start : passage.end]
                else:
                    yield passage, passage.write(self._wrapped(cue, lead, letters))

    def _wrapped(self, cue: Cue, lead: str, letters: Sequence[Letter]) -> list[Letter]:
        """Return letters with line breaks between the lines they make, no longer than before if
        there is no limit.
        """
        text = _led(lead, letters)
        width = self.limit.line_chars or max(map(len, cue.written(self.source)))
        ends, place = set(), -len(lead)
        for line in wrap(text, width)[:-1]:
            place += len(line)
            ends.add(place)
            place += 1
        new_line = "\r\n" if "\r\n" in self.source else "\n"
        wrapped = []
        for number, letter in enumerate(letters):
            if letter.text.isspace():
                letter = Letter(new_line if number in ends else " ", -1)
            wrapped.append(letter)
        return wrapped


def _has_words(left: Sequence[Letter] | str) -> bool:
    """Whether something is left besides marks."""
    return any(is_word(each if isinstance(each, str) else each.text) for each in left)


def _led(lead: str, letters: Sequence[Letter]) -> str:
    """Return a text on one line behind what leads to it, which is not broken."""
    text = "".join([" " if letter.text.isspace() else letter.text for letter in letters])
    return lead.replace(" ", "\xa0") + text


def _put_together(source: str, parts: Sequence[tuple[_Scene, Compression]]) -> Compression:
    """Return one result for the whole file."""
    texts: list[str] = []
    spans: list[Span] = []
    sentences: list[Shortened] = []
    place = 0
    for scene, result in parts:
        for passage, text in scene.written(result):
            texts += [source[place : passage.start], text]
            place = passage.end
        placed = scene.manuscript.in_source(result, "")
        spans = _clipped(spans, placed.spans, scene.passages)
        sentences += placed.sentences
    texts.append(source[place:])
    met = all(result.met for _, result in parts)
    missing = [set(result.unmatched) for _, result in parts]
    unmatched = (
        tuple([k for k in parts[0][1].unmatched if all(k in m for m in missing)]) if parts else ()
    )
    whole = tuple(spans) if parts else ((0, len(source)),)
    return Compression(source, "".join(texts), whole, tuple(sentences), met, unmatched)


def _clipped(
    known: Sequence[Span], spans: Sequence[Span], passages: Sequence[Passage]
) -> list[Span]:
    """Take the spans of some passages, up to the end of the document, into those known so far."""
    start = passages[0].start
    before = [(a, min(b, start)) for a, b in known if a < start]
    after = [(max(a, start), b) for a, b in spans if b > start]
    if before and after and before[-1][1] == after[0][0]:
        before[-1:] = [(before[-1][0], after[0][1])]
        del after[0]
    return [*before, *after]

"""Subtitles: the cues of SubRip and WebVTT files, and their text as passages."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.documents.passages import Pair, Passage, Span
from treewright.errors import DataError

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_TIME = r"(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMING = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}(?:[ \t].*)?$")
_MARKUP = re.compile(r"<(/?)([A-Za-z]*)[^<>\n]*>|\{\\[^{}\n]*\}|&(?:#\d+|#x[\da-fA-F]+|\w+);")
_BEFORE = re.compile(
    r"(?:\s|<v(?:[. ][^<>\n]*)?>|\{\\[^{}\n]*\}|[-–—‐](?!-)|>>|[A-Z][A-Z0-9 .'’-]*:\s)+"
)
"""What stands before the words: positions, a dash or a name that says who speaks."""
_SPEAKS = re.compile(
    r"[ \t]*(?:\{\\[^{}\n]*\}|<i>)?[ \t]*(?:[-–—‐](?!-)|>>|<v[. ]|[A-Z][A-Z0-9 .'’-]*:\s)"
)
_NO_SPEECH = re.compile(
    r"[ \t]*(?:<[^<>]*>)*[ \t]*(?:\[[^\]]*\]|\([^)]*\)|[♪♫#].*)[ \t]*(?:<[^<>]*>)*[ \t]*$", re.S
)
_ENDED = re.compile(r"[.?!…:;♪\])][\"'”’)\]]*$")


@dataclass(frozen=True)
class Cue:
    """A cue: when it is shown, where its lines stand in the file, and its text.

    It has a passage for each speaker if there are several, and none if nobody speaks. `leads` is
    what a reader sees before each: a dash, a name.
    """

    seconds: float
    lines: tuple[Span, ...]
    passages: tuple[Passage, ...]
    leads: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """Whether its sentence may go on in the next cue."""
        return len(self.passages) == 1 and not _ENDED.search(self.passages[0].plain.rstrip())

    def written(self, source: str) -> list[str]:
        """Return its lines without tags."""
        return [_bare(source[start:end]) for start, end in self.lines]


def _bare(line: str) -> str:
    return _MARKUP.sub(lambda found: html.unescape(found[0]) if found[0][0] == "&" else "", line)


def read_cues(source: str) -> list[Cue]:
    """Find the cues of a file: a line with two times, and those behind it up to an empty one."""
    cues = []
    lines = [match.span(1) for match in _LINE.finditer(source)]
    number = 0
    while number < len(lines):
        timing = _TIMING.match(source[slice(*lines[number])])
        number += 1
        if timing is None:
            continue
        first = number
        while number < len(lines) and source[slice(*lines[number])].strip():
            number += 1
        times = timing.groups()
        seconds = _seconds(times[4:]) - _seconds(times[:4])
        own = tuple(lines[first:number])
        passages = tuple(_passages(source, own))
        leads = [
            _bare(source[start : each.start])
            for each in passages
            for start, end in own
            if start <= each.start < end
        ]
        cues.append(Cue(seconds, own, passages, tuple(leads)))
    if source.strip() and not cues and not source.lstrip("\ufeff").startswith("WEBVTT"):
        raise DataError("no cue in it; expected lines such as 00:00:01,000 --> 00:00:03,000")
    return cues


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = [part or "0" for part in parts]
    return 3600 * int(hours) + 60 * int(minutes) + int(seconds) + int(fraction.ljust(3, "0")) / 1000


def _passages(source: str, lines: tuple[Span, ...]) -> Iterator[Passage]:
    """Yield a passage for all lines, or for each speaker's."""
    speeches: list[list[Span]] = []
    for span in lines:
        if not speeches or _SPEAKS.match(source[slice(*span)]):
            speeches.append([])
        speeches[-1].append(span)
    for speech in speeches:
        text = source[speech[0][0] : speech[-1][1]]
        before = _BEFORE.match(text)
        start = speech[0][0] + (before.end() if before else 0)
        if _NO_SPEECH.match(text) or start >= speech[-1][1]:
            continue
        passage = _passage(source, start, speech)
        if any(character.isalpha() for character in passage.plain):
            yield passage


def _passage(source: str, start: int, lines: list[Span]) -> Passage:
    end = lines[-1][1]
    passage = Passage(source, start, end)
    pairs, points = _tags(source, start, end)
    passage.pairs += pairs
    passage.points += points
    hidden = {span for pair in pairs for span in pair} | set(points)
    for number, (low, high) in enumerate(lines):
        place = max(low, start)
        if number:
            passage.add_break(lines[number - 1][1], low)
        for found in _MARKUP.finditer(source, place, high):
            passage.add(place, found.start())
            place = found.end()
            if found.span() not in hidden:
                passage.add_as(html.unescape(found[0]), *found.span())
        passage.add(place, high)
    # Space at the end is written before what closes there, and nobody sees it.
    passage.strip_end(end)
    return passage


def _tags(source: str, start: int, end: int) -> tuple[list[Pair], list[Span]]:
    """Return the tags that enclose something, and those that stand alone."""
    pairs: list[Pair] = []
    points: list[Span] = []
    waiting: list[tuple[str, Span]] = []
    for found in _MARKUP.finditer(source, start, end):
        if found[0][0] == "&":
            continue
        closes, name = found[1], found[2]
        if closes and waiting and waiting[-1][0] == name:
            pairs.append(Pair(waiting.pop()[1], found.span()))
        elif not closes and name:
            waiting.append((name, found.span()))
        else:
            points.append(found.span())
    return pairs, sorted([*points, *[span for _, span in waiting]])

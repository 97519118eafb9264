"""`Passage`: a stretch of prose in a document, as a reader sees it, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

Span = tuple[int, int]


class Pair(NamedTuple):
    """Markup around something, as two spans of the document: `**` and `**`, `[` and `](…)`."""

    opening: Span
    closing: Span


class Letter(NamedTuple):
    """A character of a result, and the place in the passage it comes from; -1 if it is new."""

    text: str
    place: int


@dataclass
class Passage:
    """The plain text of `source[start:end]`, in which every character has its span of the source.

    Several characters may share a span: they stand for something that is kept or dropped as one,
    such as code. `pairs` enclose characters and stay as long as one of these does; `points` stay in
    any case. As spans of the plain text, `whole` are characters that stay or go together, `atoms`
    those that stand for one thing, and `strong` those whose sentence is not dropped.
    """

    source: str
    start: int
    end: int
    plain: str = ""
    spans: list[Span] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    points: list[Span] = field(default_factory=list)
    whole: list[Span] = field(default_factory=list)
    atoms: list[Span] = field(default_factory=list)
    strong: list[Span] = field(default_factory=list)

    def add(self, start: int, end: int) -> None:
        """Add what the reader sees as it is written."""
        self.plain += self.source[start:end]
        self.spans += [(place, place + 1) for place in range(start, end)]

    def add_as(self, text: str, start: int, end: int) -> None:
        """Add what the reader sees instead of what is written."""
        self.plain += text
        self.spans += [(start, end)] * len(text)

    def add_atom(self, text: str, start: int, end: int) -> None:
        """Add something that is kept or dropped as one."""
        self.atoms.append((len(self.plain), len(self.plain) + len(text)))
        self.add_as(text, start, end)

    def add_break(self, start: int, end: int) -> None:
        """Add a line break of the source that the reader does not see, with the space before it."""
        self.add_as("\n", self.strip_end(start), end)

    def strip_end(self, end: int) -> int:
        """Take away the spaces right before a position of the source; return where they began."""
        while self.plain.endswith((" ", "\t")) and self.spans[-1] == (end - 1, end):
            self.plain = self.plain[:-1]
            end = self.spans.pop()[0]
        return end

    def attach(self, end: int) -> None:
        """Let the last character, or what it is part of, also stand for what follows it."""
        last = self.spans[-1]
        first = len(self.spans)
        while first and self.spans[first - 1] == last:
            first -= 1
        self.spans[first:] = [(last[0], end)] * (len(self.spans) - first)

    def place_of(self, position: int) -> int:
        """Return the first place whose character stands at a position of the source or behind."""
        return next((n for n, span in enumerate(self.spans) if span[1] > position), len(self.spans))

    def write(
        self, letters: Sequence[Letter], may_start: Callable[[str], bool] | None = None
    ) -> str:
        """Write what is left of the passage, with its markup.

        With `may_start`, where a line break was deleted with the words around it, it takes the
        place of the space between their neighbours, so that no line grows, if what follows may
        start a line.
        """
        pieces = _Pieces(self, letters)
        if may_start is not None:
            pieces.add_breaks(may_start)
        return pieces.joined()

    @property
    def letters(self) -> list[Letter]:
        """All of the passage."""
        return [Letter(text, place) for place, text in enumerate(self.plain)]


class _Pieces:
    """The text of each kept character, with markup before and behind it."""

    def __init__(self, passage: Passage, letters: Sequence[Letter]) -> None:
        self.passage = passage
        self.letters = letters
        self.texts = self._texts()
        self.before: list[list[str]] = [[] for _ in range(len(letters) + 1)]
        self.behind: list[list[str]] = [[] for _ in range(len(letters) + 1)]
        self._add_pairs()
        self._add_points()

    def joined(self) -> str:
        parts = []
        for number, text in enumerate(self.texts):
            parts += [*self.before[number], text, *self.behind[number]]
        return "".join([*parts, *self.before[-1]])

    def _texts(self) -> list[str]:
        source, spans, plain = self.passage.source, self.passage.spans, self.passage.plain
        texts = []
        last: Span | None = None
        for text, place in self.letters:
            span = spans[place] if place >= 0 else None
            if span is None or text != plain[place]:
                texts.append(text)
            else:
                # What several characters stand for is written once.
                texts.append("" if span == last else source[span[0] : span[1]])
            last = span
        return texts

    def _add_pairs(self) -> None:
        """Put markup around the first and the last character that it encloses."""
        source, spans = self.passage.source, self.passage.spans
        solid = [
            (number, spans[letter.place])
            for number, letter in enumerate(self.letters)
            if letter.place >= 0 and not letter.text.isspace()
        ]
        for opening, closing in sorted(self.passage.pairs):
            inside = [n for n, span in solid if opening[1] <= span[0] and span[1] <= closing[0]]
            if inside:
                self.before[inside[0]].append(source[opening[0] : opening[1]])
                # Of several characters that stand for one thing, the first writes it.
                self.behind[inside[-1]].insert(0, source[closing[0] : closing[1]])

    def _add_points(self) -> None:
        spans = self.passage.spans
        for start, end in self.passage.points:
            at = next(
                (
                    number
                    for number, letter in enumerate(self.letters)
                    if letter.place >= 0 and spans[letter.place][0] >= end
                ),
                len(self.letters),
            )
            self.before[at].append(self.passage.source[start:end])

    def add_breaks(self, may_start: Callable[[str], bool]) -> None:
        """Write a line break instead of a space where one was deleted, or a space instead of it."""
        source, plain, spans = self.passage.source, self.passage.plain, self.passage.spans
        spaces = [n for n, letter in enumerate(self.letters) if letter.text.isspace()]
        for before, number in pairwise([-1, *spaces]):
            if not 0 < number < len(self.letters) - 1:
                continue
            # A mark may have come from behind the break, as in `name, which …,\nthe`.
            left, right = self.letters[before + 1].place, self.letters[number + 1].place
            found = plain.find("\n", left + 1, right) if 0 <= left < right else -1
            if found < 0:
                continue
            same = right == self.letters[number - 1].place + 2
            if same or self._may_break(number, may_start):
                start, end = spans[found]
                self.texts[number] = source[start:end]
            elif "\n" in self.texts[number] or "\r" in self.texts[number]:
                self.texts[number] = " "

    def _may_break(self, number: int, may_start: Callable[[str], bool]) -> bool:
        rest = []
        for later in range(number + 1, min(number + 12, len(self.texts))):
            rest += [*self.before[later], self.texts[later], *self.behind[later]]
        return may_start("".join(rest))

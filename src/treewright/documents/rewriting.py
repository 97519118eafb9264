"""From the result for a document's prose to the document: what is left of each passage."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from treewright.compression import Compression, Prose, Shortened
from treewright.documents.passages import Letter, Passage, Span
from treewright.text import Token

GAP = "\n\n"
"""What stands between passages that no sentence crosses."""


@dataclass(frozen=True)
class Manuscript:
    """A document whose passages are one text to a compressor, with `gap` between them.

    With `may_start_line`, line breaks stay where they are.
    """

    source: str
    passages: Sequence[Passage]
    may_start_line: Callable[[str], bool] | None = None
    gap: str = GAP

    @cached_property
    def starts(self) -> list[int]:
        """Where each passage begins in the prose."""
        starts, place = [], 0
        for passage in self.passages:
            starts.append(place)
            place += len(passage.plain) + len(self.gap)
        return starts

    def prose(self, *, held: bool, fixed: Sequence[bool]) -> Prose:
        """Return the prose; `fixed` says which passages stay.

        With `held`, code and links stay too, and grammar does not give way for their sake.
        """
        whole, stays, fixes, parts, strong = [], [], [], [], []
        for start, passage, all_of_it in zip(self.starts, self.passages, fixed, strict=True):
            length = len(passage.plain)
            parts.append((start, start + length))
            fixes += [(start, start + length)] if all_of_it else []
            for point in passage.points:
                place = passage.place_of(point[0])
                fixes.append((start + max(place - 1, 0), start + min(place + 1, length)))
            whole += [(start + a, start + b) for a, b in passage.whole]
            strong += [(start + a, start + b) for a, b in passage.strong]
            atoms = sorted([*passage.whole, *passage.atoms])
            stays += [(start + a, start + b) for a, b in atoms]
        return Prose(
            text=self.gap.join([passage.plain for passage in self.passages]),
            whole=tuple(sorted(whole)),
            held=tuple(stays) if held else (),
            fixed=tuple(sorted(fixes)),
            parts=tuple(parts),
            needed=tuple(sorted(strong)),
            strict=held,
        )

    def write(self, result: Compression) -> str:
        """Return the document with what is left of its passages."""
        return self._joined([self._written(n, own) for n, own in enumerate(self.divided(result))])

    def write_only(self, number: int, letters: Sequence[Letter]) -> str:
        """Return the document with one passage changed."""
        texts = [self.source[p.start : p.end] for p in self.passages]
        texts[number] = self._written(number, letters)
        return self._joined(texts)

    def _written(self, number: int, letters: Sequence[Letter]) -> str:
        passage = self.passages[number]
        if "".join([letter.text for letter in letters]) == passage.plain:
            return self.source[passage.start : passage.end]
        return passage.write(letters, self.may_start_line)

    def _joined(self, texts: Sequence[str]) -> str:
        parts, place = [], 0
        for passage, text in zip(self.passages, texts, strict=True):
            parts += [self.source[place : passage.start], text]
            place = passage.end
        return "".join([*parts, self.source[place:]])

    def divided(self, result: Compression) -> list[list[Letter]]:
        """Return what is left of each passage."""
        found: list[list[Letter]] = [[] for _ in self.passages]
        now = 0
        for letter in align(result):
            if letter.place >= 0:
                now = bisect_right(self.starts, letter.place) - 1
            place = letter.place - self.starts[now] if letter.place >= 0 else -1
            if place < len(self.passages[now].plain):
                found[now].append(Letter(letter.text, place))
        return [_stripped(letters) for letters in found]

    def in_source(self, result: Compression, text: str) -> Compression:
        """Return a result for the prose as one for the document, which became `text`."""
        spans = _merged([*self._kept(result)])
        parts = tuple([self._placed(part) for part in result.sentences])
        return replace(result, source=self.source, text=text, spans=spans, sentences=parts)

    def _kept(self, result: Compression) -> list[Span]:
        """Return the spans of the document that are left, with the markup around them."""
        kept, place = [], 0
        for passage, letters in zip(self.passages, self.divided(result), strict=True):
            kept.append((place, passage.start))
            own = [passage.spans[each.place] for each in letters if each.place >= 0]
            for pair in passage.pairs:
                if any(pair.opening[1] <= a and b <= pair.closing[0] for a, b in own):
                    own += pair
            kept += sorted([*own, *passage.points])
            place = passage.end
        return [*kept, (place, len(self.source))]

    def _placed(self, part: Shortened) -> Shortened:
        """Return a sentence with its positions in the document."""
        tokens = []
        for token in part.sentence.tokens:
            start, end = self.span(token.start)[0], self.span(token.end - 1)[1]
            tokens.append(Token(self.source[start:end], start, end))
        placed = replace(part.sentence, text=self.source, tokens=tuple(tokens))
        spans = [(self.span(a)[0], self.span(b - 1)[1]) for a, b in part.spans if a < b]
        return replace(part, sentence=placed, spans=tuple(spans))

    def span(self, place: int) -> Span:
        """Return the span of the document that a character of the prose stands for."""
        now = bisect_right(self.starts, place) - 1
        passage = self.passages[now]
        return passage.spans[min(place - self.starts[now], len(passage.spans) - 1)]


def align(result: Compression) -> list[Letter]:
    """Return the characters of a result with their places in its source.

    They are those of its spans, but a first letter may be a capital, and there may be new spaces.
    """
    places = [place for start, end in result.spans for place in range(start, end)]
    source, letters, at = result.source, [], 0
    for text in result.text:
        own = source[places[at]] if at < len(places) else ""
        if text == own or (own and text == own.upper() and not text.isspace()):
            letters.append(Letter(text, places[at]))
            at += 1
        else:
            letters.append(Letter(text, -1))
    return letters


def _stripped(letters: list[Letter]) -> list[Letter]:
    """Return letters without spaces at either end."""
    start, end = 0, len(letters)
    while start < end and letters[start].text.isspace():
        start += 1
    while start < end and letters[end - 1].text.isspace():
        end -= 1
    # A colon that must stay stays where it was: at the word before it.
    if end - start > 1 and letters[end - 1].text == ":" and letters[end - 2].text.isspace():
        del letters[end - 2]
        end -= 1
    return letters[start:end]


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Join spans that touch or overlap, and leave out empty ones."""
    merged: list[Span] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return tuple(merged)

"""A Markdown document as passages: its paragraphs, and whether it still is what it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from treewright.documents.markdown.inlines import Note, find_links, find_pairs, parser, read_notes
from treewright.documents.passages import Pair, Passage, Span
from treewright.text import scan

if TYPE_CHECKING:
    from markdown_it.token import Token

STAND_IN = "Codename"
"""What the parser reads in place of code and pictures: a name."""
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_LINE = re.compile(r"[^\r\n]*(\r\n|\r|\n|\Z)")
_OTHER_BLOCK = re.compile(r"\$\$|:::|\{[%{:]|\[toc\]", re.IGNORECASE)
"""How paragraphs begin that other tools read as something else."""
_LABEL = re.compile(r"\[\^[^\]\s]+\]:[ \t]*|\[![A-Z]+\][ \t]*(?:\n|\Z)|\[[ xX]\][ \t]+")
"""What comes before the prose: a footnote's label, the kind of an alert, a check box."""
_ATTACHED = re.compile(r"\[\^[^\]\s]+\]")
"""A reference to a footnote, which belongs to the word before it."""
_APART = re.compile(
    r"(?<![\w$])\$(?=\S)[^$\n]*[^\s$\\]\$(?!\d)|(?<!\w):[a-z0-9_+-]*[a-z][a-z0-9_+-]*:"
)
"""Formulas and the names of emoji, which go as one."""
_STARTS_BLOCK = re.compile(r"[-+*#>=|~`<:$]|\d{1,9}[.)](?:\s|\Z)|\[[^\]]*\]:")


class Block(NamedTuple):
    """A token of the block structure and where it stands, to tell whether that has changed."""

    kind: str
    markup: str
    content: str


class Page(NamedTuple):
    """A document: its passages, and its blocks apart from them."""

    source: str
    passages: list[Passage]
    blocks: list[Block]


def read_page(source: str) -> Page:
    """Find the paragraphs of a document, in lists and quotations too; hard breaks divide them.

    Headings, code, tables, HTML, definitions and front matter are not among them.
    """
    text = source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    text = text.removeprefix("\ufeff")
    matter = _FRONT_MATTER.match(text)
    skipped = matter.end() if matter else 0
    markdown = parser()
    environment: dict[str, Any] = {}
    tokens: list[Token] = []
    markdown.block.parse(text[skipped:], markdown, environment, tokens)
    # Where each line begins and ends, without its line break.
    starts = [(match.start(), match.start(1)) for match in _LINE.finditer(source)]
    first = text.count("\n", 0, skipped)
    passages: list[Passage] = []
    blocks: list[Block] = []
    before = ""
    for token in tokens:
        own = token.type == "inline" and before == "paragraph_open"
        if own and token.map is not None:
            lines = starts[first + token.map[0] : first + token.map[1]]
            passages += _Paragraph(source, token.content, lines, environment).passages()
        content = "" if own else token.content + token.info
        blocks.append(Block(token.type, token.markup, content))
        before = token.type
    return Page(source, passages, blocks)


class _Paragraph:
    """A paragraph's text and where each of its lines stands in the source."""

    def __init__(
        self, source: str, content: str, lines: list[Span], environment: dict[str, Any]
    ) -> None:
        self.source = source
        self.content = content
        self.environment = environment
        self.offsets = self._offsets(lines)

    def _offsets(self, lines: list[Span]) -> list[tuple[int, int]] | None:
        """Return the positions in the paragraph and in the source at which each line begins.

        The paragraph's lines are those of the source without what precedes and follows their text;
        `None` if they are not, which white space that was rewritten would cause.
        """
        offsets = []
        place = 0
        for number, line in enumerate(self.content.split("\n")):
            if number >= len(lines):
                return None
            start, end = lines[number]
            written = self.source[start:end]
            bare = line.strip(" \t")
            at = written.rfind(bare)
            if at < 0 or written[at + len(bare) :].strip(" \t"):
                return None
            offsets.append((place + len(line) - len(line.lstrip(" \t")), start + at))
            place += len(line) + 1
        return offsets

    def at(self, position: int) -> int:
        """Return the position in the source of a position in the paragraph."""
        assert self.offsets is not None
        line = 0
        while line + 1 < len(self.offsets) and self.offsets[line + 1][0] <= position:
            line += 1
        begin, start = self.offsets[line]
        return start + position - begin

    def passages(self) -> Iterator[Passage]:
        """Yield the prose between hard breaks; none if markup crosses these."""
        if self.offsets is None or _OTHER_BLOCK.match(self.content):
            return
        notes = read_notes(self.content, self.environment)
        pairs = [*find_pairs(notes), *find_links(notes)]
        breaks = [note for note in notes if _is_hard_break(note)]
        edges = [0, *[edge for note in breaks for edge in (note.start, note.end)]]
        edges.append(len(self.content))
        for opening, closing in pairs:
            if any(opening[1] <= note.start < closing[0] for note in breaks):
                return
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            label = _LABEL.match(self.content, start, end)
            if label:
                start = label.end()
            passage = self._passage(start, end, notes, pairs)
            if passage is not None:
                yield passage

    def _passage(
        self, start: int, end: int, notes: list[Note], pairs: list[tuple[Span, Span]]
    ) -> Passage | None:
        """Return the prose from `start` to `end`, without the heading it may begin with."""
        start = self._past_heading(start, end, notes, pairs)
        while start < end and self.content[start].isspace():
            start += 1
        while start < end and self.content[end - 1].isspace():
            end -= 1
        if start == end:
            return None
        own_pairs = [(a, b) for a, b in pairs if start <= a[0] and b[1] <= end]
        passage = Passage(self.source, self.at(start), self.at(end - 1) + 1)
        for opening, closing in own_pairs:
            spans = [(self.at(a), self.at(b - 1) + 1) for a, b in (opening, closing)]
            passage.pairs.append(Pair(*spans))
        strong = [pair for pair in own_pairs if pair[0][1] - pair[0][0] == 2]
        markup = sorted([span for pair in own_pairs for span in pair])
        _Writer(self, passage, markup).run(start, end, notes)
        links = [pair for pair in find_links(notes) if pair in own_pairs]
        passage.whole += [self._inside(passage, pair) for pair in links]
        passage.strong += [self._inside(passage, pair) for pair in strong]
        return passage if _has_prose(passage) else None

    def _inside(self, passage: Passage, pair: tuple[Span, Span]) -> Span:
        """Return the plain text between markup."""
        (_, start), (end, _) = pair
        return passage.place_of(self.at(start - 1) + 1), passage.place_of(self.at(end - 1) + 1)

    def _past_heading(
        self, start: int, end: int, notes: list[Note], pairs: list[tuple[Span, Span]]
    ) -> int:
        """Return where the prose begins after a run-in heading, such as `**Fast.**` or `` `x`: ``.

        That is strong text, a link or code that ends in a full stop or colon or is followed by a
        colon or dash, if there is more.
        """
        ends = [closing[1] for opening, closing in pairs if opening[0] == start]
        ends += [note.end for note in notes if note.start == start and _is_atom(note)]
        if not ends:
            return start
        last = max(ends)
        rest = self.content[last:end]
        marks = re.match(r"(?:\s*\([^()\n]*\))?\s*(?::|[–—]|-{1,2}(?=\s))\s*", rest)
        if marks and rest[marks.end() :].strip():
            return last + marks.end()
        inner = self.content[start:last].rstrip("*_")
        if inner[-1:] in ".:?!" and inner[-1:] and rest[:1].isspace() and rest.strip():
            return last
        return start


def _is_hard_break(note: Note) -> bool:
    return any(token.type == "hardbreak" for token in note.tokens)


def _is_atom(note: Note) -> bool:
    kinds = {token.type for token in note.tokens}
    return note.rule in ("image", "autolink") or "code_inline" in kinds


def _is_special(note: Note) -> bool:
    """Whether a reader sees something else than what is written, apart from pairs of markup."""
    if note.rule in ("escape", "entity"):
        return bool(note.tokens) and 0 < len(note.tokens[-1].content) < note.end - note.start
    return note.rule in ("newline", "html_inline") or _is_atom(note)


def _has_prose(passage: Passage) -> bool:
    """Whether some word is neither code nor a picture nor part of a link."""
    taken = [*passage.atoms, *passage.whole]
    text = list(passage.plain)
    for start, end in taken:
        text[start:end] = " " * (end - start)
    return any(character.isalpha() for character in text)


class _Writer:
    """Adds what a reader sees of a paragraph to a passage."""

    def __init__(self, paragraph: _Paragraph, passage: Passage, markup: list[Span]) -> None:
        self.paragraph = paragraph
        self.passage = passage
        self.markup = markup

    def run(self, start: int, end: int, notes: list[Note]) -> None:
        """Add everything from `start` to `end`."""
        place = start
        for note in sorted(notes, key=lambda note: (note.start, -note.end)):
            if note.start < place or note.end > end or not _is_special(note):
                continue
            self._text(place, note.start)
            self._note(note)
            place = note.end
        self._text(place, end)

    def _note(self, note: Note) -> None:
        start, end = self.paragraph.at(note.start), self.paragraph.at(note.end - 1) + 1
        if note.rule == "newline":
            # What begins the next line belongs to the break.
            self.passage.add_break(start, self.paragraph.at(note.end))
        elif note.rule == "html_inline":
            self.passage.points.append((start, end))
        elif note.rule == "autolink":
            url = self.paragraph.content[note.start + 1 : note.end - 1]
            self.passage.add_atom(url if len(scan(url)) == 1 else STAND_IN, start, end)
        elif _is_atom(note):
            self.passage.add_atom(STAND_IN, start, end)
        else:
            self.passage.add_as(note.tokens[-1].content, start, end)

    def _text(self, start: int, end: int) -> None:
        """Add text without the markup in it."""
        for low, high in self.markup:
            if start < high and low < end:
                self._plain(start, low)
                start = max(start, high)
        self._plain(start, end)

    def _plain(self, start: int, end: int) -> None:
        """Add text; formulas and the like go as one, footnotes with the word before them."""
        content = self.paragraph.content
        while start < end:
            found = [p.search(content, start, end) for p in (_ATTACHED, _APART)]
            near = min([m for m in found if m], key=lambda m: m.start(), default=None)
            stop = end if near is None else near.start()
            if start < stop:
                self.passage.add(self.paragraph.at(start), self.paragraph.at(stop - 1) + 1)
            if near is None:
                return
            first, last = self.paragraph.at(near.start()), self.paragraph.at(near.end() - 1) + 1
            if near.re is _APART:
                self.passage.add_atom(STAND_IN, first, last)
            else:
                self._attach(first, last)
            start = near.end()

    def _attach(self, first: int, last: int) -> None:
        """Add a reference, and the space before it, to the last character; behind markup it stays
        in any case.
        """
        first = self.passage.strip_end(first)
        plain, spans = self.passage.plain, self.passage.spans
        if plain and not plain[-1].isspace() and spans[-1][1] == first:
            self.passage.attach(last)
        else:
            self.passage.points.append((first, last))


def may_start_line(rest: str) -> bool:
    """Whether a line of a paragraph may begin like this without being anything else."""
    return _STARTS_BLOCK.match(rest) is None or (rest.startswith(("**", "`")) and rest[:3] != "```")


def broken(page: Page, text: str, plain: Sequence[str]) -> bool:
    """Whether a page that was rewritten as `text` has other blocks than before, or passages that
    read otherwise than they should.
    """
    after = read_page(text)
    if after.blocks != page.blocks:
        return True
    seen = "\n".join([passage.plain for passage in after.passages])
    return seen.split() != "\n".join(plain).split()

"""Reading sentences: tokenised lines, or running text split into sentences, both as streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

from treewright.errors import DataError
from treewright.files import check_text, open_text

BATCH = 128
"""Sentences parsed together."""
_BATCH_WORDS = 4096
_CHUNK = 1 << 16
"""How many characters of running text are split at once, if no empty line ends them before."""
_LONGEST = 16 * _CHUNK
"""How many characters without the end of a sentence are read before one is forced."""
_MARK = "\ufeff"

Span = tuple[int, int]


@dataclass(frozen=True)
class Given:
    """A sentence to parse: its tokens, its text, and where it is.

    `span` and `spans` are the positions of running text and of its tokens, in characters of the
    unmodified input: a Windows line end counts as two, a byte order mark as one.
    """

    words: tuple[str, ...]
    text: str
    where: str
    span: Span | None = None
    spans: tuple[Span, ...] = ()


Item = Given | DataError | None
"""A sentence, an error, or the empty line that stands for none."""


def tokenised_lines(path: str) -> Iterator[Item]:
    """Stream one sentence per line, its tokens split at white space; `None` for an empty line."""
    from treewright.corpora import scan_plain

    for where, line in scan_plain(path):
        if isinstance(line, DataError):
            yield line
        else:
            words = tuple(line.split())
            yield Given(words, " ".join(words), where) if words else None


def running_text(path: str) -> Iterator[Item]:
    """Stream the sentences of running text; an empty line always ends one.

    A line that is not UTF-8 is an error in its place, and ends the sentence before it.
    """
    with open_text(path, exact=True) as handle:
        text = _Text(path)
        for line, column, piece in _pieces(handle):
            try:
                check_text(piece, path, line, column)
            except DataError as error:
                yield from text.flush()
                text.skip(piece)
                yield error
                continue
            text.pending += piece
            if column == 1 and not piece.strip():
                yield from text.flush()
            elif len(text.pending) >= _CHUNK:
                # Text that never ends a sentence is cut anyway, so memory stays bounded.
                yield from text.flush(whole=len(text.pending) >= _LONGEST)
        yield from text.flush()


def _pieces(handle: TextIO) -> Iterator[tuple[int, int, str]]:
    """Yield lines, very long ones in pieces, each with its line and its first column, from 1.

    A byte order mark comes before the first column.
    """
    line = column = 1
    while piece := handle.readline(_CHUNK):
        if line == column == 1 and piece[0] == _MARK:
            column = 0
        yield line, column, piece
        if piece.endswith("\n"):
            line, column = line + 1, 1
        else:
            column += len(piece)


class _Text:
    """Running text that is not yet split into sentences, and where it starts."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.pending = ""
        self.start = 0
        self.line = 1

    def skip(self, piece: str) -> None:
        """Go past a piece of text."""
        self.start += len(piece)
        self.line += piece.count("\n")

    def flush(self, *, whole: bool = True) -> Iterator[Item]:
        """Yield the sentences; the last may continue in what is read next, and can be kept.

        Where the one before it ends may depend on what follows, so both are kept. Of two or fewer,
        only the last word is kept, which may continue.
        """
        from treewright.text import Sentence, split_sentences

        sentences = split_sentences(self.pending)
        end = len(self.pending)
        if not whole and len(sentences) > 2:
            end = sentences[-2].start
            del sentences[-2:]
        elif not whole and sentences:
            *rest, last = sentences.pop().tokens
            end = last.start
            sentences += [Sentence(self.pending, tuple(rest))] if rest else []
        line, counted = self.line, 0
        for sentence in sentences:
            line += self.pending.count("\n", counted, sentence.start)
            counted = sentence.start
            yield Given(
                words=tuple(sentence.words),
                text=self.pending[sentence.start : sentence.end],
                where=f"{self.path}:{line}",
                span=self._span(sentence.start, sentence.end),
                spans=tuple(self._span(token.start, token.end) for token in sentence.tokens),
            )
        self.skip(self.pending[:end])
        self.pending = self.pending[end:]

    def _span(self, start: int, end: int) -> Span:
        return self.start + start, self.start + end


def in_batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Group items so that a parser has enough to do at once, while memory stays bounded."""
    batch: list[Item] = []
    words = 0
    for item in items:
        batch.append(item)
        words += len(item.words) if isinstance(item, Given) else 0
        if len(batch) >= BATCH or words >= _BATCH_WORDS:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch


READERS: dict[bool, Callable[[str], Iterator[Item]]] = {True: tokenised_lines, False: running_text}
"""How to read a file, by whether it is tokenised."""

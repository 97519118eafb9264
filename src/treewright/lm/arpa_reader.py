"""Reading the sections of an ARPA file.

Words are separated by white space in ASCII, so bytes are split, and only the words of the
vocabulary are decoded. Kernels read ordinary rows; any other line is read here, or reported.
"""

from __future__ import annotations

import gzip
import math
import re
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from treewright.compiling import expect_work
from treewright.errors import DataError, ParseError
from treewright.files import check_path
from treewright.lm._reading_kernels import WordTable, fill_slots, read_rows
from treewright.lm.arrays import BEGIN, END, MAX_ORDER, SPECIAL, UNKNOWN
from treewright.lm.rows import Rows

MISSING_UNKNOWN = -100.0
"""The log10-probability of `<unk>` in a file that has none, as KenLM has it."""
_GZIP = b"\x1f\x8b"
"""How a file compressed by gzip begins."""
_UPPER_UNKNOWN = re.compile(rb"(?<=\s)<UNK>(?=\s)")


def read_sections(path: str | Path) -> tuple[list[str], list[Rows]]:
    """Read an ARPA file (`-`: standard input); return its words and the n-grams of each order."""
    content = _content(path)
    if b"<UNK>" in content:
        content = _UPPER_UNKNOWN.sub(b"<unk>", content)
    reader = _Reader(content, str(path))
    counts = reader.counts()
    expect_work(sum(counts))
    sections = [reader.section(k + 1, counts) for k in range(len(counts))]
    return reader.words(), sections


def _content(path: str | Path) -> bytes:
    """Return the bytes of a file, unpacked if they are compressed."""
    check_path(path)
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
        return gzip.decompress(content) if content.startswith(_GZIP) else content
    except (OSError, EOFError, zlib.error) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise DataError(f"cannot read it: {what}", where=str(path)) from None


@dataclass
class _Reader:
    """Reads an ARPA file line by line, and knows in which line it is."""

    text: bytes
    path: str
    at: int = 0
    line: int = 0
    number: dict[bytes, int] = field(
        default_factory=lambda: {word.encode(): i for i, word in enumerate(SPECIAL)}
    )
    line_of: list[int] = field(default_factory=lambda: [0] * len(SPECIAL))
    """In which line each word has its unigram; 0 if it has none."""

    def error(self, message: str, line: int | None = None) -> ParseError:
        """Return an error at a line, by default the one just read."""
        return ParseError(message, where=f"{self.path}:{self.line if line is None else line}")

    def _next(self) -> bytes:
        """Return the next line that is not blank."""
        while self.at < len(self.text):
            end = self.text.find(b"\n", self.at)
            end = len(self.text) if end < 0 else end
            text = self.text[self.at : end].strip()
            self.at, self.line = end + 1, self.line + 1
            if text:
                return text
        raise self.error("the file ends here, before \\end\\; it is not whole")

    def counts(self) -> list[int]:
        """Read the header, to the line `\\1-grams:`; return how many n-grams it promises."""
        start = re.search(rb"^\s*\\data\\\s*$", self.text, re.MULTILINE)
        if start is None:
            raise self.error("no line \\data\\; this is not an ARPA file", 1)
        self.line = self.text.count(b"\n", 0, start.end())
        self.at = start.end()
        counts: list[int] = []
        while (text := self._next()).startswith(b"ngram "):
            order, _, count = text[6:].replace(b" ", b"").partition(b"=")
            if order != str(len(counts) + 1).encode() or not count.isdigit():
                raise self.error(f"expected 'ngram {len(counts) + 1}=COUNT', found {_show(text)}")
            counts.append(int(count))
        if not counts or text != b"\\1-grams:":
            raise self.error(f"expected 'ngram N=COUNT' or \\1-grams:, found {_show(text)}")
        if len(counts) > MAX_ORDER:
            raise self.error(f"a model of order {len(counts)}; up to {MAX_ORDER} can be read", 1)
        return counts

    def section(self, order: int, counts: Sequence[int]) -> Rows:
        """Read the n-grams of an order, and the heading behind them."""
        count = counts[order - 1]
        rows = self._unigrams(count) if order == 1 else self._ngrams(order, count)
        heading = self._next()
        expected = b"\\end\\" if order == len(counts) else f"\\{order + 1}-grams:".encode()
        if heading != expected:
            raise self.error(f"expected {expected.decode()}, found {_show(heading)}")
        if order == 1:
            rows = self._completed(rows)
        rows.check(self.path)
        return rows

    def _room(self, order: int, count: int) -> Rows:
        """Return room for the n-grams that were promised, or for as many as there can be."""
        most = (len(self.text) - self.at) // (2 * order + 2) + 1
        return Rows.empty(min(count, most), order)

    def _unigrams(self, count: int) -> Rows:
        rows = self._room(1, count)
        for row in range(count):
            fields = self._fields(1, row, count)
            number = self.number.setdefault(fields[1], len(self.line_of))
            if number == len(self.line_of):
                self.line_of.append(0)
            if self.line_of[number]:
                raise self.error(
                    f"{_show(fields[1])} has a unigram already, in line {self.line_of[number]}"
                )
            self.line_of[number] = self.line
            self._fill(rows, row, fields)
        return rows

    def _completed(self, rows: Rows) -> Rows:
        """Check that a model can begin and end sentences; add `<unk>` where it is missing."""
        for number in (BEGIN, END):
            if not self.line_of[number]:
                raise self.error(f"no unigram of {SPECIAL[number]} before this line")
        if self.line_of[UNKNOWN]:
            return rows
        complete = rows.with_added([(UNKNOWN,)])
        complete.log_prob[-1] = MISSING_UNKNOWN
        return complete

    def _ngrams(self, order: int, count: int) -> Rows:
        rows, content = self._room(order, count), np.frombuffer(self.text, np.uint8)
        row = 0
        while row < count:
            self.at, self.line, row = read_rows(
                content,
                self.at,
                self.line,
                self._table,
                rows.words,
                rows.log_prob,
                rows.back_off,
                rows.line,
                row,
            )
            if row < count:
                self._fill(rows, row, self._fields(order, row, count))
                row += 1
        return rows

    @cached_property
    def _table(self) -> WordTable:
        start = np.zeros(len(self.number) + 1, np.int64)
        np.cumsum([len(word) for word in self.number], out=start[1:])
        slots = np.full(1 << (2 * len(self.number)).bit_length(), -1, np.int32)
        table = WordTable(np.frombuffer(b"".join(self.number), np.uint8), start, slots)
        fill_slots(table)
        return table

    def _fields(self, order: int, row: int, count: int) -> list[bytes]:
        """Return the fields of the next line, which must be a row."""
        text = self._next()
        fields = text.split()
        if len(fields) == 1 and text.startswith(b"\\"):
            raise self.error(
                f"{row} n-grams of order {order} end here, but \\data\\ promised {count}"
            )
        if not order + 1 <= len(fields) <= order + 2:
            raise self.error(
                f"expected a probability, {order} word{'s' if order > 1 else ''} and perhaps a "
                f"back-off weight, found {_show(text)}"
            )
        return fields

    def _fill(self, rows: Rows, row: int, fields: Sequence[bytes]) -> None:
        """Fill a row with the fields of a line."""
        for column, word in enumerate(fields[1 : rows.order + 1]):
            if word not in self.number:
                raise self.error(f"{_show(word)} has no unigram")
            rows.words[row, column] = self.number[word]
        rows.log_prob[row] = self._value(fields[0])
        has_weight = len(fields) == rows.order + 2
        rows.back_off[row] = self._value(fields[-1]) if has_weight else math.nan
        rows.line[row] = self.line

    def _value(self, text: bytes) -> float:
        try:
            return float(text)
        except ValueError:
            raise self.error(f"{_show(text)} is not a number") from None

    def words(self) -> list[str]:
        """Return the words of the model by number."""
        return [self._decoded(word, self.line_of[number]) for word, number in self.number.items()]

    def _decoded(self, word: bytes, line: int) -> str:
        try:
            return word.decode()
        except UnicodeDecodeError:
            raise self.error(
                f"{_show(word)} is not UTF-8; convert the file to UTF-8 first", line
            ) from None


def _show(text: bytes) -> str:
    shown = text.decode(errors="backslashreplace")
    return repr(shown if len(shown) <= 60 else f"{shown[:60]}…")

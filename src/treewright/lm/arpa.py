"""ARPA files: the text form of language models that other tools read and write.

Probabilities and back-off weights are base-10 logarithms. Words are separated by white space in
ASCII, so bytes are split, and only the words of the vocabulary are decoded.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice, repeat
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from treewright.errors import DataError, ParseError
from treewright.files import check_path
from treewright.lm.arrays import (
    BEGIN,
    END,
    MAX_ORDER,
    SPECIAL,
    UNKNOWN,
    NgramArrays,
    join_levels,
    level_starts,
)
from treewright.lm.rows import LN10, Rows, levels_of_rows

NEVER = -99.0
"""What is written for log10 0, as is the custom for `<s>`."""
MISSING_UNKNOWN = -100.0
"""The log10-probability of `<unk>` in a file that has none, as KenLM has it."""
_CHUNK = 1 << 11
_ALIASES = {b"<UNK>": b"<unk>"}


def format_arpa(words: Sequence[str], order: int, nodes: NgramArrays) -> Iterator[str]:
    """Yield the lines of an ARPA file."""
    starts = level_starts(nodes)
    starts += [starts[-1]] * (order + 1 - len(starts))
    yield "\\data\\\n"
    for k in range(order):
        yield f"ngram {k + 1}={starts[k + 1] - starts[k]}\n"
    texts = [""]
    for k in range(order):
        yield f"\n\\{k + 1}-grams:\n"
        at = slice(starts[k], starts[k + 1])
        log_prob = np.maximum(_log10(nodes["log_prob"][at]), NEVER).tolist()
        last = [words[number] for number in nodes["word"][at].tolist()]
        texts = last if k == 0 else _lengthened(texts, last, nodes, starts[k - 1], starts[k])
        if k + 1 == order:
            rows = zip(log_prob, texts, strict=True)
            yield from (f"{prob:.9g}\t{text}\n" for prob, text in rows)
        else:
            # Adding 0 turns -0, which some tools read as a mark of their own, into 0.
            back_off = (_log10(nodes["back_off"][at]) + 0.0).tolist()
            triples = zip(log_prob, texts, back_off, strict=True)
            yield from (f"{prob:.9g}\t{text}\t{weight:.9g}\n" for prob, text, weight in triples)
    yield "\n\\end\\\n"


def _log10(natural: NDArray[np.float32]) -> NDArray[np.float64]:
    return natural.astype(np.float64) / LN10


def _lengthened(
    texts: Sequence[str], last: Sequence[str], nodes: NgramArrays, low: int, high: int
) -> list[str]:
    children = np.diff(nodes["first"][low : high + 1])
    parent = np.repeat(np.arange(high - low), children).tolist()
    return [f"{texts[shorter]} {word}" for shorter, word in zip(parent, last, strict=True)]


def read_arpa(path: str | Path) -> tuple[list[str], int, NgramArrays]:
    """Read an ARPA file (`-`: standard input); return its words, its order and its nodes.

    N-grams without which others cannot be reached are added at the probability that backing off
    gives them, so nothing changes for any text.
    """
    with _opened(path) as handle:
        reader = _Reader(handle, str(path))
        counts = reader.counts()
        sections = [reader.section(k + 1, counts) for k in range(len(counts))]
    words = reader.words()
    return words, len(counts), join_levels(levels_of_rows(sections, len(words), str(path)))


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    check_path(path)
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            handle = stack.enter_context(Path(path).open("rb"))
        except OSError as error:
            raise DataError(f"cannot read it: {error.strerror}", where=str(path)) from None
        yield handle


@dataclass
class _Reader:
    """Reads an ARPA file line by line, and knows in which line it is."""

    handle: BinaryIO
    path: str
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
        for text in self.handle:
            self.line += 1
            if text := text.strip():
                return text
        raise self._ends_early()

    def counts(self) -> list[int]:
        """Read the header, to the line `\\1-grams:`; return how many n-grams it promises."""
        while (text := self.handle.readline(1 << 16)) and text.strip() != b"\\data\\":
            self.line += 1
        if not text:
            raise self.error("no line \\data\\; this is not an ARPA file", 1)
        self.line += 1
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
        rows, count = Rows(order), counts[order - 1]
        if order == 1:
            heading = self._unigrams(rows)
            self._check_count(rows, count)
            self._complete(rows)
        else:
            heading = self._ngrams(rows, count)
        expected = b"\\end\\" if order == len(counts) else f"\\{order + 1}-grams:".encode()
        if heading != expected:
            raise self.error(f"expected {expected.decode()}, found {_show(heading)}")
        rows.check(self.path)
        return rows

    def _check_count(self, rows: Rows, count: int) -> None:
        if len(rows) != count:
            raise self.error(
                f"{len(rows)} n-grams of order {rows.order} end here, but \\data\\ promised {count}"
            )

    def _unigrams(self, rows: Rows) -> bytes:
        while (fields := (text := self._next()).split()) and len(fields) > 1:
            if len(fields) > 3:
                raise self._bad_row(text, 1)
            word = fields[1]
            number = self.number.get(_ALIASES.get(word, word), len(self.line_of))
            if number == len(self.line_of):
                self.line_of.append(0)
            if self.line_of[number]:
                raise self.error(
                    f"{_show(word)} has a unigram already, in line {self.line_of[number]}"
                )
            self.line_of[number] = self.line
            self.number[word] = number
            weight = self._value(fields[2]) if len(fields) == 3 else math.nan
            rows.add([number], self._value(fields[0]), weight, self.line)
        return text

    def _complete(self, rows: Rows) -> None:
        """Check that a model can begin and end sentences; add `<unk>` where it is missing."""
        for number in (BEGIN, END):
            if not self.line_of[number]:
                raise self.error(f"no unigram of {SPECIAL[number]} before this line")
        if not self.line_of[UNKNOWN]:
            rows.add([UNKNOWN], MISSING_UNKNOWN, math.nan, self.line)

    def _ngrams(self, rows: Rows, count: int) -> bytes:
        """Read n-grams of two words or more, by thousands: files have millions."""
        while len(rows) < count:
            lines = list(islice(self.handle, min(_CHUNK, count - len(rows))))
            if not lines:
                raise self._ends_early()
            split = list(enumerate(map(bytes.split, lines), self.line + 1))
            for fields in (rows.order + 2, rows.order + 1):
                self._add(rows, [row for row in split if len(row[1]) == fields], fields)
            for line, row in split:
                if row and not rows.order + 1 <= len(row) <= rows.order + 2:
                    self.line = line
                    if len(row) == 1 and row[0].startswith(b"\\"):
                        self._check_count(rows, count)
                    raise self._bad_row(b" ".join(row), rows.order)
            self.line += len(lines)
        return self._next()

    def _add(self, rows: Rows, split: list[tuple[int, list[bytes]]], fields: int) -> None:
        """Add rows that have the same number of fields, column by column."""
        if not split:
            return
        numbers, texts = zip(*split, strict=True)
        columns = list(zip(*texts, strict=True))
        words = columns[1 : rows.order + 1]
        try:
            numbered = [list(map(self.number.__getitem__, column)) for column in words]
            log_prob = list(map(float, columns[0]))
            back_off = map(float, columns[-1]) if fields > rows.order + 1 else repeat(math.nan)
            rows.extend(numbered, log_prob, list(islice(back_off, len(log_prob))), numbers)
        except (KeyError, ValueError):
            raise self._what_is_bad(split, rows.order) from None

    def _what_is_bad(self, split: list[tuple[int, list[bytes]]], order: int) -> ParseError:
        for self.line, row in split:
            for word in row[1 : order + 1]:
                if word not in self.number:
                    return self.error(f"{_show(word)} has no unigram")
            for text in (row[0], *row[order + 1 :]):
                try:
                    float(text)
                except ValueError:
                    return self.error(f"{_show(text)} is not a number")
        raise AssertionError("every row can be read")

    def _ends_early(self) -> ParseError:
        return self.error("the file ends here, before \\end\\; it is not whole")

    def _value(self, text: bytes) -> float:
        try:
            return float(text)
        except ValueError:
            raise self.error(f"{_show(text)} is not a number") from None

    def _bad_row(self, text: bytes, order: int) -> ParseError:
        return self.error(
            f"expected a probability, {order} word{'s' if order > 1 else ''} and perhaps a "
            f"back-off weight, found {_show(text.strip())}"
        )

    def words(self) -> list[str]:
        """Return the words of the model by number."""
        words = dict.fromkeys(range(len(self.line_of)), b"")
        for word, number in self.number.items():
            words[number] = words[number] or word
        return [self._decoded(word, self.line_of[number]) for number, word in words.items()]

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

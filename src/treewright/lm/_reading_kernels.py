"""Kernels that read the rows of an ARPA file from its bytes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs
from treewright.compiling import njit

Bytes = NDArray[np.uint8]
_LINE_FEED, _SPACE, _MINUS, _POINT = 10, 32, 45, 46
_MASK = 0x7FFFFFFFFFFFFFFF


@njit(nogil=True)
def hash_bytes(text: Bytes, begin: int, end: int) -> Any:
    """Return a hash of a piece of text (FNV-1a)."""
    value = np.int64(1469598103934665603)
    for place in range(begin, end):
        value = ((value ^ np.int64(text[place])) * 1099511628211) & _MASK
    return value


class WordTable(NamedTuple):
    """A hash table of words; word `w` is `letters[start[w] : start[w + 1]]`."""

    letters: Bytes
    start: Longs
    slots: Ints


@njit(nogil=True)
def fill_slots(table: WordTable) -> None:
    """Put the words of a table into its slots."""
    letters, start, slots = table
    mask = slots.size - 1
    for word in range(start.size - 1):
        slot = hash_bytes(letters, start[word], start[word + 1]) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = word


@njit(nogil=True)
def find_word(
    text: Bytes,
    begin: int,
    end: int,
    table: WordTable,
) -> Any:
    """Return which word a piece of text is, or -1."""
    letters, start, slots = table
    mask = slots.size - 1
    slot = hash_bytes(text, begin, end) & mask
    while slots[slot] >= 0:
        word = np.int64(slots[slot])
        first = start[word]
        if start[word + 1] - first == end - begin:
            offset = 0
            while begin + offset < end and text[begin + offset] == letters[first + offset]:
                offset += 1
            if begin + offset == end:
                return word
        slot = (slot + 1) & mask
    return -1


@njit(nogil=True)
def read_number(text: Bytes, begin: int, end: int) -> tuple[float, bool]:
    """Read a decimal number, exactly; return it, and whether it is one of an ordinary form.

    With at most 15 digits, the digits and the power of ten are exact, so their quotient is what
    Python's `float` gives. Other forms are left to it.
    """
    place = begin
    if place < end and text[place] == _MINUS:
        place += 1
    mantissa = np.int64(0)
    digits = 0
    behind = -1
    while place < end:
        letter = np.int64(text[place])
        if 48 <= letter <= 57:
            mantissa = mantissa * 10 + (letter - 48)
            digits += 1
        elif letter == _POINT and behind < 0:
            behind = digits
        else:
            return 0.0, False
        place += 1
        if digits > 15:
            return 0.0, False
    if digits == 0:
        return 0.0, False
    value = float(mantissa)
    if behind >= 0:
        value /= 10.0 ** (digits - behind)
    return -value if text[begin] == _MINUS else value, True


@njit(nogil=True)
def read_rows(
    text: Bytes,
    at: int,
    line: int,
    table: WordTable,
    words: Ints,
    log_prob: Floats,
    back_off: Floats,
    lines: Longs,
    row: int,
) -> tuple[int, int, int]:
    """Read rows of n-grams from the line that starts at `at`, from row `row` on.

    Stop when `words` is full, at the end, or before a line that is not an ordinary row. Return
    where that is, the number of the line before it, and how many rows there are.
    """
    order = words.shape[1]
    while row < words.shape[0] and at < text.size:
        fields = 0
        place = at
        back_off[row] = np.nan
        while place < text.size and text[place] != _LINE_FEED:
            if text[place] == _SPACE or 9 <= text[place] <= 13:
                place += 1
                continue
            begin = place
            while place < text.size and text[place] != _SPACE and not 9 <= text[place] <= 13:
                place += 1
            if fields == 0 or fields == order + 1:
                value, is_plain = read_number(text, begin, place)
                if not is_plain:
                    return at, line, row
                if fields == 0:
                    log_prob[row] = value
                else:
                    back_off[row] = value
            elif fields <= order:
                word = find_word(text, begin, place, table)
                if word < 0:
                    return at, line, row
                words[row, fields - 1] = word
            fields += 1
        if fields and not order + 1 <= fields <= order + 2:
            return at, line, row
        at = place + 1
        line += 1
        if fields:
            lines[row] = line
            row += 1
    return min(at, text.size), line, row

"""Skeletons, and their files: a line for each sentence, with the positions of its kept tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from pathlib import Path
from typing import TypeAlias

import numpy as np

from treewright.arrays import Bools
from treewright.corpora import read_plain
from treewright.errors import DataError, ParseError
from treewright.files import atomic_write

Skeleton: TypeAlias = Bools
"""Which tokens of a sentence belong to its skeleton."""

SEPARATOR = "|"
"""Stands between the skeletons of a sentence, the best of which is the first."""

_STOPS = frozenset([".", "!", "?", "…", "...", "。", "！", "？", ";", "；", ":", "："])
_CLOSING = frozenset(['"', "'", "''", "”", "’", "»", ")", "）", "」", "』", "》"])


def skeleton_of(positions: Iterable[int], length: int) -> Skeleton:
    """Return the skeleton of a sentence that keeps the tokens at these positions."""
    kept = np.zeros(length, np.bool_)
    kept[list(positions)] = True
    return kept


def keep_stop(words: Sequence[str], kept: Skeleton) -> Skeleton:
    """Return a skeleton with the stop that ends the sentence, even inside closing quotes."""
    last = len(words) - 1
    while last > 0 and words[last] in _CLOSING:
        last -= 1
    if last < 0 or words[last] not in _STOPS:
        return kept
    result = kept.copy()
    result[last] = True
    return result


def parse_skeletons(line: str, length: int, *, where: str = "") -> list[Skeleton]:
    """Read the skeletons of a sentence of so many tokens: `0 1 4`, or `0 1 4 | 0 1 2 4`.

    Positions count from 0, in any order; a blank line keeps no token.
    """
    return [_parse(part, length, where) for part in line.split(SEPARATOR)]


def _parse(text: str, length: int, where: str) -> Skeleton:
    kept = np.zeros(length, np.bool_)
    for item in text.split():
        if not (item.isascii() and item.isdigit()):
            raise ParseError(
                f"{item!r} is not a position; write those of the kept tokens, from 0: '0 1 4'",
                where=where,
            )
        if len(item) > 9 or int(item) >= length:
            raise DataError(
                f"it keeps token {item}, but the sentence has {length} tokens (numbered from 0); "
                "find the skeletons of this text",
                where=where,
            )
        kept[int(item)] = True
    return kept


def format_skeletons(skeletons: Iterable[Skeleton]) -> str:
    """Write the skeletons of a sentence on one line."""
    parts = (" ".join(map(str, np.flatnonzero(kept).tolist())) for kept in skeletons)
    return f" {SEPARATOR} ".join(parts)


def read_skeletons(path: str | Path, sentences: Sequence[Sized]) -> list[Skeleton]:
    """Read the skeleton of each sentence (`-`: standard input), the best one of several."""
    return [found[0] for found in read_skeleton_lists(path, sentences)]


def read_skeleton_lists(path: str | Path, sentences: Sequence[Sized]) -> list[list[Skeleton]]:
    """Read all skeletons of each sentence, the best one first.

    The first line that is wrong ends in an error: skeletons that do not fit the text are those of
    another text.
    """
    lists: list[list[Skeleton]] = []
    for where, line in read_plain(path):
        if len(lists) == len(sentences):
            raise DataError(
                f"a skeleton for a sentence that is not there: the text has {len(lists)} lines; "
                "find the skeletons of this text",
                where=where,
            )
        size = len(sentences[len(lists)])
        lists.append(parse_skeletons(line, size, where=where) if size else [skeleton_of((), 0)])
    if len(lists) < len(sentences):
        raise DataError(
            f"it ends after {len(lists)} lines, the text after {len(sentences)}; find the "
            "skeletons of this text",
            where=str(path),
        )
    return lists


def write_skeletons(path: str | Path, skeletons: Iterable[Skeleton | Sequence[Skeleton]]) -> None:
    """Write a line for each sentence (`-`: standard output): its skeleton, or several."""
    with atomic_write(path) as handle:
        for found in skeletons:
            several = [found] if isinstance(found, np.ndarray) else found
            handle.write(format_skeletons(several) + "\n")

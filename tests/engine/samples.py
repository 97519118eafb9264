"""Words by partitions, tasks over them, and plain twins of the verbs."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from treewright.engine import Columns, Partition, Table, read
from treewright.errors import DataError

SCHEMA = {"word": str, "order": int, "weight": float}
"""The second name is a keyword of SQL."""


def words_of(words: Sequence[str]) -> Columns:
    """Give each word, its length and a weight; two words are errors."""
    if "bad" in words:
        raise DataError("a bad word", where="line 1")
    if "bug" in words:
        raise ZeroDivisionError("a bug")
    return {
        "word": np.array(words, dtype=object),
        "order": np.array([len(word) for word in words], dtype=np.int64),
        "weight": np.array([weight_of(word) for word in words], dtype=np.float64),
    }


def weight_of(word: str) -> float:
    return sum(map(ord, word)) / 7


def killing(marker: Path, words: Sequence[str]) -> Columns:
    """Kill the process that this one works for, when `kill` is met for the first time."""
    if "kill" in words:
        try:
            marker.touch(exist_ok=False)
        except FileExistsError:
            return words_of(words)
        os.kill(executor_of(os.getpid()), signal.SIGKILL)
    return words_of(words)


def executor_of(process: int) -> int:
    """Return the nearest process above that runs Java: Spark's executor."""
    while Path(f"/proc/{process}/comm").read_text().strip() != "java":
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return process


def pairs_of(rows: Columns) -> Columns:
    """Pair the words that share a length: a join of the rows with themselves."""
    pairs = [
        (str(left), str(right), int(m) * int(n))
        for left, m, length in zip(rows["word"], rows["count"], rows["order"], strict=True)
        for right, n, other in zip(rows["word"], rows["count"], rows["order"], strict=True)
        if length == other
    ]
    return {
        "left": np.array([left for left, _, _ in pairs], dtype=object),
        "right": np.array([right for _, right, _ in pairs], dtype=object),
        "product": np.array([product for _, _, product in pairs], dtype=np.int64),
    }


def in_partitions(partitions: Iterable[Sequence[str]]) -> list[Partition[list[str]]]:
    return [Partition(f"part {n}", list(words)) for n, words in enumerate(partitions, start=1)]


def rows(table: Table) -> list[tuple[object, ...]]:
    return list(zip(*(column.tolist() for column in read(table).values()), strict=True))


def counted(partitions: Iterable[Sequence[str]]) -> list[tuple[str, int, int]]:
    """Return the rows that counting by word and length must give."""
    counts = Counter((word, len(word)) for words in partitions for word in words)
    return sorted((*key, count) for key, count in counts.items())


def best(counts: Iterable[tuple[str, int, int]], k: int) -> list[tuple[str, int, int]]:
    """Return the most frequent words of each length."""
    by_length: dict[int, list[tuple[str, int, int]]] = {}
    for row in counts:
        by_length.setdefault(row[1], []).append(row)
    return [
        row
        for _, group in sorted(by_length.items())
        for row in sorted(group, key=lambda row: (-row[2], row[0]))[:k]
    ]

"""Checking a whole corpus in one pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from treewright.corpora.jsonl import empty_file, scan_lines
from treewright.corpora.limits import MAX_WORDS
from treewright.corpora.pair import Pair, Record
from treewright.corpora.subsequence import check_extractive
from treewright.errors import DataError


@dataclass
class Check:
    """What a check found; `extractive[k]` counts the records whose target `k` only deletes."""

    problems: list[DataError] = field(default_factory=list)
    records: int = 0
    pairs: int = 0
    extractive: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def as_dict(self) -> dict[str, object]:
        """Return the summary as plain values, problems as lines of text."""
        return {
            "ok": self.ok,
            "records": self.records,
            "pairs": self.pairs,
            "targets": self.targets,
            "extractive": self.extractive,
            "problems": [str(problem) for problem in self.problems],
        }


def check_corpus(path: str | Path, *, extractive: bool = True, max_words: int = MAX_WORDS) -> Check:
    """Check a JSON Lines corpus; with `extractive`, a target that does more than delete is an
    error.
    """
    items = ((f"{path}:{n}", record) for n, _, record in scan_lines(path, max_words=max_words))
    return _check(items, extractive, empty_file(path))


def _check(
    items: Iterable[tuple[str, Record | DataError]], extractive: bool, empty: DataError
) -> Check:
    result = Check()
    seen = False
    for where, item in items:
        seen = True
        if isinstance(item, DataError):
            result.problems.append(item)
            continue
        result.records += 1
        for number in range(len(item.targets)):
            _check_pair(result, item.pair(number), number, where, extractive)
    if not seen:
        result.problems.append(empty)
    return result


def _check_pair(result: Check, pair: Pair, number: int, where: str, extractive: bool) -> None:
    result.pairs += 1
    if number == len(result.targets):
        result.targets.append(0)
        result.extractive.append(0)
    result.targets[number] += 1
    try:
        check_extractive(pair)
    except DataError as error:
        if extractive:
            message = f"targets[{number}]: {error.message}"
            result.problems.append(DataError(message, where=where))
    else:
        result.extractive[number] += 1

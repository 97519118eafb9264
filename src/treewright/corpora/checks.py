"""Checking a whole corpus in one pass, and whether a target only deletes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from treewright.corpora.jsonl import empty_file, scan_lines
from treewright.corpora.pair import Pair
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


def check_corpus(path: str | Path, *, extractive: bool = True) -> Check:
    """Check a JSON Lines corpus; with `extractive`, a target that does more than delete is an
    error.
    """
    result = Check()
    line = None
    for line in scan_lines(path):
        if isinstance(line.record, DataError):
            result.problems.append(line.record)
            continue
        result.records += 1
        for number in range(len(line.record.targets)):
            pair, where = line.record.pair(number), f"{path}:{line.number}"
            _check_pair(result, pair, number, where, extractive)
    if line is None:
        result.problems.append(empty_file(path))
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


def first_unmatched(source: Sequence[str], target: Sequence[str]) -> int | None:
    """Return the position of the first target word that no embedding reaches, or `None`.

    The words before it do embed: matching each as early as possible leaves the most room.
    """
    rest = iter(source)
    for position, word in enumerate(target):
        if word not in rest:
            return position
    return None


def check_extractive(pair: Pair) -> None:
    """Raise a `DataError` that names the first word of the target the source cannot supply."""
    source, target = pair.source.words(), pair.target_words
    position = first_unmatched(source, target)
    if position is not None:
        word = target[position]
        why = (
            "the source has it only before the words already matched"
            if word in source
            else "the source does not have it"
        )
        raise DataError(
            f"the target is not a subsequence of the source: target word {position + 1}, "
            f"{word!r}, cannot be matched ({why}); correct the pair, or align it statistically",
            where=pair.id,
        )

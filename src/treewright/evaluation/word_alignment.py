"""Scores of word alignments against links that people drew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from treewright.corpora import (
    MAX_SENTENCE,
    Alignment,
    check_alignment,
    parse_pharaoh,
    read_plain,
)
from treewright.errors import DataError, ParseError

_LINK = re.compile(r"([0-9]{1,9})([-p])([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class GoldAlignment:
    """The links of a pair that are sure, and all that are possible, which include them."""

    sure: frozenset[tuple[int, int]]
    possible: frozenset[tuple[int, int]]

    @classmethod
    def parse(cls, text: str, *, where: str = "") -> GoldAlignment:
        """Read the links of one line: `3-4` is sure, `3p4` only possible."""
        sure, possible = set(), set()
        for item in text.split():
            match = _LINK.fullmatch(item)
            if match is None:
                raise ParseError(
                    f"{item!r} is not a link; write source-target positions from 0: '3-4' for a "
                    "sure link, '3p4' for one that is only possible",
                    where=where,
                )
            link = int(match[1]), int(match[3])
            possible.add(link)
            if match[2] == "-":
                sure.add(link)
        return cls(frozenset(sure), frozenset(possible))


@dataclass(frozen=True, slots=True)
class AlignmentCounts:
    """How many links a system has, how many of them are sure or possible, and how many sure ones
    there are; counts add up.
    """

    system: int = 0
    sure_found: int = 0
    possible_found: int = 0
    sure: int = 0

    @classmethod
    def of(cls, system: Alignment, gold: GoldAlignment) -> AlignmentCounts:
        """Compare the links of one pair."""
        links = set(system)
        return cls(len(links), len(links & gold.sure), len(links & gold.possible), len(gold.sure))

    def __add__(self, other: AlignmentCounts) -> AlignmentCounts:
        return AlignmentCounts(
            self.system + other.system,
            self.sure_found + other.sure_found,
            self.possible_found + other.possible_found,
            self.sure + other.sure,
        )

    @property
    def precision(self) -> float:
        """The share of the system's links that are possible."""
        return self.possible_found / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        """The share of the sure links that the system has."""
        return self.sure_found / self.sure if self.sure else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def aer(self) -> float:
        """The alignment error rate (Och and Ney 2000); 0 where there are no links at all."""
        both = self.system + self.sure
        return 1 - (self.sure_found + self.possible_found) / both if both else 0.0

    def as_dict(self) -> dict[str, float]:
        """Return scores and counts as plain values."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "aer": self.aer,
            "links": self.system,
            "sure": self.sure,
            "sure_found": self.sure_found,
            "possible_found": self.possible_found,
        }


def score_alignment_files(
    system: str | Path,
    gold: str | Path,
    sizes: Sequence[tuple[int, int]] | None = None,
) -> list[AlignmentCounts]:
    """Compare two files line by line; return the counts of each pair.

    With the `sizes` of the sentences, links that lead outside them are errors, as lines that cannot
    be read, links that no sentence is long enough for, and files of different length or without
    lines are.
    """
    ours, theirs = ([text for _, text in read_plain(path)] for path in (system, gold))
    for name, lines, other, others in ((system, ours, gold, theirs), (gold, theirs, system, ours)):
        if len(lines) < len(others):
            raise DataError(
                f"it ends after {len(lines)} lines, {other} after {len(others)}; each line must "
                "have its partner",
                where=str(name),
            )
    if not ours:
        raise DataError("it is empty; one line for each pair expected", where=str(system))
    if sizes is not None and len(sizes) != len(ours):
        raise DataError(
            f"it has {len(ours)} lines, but the text has {len(sizes)}", where=str(system)
        )
    counts = []
    for number, (line, gold_line) in enumerate(zip(ours, theirs, strict=True)):
        links = parse_pharaoh(line, where=f"{system}:{number + 1}")
        truth = GoldAlignment.parse(gold_line, where=f"{gold}:{number + 1}")
        for name, found in ((system, links), (gold, tuple(sorted(truth.possible)))):
            where = f"{name}:{number + 1}"
            if sizes is None:
                _check_possible(found, where)
            else:
                check_alignment(found, *sizes[number], where=where)
        counts.append(AlignmentCounts.of(links, truth))
    return counts


def _check_possible(alignment: Alignment, where: str) -> None:
    """Raise a `DataError` at a link that no sentence is long enough for."""
    for source, target in alignment:
        if max(source, target) >= MAX_SENTENCE:
            raise DataError(
                f"link {source}-{target} leads beyond the {MAX_SENTENCE} words that a sentence may "
                "have; is this a file of links?",
                where=where,
            )

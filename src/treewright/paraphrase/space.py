"""`Space`: how often each row (a verb, or a phrase) occurs in each context, and their similarity.

Weights are positive pointwise mutual information, max(0, log(n·f(r, c) / (f(r)·f(c)))), and the
similarity of rows is the cosine of their weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from treewright.arrays import Floats, Ints, Longs, Singles
from treewright.paraphrase.antonyms import UNTOLD, Antonyms
from treewright.paraphrase.phrases import Phrase
from treewright.paraphrase.settings import HarvestSettings


@dataclass(frozen=True)
class Harvested:
    """A phrase of the text with its most frequent tags and syntactic type."""

    phrase: Phrase
    type: str
    count: int
    row: str


class Columns(NamedTuple):
    """A sparse matrix by columns: `row[start[c] : start[c + 1]]` are the rows of context `c`."""

    start: Longs
    row: Ints
    value: Singles


@dataclass(frozen=True, eq=False)
class Space:
    """Rows and contexts with their counts, by context; `antonyms` are those that the text shows."""

    settings: HarvestSettings
    phrases: tuple[Harvested, ...]
    rows: tuple[str, ...]
    contexts: tuple[str, ...]
    counts: Columns
    antonyms: Antonyms = UNTOLD

    @cached_property
    def row_numbers(self) -> Mapping[str, int]:
        """The number of each row."""
        return {row: number for number, row in enumerate(self.rows)}

    @cached_property
    def context_numbers(self) -> Mapping[str, int]:
        """The number of each context."""
        return {context: number for number, context in enumerate(self.contexts)}

    @cached_property
    def row_counts(self) -> Longs:
        """How often each row occurs."""
        numbers = self.row_numbers
        found = np.zeros(len(self.rows), np.int64)
        for known in self.phrases:
            found[numbers[known.row]] += known.count
        return found

    @cached_property
    def phrase_numbers(self) -> Mapping[str, int]:
        """The number of each phrase, by its text."""
        return {known.phrase.text: number for number, known in enumerate(self.phrases)}

    @cached_property
    def phrases_of_row(self) -> Mapping[str, Sequence[int]]:
        """The phrases of each row, the most frequent first."""
        found: dict[str, list[int]] = {}
        counts = [-known.count for known in self.phrases]
        for number in np.argsort(counts, kind="stable").tolist():
            found.setdefault(self.phrases[number].row, []).append(number)
        return found

    @cached_property
    def weights(self) -> Columns:
        """Weights by context, rows scaled to length 1."""
        start, row, _ = self.counts
        values = ppmi(self.counts, len(self.rows))
        lengths = np.sqrt(np.bincount(row, values * values, minlength=len(self.rows)))
        lengths[lengths == 0] = 1
        return Columns(start, row, (values / lengths[row]).astype(np.float32))

    @cached_property
    def by_row(self) -> Columns:
        """The same weights by row: `row[start[r] : start[r + 1]]` are the contexts of row `r`."""
        return transposed(self.weights, len(self.rows))

    def vector(self, row: int) -> tuple[Ints, Singles]:
        """Return the contexts of a row, and their weights."""
        start, context, value = self.by_row
        return (
            context[start[row] : start[row + 1]],
            value[start[row] : start[row + 1]],
        )

    def similarities(self, row: int) -> Singles:
        """Return the cosine of a row with each row."""
        from treewright.paraphrase._kernels import add_columns

        found = np.zeros(len(self.rows), np.float32)
        add_columns(self.weights, *self.vector(row), found)
        return found

    def shared(self, one: int, other: int, k: int = 10) -> list[tuple[str, float]]:
        """Return the contexts that add most to the similarity of two rows, with what they add."""
        first, weight = self.vector(one)
        second, given = self.vector(other)
        both, place, there = np.intersect1d(first, second, True, True)
        products = weight[place] * given[there]
        best = np.argsort(-products, kind="stable")[:k]
        return [(self.contexts[both[n]], float(products[n])) for n in best]


def ppmi(counts: Columns, rows: int) -> Floats:
    """Return the positive pointwise mutual information of each count."""
    start, row, value = counts
    joint = value.astype(np.float64)
    of_row = np.bincount(row, joint, minlength=rows)
    of_context = np.add.reduceat(joint, start[:-1]) if len(joint) else joint
    expected = of_row[row] * np.repeat(of_context, np.diff(start))
    return np.maximum(np.log(joint * joint.sum() / expected), 0.0) if len(joint) else joint


def transposed(columns: Columns, rows: int) -> Columns:
    """Return a matrix by rows instead of columns."""
    start, row, value = columns
    order = np.argsort(row, kind="stable")
    context = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    ends = np.cumsum(np.bincount(row, minlength=rows))
    return Columns(np.concatenate([[0], ends]), context[order], value[order])


class SpaceBuilder:
    """Takes counts sorted by context, and keeps the contexts that several rows share."""

    def __init__(self, settings: HarvestSettings) -> None:
        self.settings = settings
        self._records: list[tuple[str, int]] = []
        self._numbers: dict[str, int] = {}
        self._phrases: tuple[Harvested, ...] = ()
        self._contexts: list[str] = []
        self._sizes: list[Longs] = []
        self._rows: list[Ints] = []
        self._counts: list[Singles] = []
        self._rest: tuple[Any, ...] = tuple(np.empty(0, object) for _ in range(3))

    def add(self, contexts: Any, rows: Any, counts: Any) -> None:
        """Take some more counts; those of phrases themselves, without a context, come first."""
        occurrences = int(np.count_nonzero(contexts == ""))
        self._records.extend(zip(rows[:occurrences], counts[:occurrences].tolist(), strict=True))
        if occurrences == len(contexts):
            return
        given = (contexts[occurrences:], rows[occurrences:], counts[occurrences:])
        if not self._numbers:
            self._name_rows()
        joined = [np.concatenate(pair) for pair in zip(self._rest, given, strict=True)]
        # The last context may go on in what comes next.
        last = int(np.searchsorted(joined[0] == joined[0][-1], True))
        self._keep(*(part[:last] for part in joined))
        self._rest = tuple(part[last:] for part in joined)

    def _name_rows(self) -> None:
        self._phrases = harvested(self._records, self.settings)
        self._records.clear()
        names = sorted({known.row for known in self._phrases})
        self._numbers = {name: number for number, name in enumerate(names)}

    def _keep(self, contexts: Any, rows: Any, counts: Any) -> None:
        if not len(contexts):
            return
        first = np.flatnonzero(np.concatenate([[True], contexts[1:] != contexts[:-1]]))
        numbers = np.array([self._numbers.get(row, -1) for row in rows], np.int32)
        sizes = np.diff(np.append(first, len(contexts)))
        known = np.repeat(sizes >= self.settings.min_shared, sizes) & (numbers >= 0)
        kept = np.add.reduceat(known, first)
        self._contexts.extend(contexts[first[kept > 0]])
        self._sizes.append(kept[kept > 0])
        self._rows.append(numbers[known])
        self._counts.append(counts[known].astype(np.float32))

    def build(self) -> Space:
        """Return the space of everything that was added."""
        if not self._numbers:
            self._name_rows()
        self._keep(*self._rest)
        start = np.concatenate([[0], *self._sizes]).cumsum().astype(np.int64)
        empty: Any = [np.empty(0, np.int32)]
        counts = Columns(
            start,
            np.concatenate(empty + self._rows),
            np.concatenate(empty + self._counts).astype(np.float32),
        )
        return Space(
            self.settings, self._phrases, tuple(self._numbers), tuple(self._contexts), counts
        )


def harvested(
    records: Sequence[tuple[str, int]], settings: HarvestSettings
) -> tuple[Harvested, ...]:
    """Put the records of each phrase together: its tags and type are the most frequent ones."""
    total: dict[str, int] = {}
    best: dict[str, tuple[int, str]] = {}
    types: dict[str, dict[str, int]] = {}
    for record, count in records:
        text, tags, kind = record.split("\t")
        total[text] = total.get(text, 0) + count
        best[text] = max(best.get(text, (0, "")), (count, tags))
        if kind:
            of_text = types.setdefault(text, {})
            of_text[kind] = of_text.get(kind, 0) + count
    found = []
    for text in sorted(text for text, count in total.items() if count >= settings.min_phrase):
        phrase = Phrase(tuple(text.split(" ")), tuple(best[text][1].split(" ")))
        kinds = types.get(text, {"": 0})
        kind = max(sorted(kinds), key=lambda name: kinds[name])
        found.append(Harvested(phrase, kind, total[text], row_of(phrase, settings)))
    return tuple(found)


def row_of(phrase: Phrase, settings: HarvestSettings) -> str:
    """What the contexts of a phrase are counted for."""
    return phrase.text if settings.rows == "phrase" else phrase.row

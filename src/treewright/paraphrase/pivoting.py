"""Pivoting: phrases with the same translations (Bannard & Callison-Burch 2005), of the same
syntactic type (Callison-Burch 2008).

p(e2 | e1) = Σ_f p(f | e1) p(e2 | f) in each language. The score pools languages as the sum of
square roots, which favours what several of them say, times the same for the main verbs of e1 and e2
in all their forms, whose counts are larger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.arrays import Floats, Longs
from treewright.paraphrase.antonyms import UNTOLD, Antonyms
from treewright.paraphrase.contexts import Sentence
from treewright.paraphrase.harvesting import record_of, spans
from treewright.paraphrase.model import Paraphrase
from treewright.paraphrase.phrases import Phrase
from treewright.paraphrase.reading import Read
from treewright.paraphrase.settings import HarvestSettings
from treewright.paraphrase.space import Columns, Harvested, harvested
from treewright.translation import PhraseTable

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

KEPT = 100
"""Paraphrases that are kept of each phrase."""
DISCOUNT = 0.9
"""Taken off every count: pairs seen once are mostly wrong links."""
VERBS_COUNT = 0.5
"""The power of the main verbs' score."""


def typed_phrases(
    sentences: Iterable[Read], settings: HarvestSettings
) -> tuple[tuple[Harvested, ...], Mapping[str, Mapping[str, int]]]:
    """Return the phrases of sentences, and how often each has which syntactic type."""
    records: Counter[str] = Counter()
    types: dict[str, Counter[str]] = {}
    for read in sentences:
        sentence = Sentence.of(read)
        for start, end in spans(sentence, settings):
            record = record_of(sentence, start, end)
            records[record] += 1
            text, _, kind = record.split("\t")
            types.setdefault(text, Counter())[kind] += 1
    return harvested(sorted(records.items()), settings), types


@dataclass(frozen=True, eq=False)
class PivotModel:
    """Probabilities of paraphrases; those of phrase `e` are the columns of `table` for `e`."""

    settings: HarvestSettings
    phrases: tuple[Harvested, ...]
    table: Columns
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def antonyms(self) -> Antonyms:
        """Those that are always known."""
        return UNTOLD

    @cached_property
    def phrase_numbers(self) -> Mapping[str, int]:
        """The number of each phrase, by its text."""
        return {known.phrase.text: number for number, known in enumerate(self.phrases)}

    def read(self, text: str) -> Phrase | None:
        """Return a phrase of the table with its tags."""
        number = self.phrase_numbers.get(" ".join(text.lower().split()))
        return None if number is None else self.phrases[number].phrase

    def candidates(self, phrase: Phrase) -> Iterator[Paraphrase]:
        """Yield the phrases that share translations."""
        number = self.phrase_numbers.get(phrase.text)
        if number is None:
            return
        start, other, value = self.table
        for entry in range(start[number], start[number + 1]):
            yield Paraphrase(self.phrases[other[entry]].phrase, float(value[entry]))

    def reasons(self, phrase: Phrase, other: Phrase) -> list[tuple[str, float]]:
        """Return the syntactic types of both: translations are not kept."""
        names = [self.phrases[self.phrase_numbers[one.text]].type for one in (phrase, other)]
        return [(f"types {names[0] or '?'} and {names[1] or '?'}", 1.0)]

    def summary(self) -> str:
        """Say how much it holds."""
        return f"{len(self.phrases)} phrases, {len(self.table.row)} pairs"

    def save(self, path: str | Path) -> None:
        """Write the model to a file."""
        from treewright.paraphrase.storage import save_model

        save_model(self, path)


def pivot(
    phrases: tuple[Harvested, ...],
    types: Mapping[str, Mapping[str, int]],
    tables: Sequence[PhraseTable],
    settings: HarvestSettings,
) -> PivotModel:
    """Pool what the phrase tables, English to other languages, say about phrases."""
    numbers = {known.phrase.text: number for number, known in enumerate(phrases)}
    rows = {name: n for n, name in enumerate(sorted({known.phrase.row for known in phrases}))}
    verbs = np.array([rows[known.phrase.row] for known in phrases], np.int64)
    by_phrase: Any = 0
    by_verb: Any = 0
    for table in tables:
        joint, of_source, of_target = counted(table, numbers)
        by_phrase = by_phrase + pivoted(joint, of_source, of_target).sqrt()
        of_verbs = _added_up(joint, verbs, len(rows))
        sums = [np.asarray(of_verbs.sum(axis=axis), np.float64).ravel() for axis in (1, 0)]
        by_verb = by_verb + pivoted(of_verbs, *sums).sqrt()
    pooled = by_phrase.tocoo()
    support = np.asarray(by_verb.tocsr()[verbs[pooled.row], verbs[pooled.col]]).ravel()
    pooled.data = pooled.data * support**VERBS_COUNT
    return PivotModel(settings, phrases, _kept(pooled.tocsr(), phrases, types, settings))


def counted(table: PhraseTable, numbers: Mapping[str, int]) -> tuple[csr_matrix, Floats, Floats]:
    """Return how often the given phrases have which translations, and how often both occur."""
    from scipy.sparse import csr_matrix

    foreign: dict[bytes, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    kept: list[int] = []
    for node, words in table.phrases():
        number = numbers.get(" ".join(words))
        if number is None:
            continue
        for row in range(table.trie.option_start[node], table.trie.option_start[node + 1]):
            target = table.target_words[table.target_start[row] : table.target_start[row + 1]]
            columns.append(foreign.setdefault(target.tobytes(), len(foreign)))
            rows.append(number)
            kept.append(row)
    joint, source, target = table.counts[kept].T.astype(np.float64)
    of_source, of_target = np.ones(len(numbers)), np.ones(len(foreign))
    of_source[rows] = source
    of_target[columns] = target
    values = np.maximum(joint - DISCOUNT, 0.0)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(numbers), len(foreign)))
    return matrix, of_source, of_target


def pivoted(joint: csr_matrix, of_source: Floats, of_target: Floats) -> csr_matrix:
    """Return Σ_f p(f | e1) p(e2 | f) of all pairs of phrases."""
    from scipy.sparse import diags

    forward = diags(1.0 / np.maximum(of_source, 1e-9)) @ joint
    backward = joint @ diags(1.0 / np.maximum(of_target, 1e-9))
    product: csr_matrix = (forward @ backward.T).tocsr()
    return product


def _added_up(joint: csr_matrix, groups: Longs, count: int) -> csr_matrix:
    """Add up the rows of each group."""
    from scipy.sparse import csr_matrix

    places = np.arange(len(groups))
    belongs = csr_matrix((np.ones(len(groups)), (groups, places)), shape=(count, len(groups)))
    total: csr_matrix = (belongs @ joint).tocsr()
    return total


def _kept(
    pooled: csr_matrix,
    phrases: tuple[Harvested, ...],
    types: Mapping[str, Mapping[str, int]],
    settings: HarvestSettings,
) -> Columns:
    """Keep the best paraphrases of each phrase; where types count, those of a type in common."""
    start, others, values = [0], [], []
    shares = [_shares(types[known.phrase.text]) for known in phrases] if settings.typed else []
    for number in range(len(phrases)):
        span = slice(pooled.indptr[number], pooled.indptr[number + 1])
        found = []
        for other, value in zip(
            pooled.indices[span].tolist(), pooled.data[span].tolist(), strict=True
        ):
            if settings.typed:
                mine, theirs = shares[number], shares[other]
                value *= sum(share for kind, share in mine.items() if kind in theirs)
            if other != number and value > 0:
                found.append((-value, other))
        for value, other in sorted(found)[:KEPT]:
            others.append(other)
            values.append(-value)
        start.append(len(others))
    return Columns(
        np.array(start, np.int64), np.array(others, np.int32), np.array(values, np.float32)
    )


def _shares(counts: Mapping[str, int]) -> dict[str, float]:
    total = sum(counts.values())
    return {kind: count / total for kind, count in counts.items()}

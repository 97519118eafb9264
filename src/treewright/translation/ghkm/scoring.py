"""From occurrences of rules to a grammar with features."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools, Floats, Ints, Longs, starts
from treewright.grammar import Grammar, PackedRules, Productions, RuleColumns
from treewright.translation.ghkm._record_kernels import gather, weigh_records
from treewright.translation.ghkm._rule_kernels import HEADER, Keys
from treewright.translation.ghkm.occurrences import Occurrences
from treewright.translation.phrases.lexicon import Lexicon
from treewright.translation.phrases.smoothing import discounts
from treewright.translation.rows import rank_in, run_of, starts_of, sums
from treewright.trees import Vocabulary

FEATURES = (
    "p(r|root)",
    "p(e|f)",
    "lex(e|f)",
    "p(f|e)",
    "lex(f|e)",
    "rule",
    "word",
    "composed",
    "lexical",
)
"""Log-probabilities of a rule given its root pair, of each side given the other, and lexical
weights; then 1 for each rule, the number of target words, whether the rule is only ever composed,
and whether it has words.
"""
K = TypeVar("K", np.int64, np.uint64)


class Rows(NamedTuple):
    """Rules that stay: records, and what was counted of each.

    `source` has a row of counts of its source side: occurrences, and how many rules with it occur
    once, twice, more often.
    """

    start: Longs
    numbers: Ints
    root: Longs
    target_key: Keys
    joint: Longs
    source: Longs
    minimal: Bools
    lexical: Floats
    words: Longs


@dataclass
class Scorer:
    """Scores rules chunk by chunk; totals are over all rules, those that are dropped included.

    Sides are told apart by 64-bit hashes of them.
    """

    labels: Vocabulary
    words: Vocabulary
    productions: Productions
    lexicon: Lexicon
    min_count: int
    limit: int
    smoothing: str
    _counts_of_counts: Longs = field(default_factory=lambda: np.zeros(6, np.int64))
    _rows: list[Rows] = field(default_factory=list)
    _roots: list[tuple[Longs, Longs]] = field(default_factory=list)
    _targets: list[tuple[Keys, Longs]] = field(default_factory=list)

    def add(self, found: Occurrences) -> None:
        """Take the occurrences of some sources, which come in one chunk."""
        rule_starts = starts_of(found.source_key, found.target_key)
        joint = sums(found.times, rule_starts)
        minimal = sums(found.minimal.astype(np.int64), rule_starts) > 0
        record = _most_frequent(found, rule_starts)
        source = run_of(starts_of(found.source_key[rule_starts]), joint.size)
        root = self._root(found, record)
        target_key = found.target_key[rule_starts]
        counts = _counts(joint)
        self._counts_of_counts += np.bincount(np.minimum(joint, 5), minlength=6)
        self._roots.append(_totals(root, counts[:, :1]))
        self._targets.append(_totals(target_key, counts))
        of_source = _totals(source, counts)[1][source]
        kept = np.flatnonzero(minimal | (joint >= self.min_count))
        begin, end = found.start[record[kept]], found.start[record[kept] + 1]
        start, numbers = starts(end - begin), gather(found.numbers, begin, end)
        lexical, words = np.empty((kept.size, 2)), np.empty((kept.size, 2), np.int64)
        weigh_records(numbers, start, self.productions.words, self.lexicon, lexical, words)
        columns = [column[kept] for column in (root, target_key, joint, of_source, minimal)]
        rows = Rows._make([start, numbers, *columns, lexical, words])
        self._rows.append(_taken(rows, _best_first(rows, source[kept], self.limit)))

    def _root(self, found: Occurrences, record: Longs) -> Longs:
        """Return a number for the root pair of each rule."""
        begin = found.start[record]
        production = found.numbers[begin + HEADER]
        label = self.productions.item[self.productions.ptr[production]].astype(np.int64)
        return (label << 32) | (found.numbers[begin].astype(np.int64) + 2)

    def finish(self) -> Grammar:
        """Return the grammar: rules of one source side are together, the most probable first."""
        rows = self._rows
        columns = [np.concatenate(column) for column in zip(*[r[1:] for r in rows], strict=True)]
        start = starts(np.concatenate([np.diff(r.start) for r in rows]))
        whole = Rows._make([start, *columns])
        rows.clear()
        given_root = np.log(whole.joint / _look_up(self._roots, whole.root)[:, 0])
        of_target = _look_up(self._targets, whole.target_key)
        features = np.stack(
            [
                given_root,
                np.log(self._given(whole.joint, whole.source, of_target)),
                whole.lexical[:, 0],
                np.log(self._given(whole.joint, of_target, whole.source)),
                whole.lexical[:, 1],
                np.ones(given_root.size),
                whole.words[:, 1],
                ~whole.minimal,
                whole.words.any(axis=1),
            ],
            axis=1,
        )
        rules = PackedRules(self.labels, self.words, self.productions, _columns(whole))
        counts = whole.joint.astype(np.float64)
        return Grammar(rules, given_root, counts, features.astype(np.float32), FEATURES)

    def _given(self, joint: Longs, condition: Longs, other: Longs) -> Floats:
        """Return the probability of one side given the other, from counts of both sides.

        Smoothed as probabilities of phrases are: what is discounted goes to sides by their
        frequency, or by Kneser–Ney by how many others they are paired with.
        """
        total = condition[:, 0]
        if self.smoothing == "none":
            return joint / total
        is_split = self.smoothing == "kneser-ney"
        discount = discounts(self._counts_of_counts[:5], split=is_split)
        moved = condition[:, 1:] @ discount[1:]
        rules = self._counts_of_counts.sum()
        occurrences = sum(int(totals[:, 0].sum()) for _, totals in self._targets)
        prior = other[:, 1:].sum(axis=1) / rules if is_split else other[:, 0] / occurrences
        found: Floats = (joint - discount[np.minimum(joint, 3)] + moved * prior) / total
        return found


def _counts(joint: Longs) -> Longs:
    """Return rows of counts of rules: occurrences, and 1 for one that occurs once, twice, more."""
    counts = np.zeros((joint.size, 4), np.int64)
    counts[:, 0] = joint
    counts[np.arange(joint.size), np.minimum(joint, 3)] = 1
    return counts


def _most_frequent(found: Occurrences, rule_starts: Longs) -> Longs:
    """Return the occurrence of each rule that has its most frequent alignment."""
    rule = run_of(rule_starts, found.times.size)
    order = np.lexsort((found.alignment_key, -found.times, rule))
    return order[rule_starts]


def _best_first(rows: Rows, source: Longs, limit: int) -> Longs:
    """Order the rules of each source by count, ties by lexical weight; keep the first `limit`."""
    order = np.lexsort((rows.target_key, -rows.lexical[:, 0], -rows.joint, source))
    if not limit:
        return order
    return order[rank_in(starts_of(source[order]), order.size) < limit]


def _taken(rows: Rows, order: Longs) -> Rows:
    begin, end = rows.start[order], rows.start[order + 1]
    columns = [column[order] for column in rows[2:]]
    return Rows._make([starts(end - begin), gather(rows.numbers, begin, end), *columns])


def _totals(keys: NDArray[K], counts: Longs) -> tuple[NDArray[K], Longs]:
    """Add up rows of counts by key; keys come back in ascending order."""
    order = np.argsort(keys, kind="stable")
    first = starts_of(keys[order])
    if not first.size:
        return keys, counts
    return keys[order][first], np.add.reduceat(counts[order], first, axis=0)


def _look_up(parts: list[tuple[NDArray[K], Longs]], keys: NDArray[K]) -> Longs:
    """Return the total of each key over all parts."""
    every, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    found, totals = _totals(every, counts)
    return totals[np.searchsorted(found, keys)]


def _columns(rows: Rows) -> RuleColumns:
    """Spread records over the columns of packed rules."""
    header, numbers = rows.start[:-1], rows.numbers
    ends = (
        header[:, None]
        + HEADER
        + np.cumsum(np.stack([numbers[header + k] for k in range(2, HEADER)], axis=1), axis=1)
    )
    begins = np.concatenate([header[:, None] + HEADER, ends[:, :-1]], axis=1)
    parts = []
    for k in range(HEADER - 2):
        begin, end = begins[:, k].copy(), ends[:, k].copy()
        parts.append((starts(end - begin), gather(numbers, begin, end)))
    (source_ptr, source), (target_ptr, target), (link_ptr, link), (pair_ptr, pairs) = parts
    return RuleColumns(
        source_ptr,
        source,
        numbers[header],
        target_ptr,
        target,
        link_ptr,
        link,
        pair_ptr // 2,
        pairs.reshape(-1, 2),
        np.ones(header.size, np.bool_),
    )

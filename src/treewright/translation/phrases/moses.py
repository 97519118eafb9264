"""Phrase tables as the files of Moses: `f ||| e ||| scores ||| links ||| counts`.

Scores are probabilities: p(f|e) lex(f|e) p(e|f) lex(e|f), and what else there is; counts are those
of the target, the source and the pair. A second file has the six probabilities of orientations.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from treewright.arrays import Floats, Singles, starts
from treewright.corpora import (
    Vocabulary,
    check_alignment,
    format_pharaoh,
    parse_pharaoh,
    read_plain,
)
from treewright.errors import DataError, ParseError
from treewright.files import packed_write
from treewright.translation.phrases.ngrams import LONGEST
from treewright.translation.phrases.scoring import FEATURES
from treewright.translation.phrases.table import ORIENTATIONS, PhraseTable
from treewright.translation.phrases.trie import build_trie
from treewright.translation.rows import pick

_BAR = " ||| "
_GIVEN_SOURCE = FEATURES.index("p(e|f)")
_PENALTY = math.e
"""The fifth score of older tables, which says nothing."""


def write_moses(table: PhraseTable, path: str | Path, reordering: str | Path | None) -> None:
    """Write a table, and its orientations if there is a path for them."""
    for vocabulary in (table.source, table.target):
        if "|||" in vocabulary:
            raise DataError("the word '|||' cannot be written to a table; replace it in the text")
    with ExitStack() as stack:
        pairs = stack.enter_context(packed_write(path))
        orientations = None
        if reordering is not None:
            orientations = stack.enter_context(packed_write(reordering))
        for option in table:
            both = f"{' '.join(option.source)}{_BAR}{' '.join(option.target)}{_BAR}"
            joint, of_source, of_target = option.counts
            scores = _probabilities(option.features.values())
            links = format_pharaoh(option.links)
            counts = f"{of_target:g} {of_source:g} {joint:g}"
            pairs.write(f"{both}{scores}{_BAR}{links}{_BAR}{counts}\n")
            if orientations is not None:
                orientations.write(f"{both}{_probabilities(option.reordering)}\n")


def _probabilities(logs: Any) -> str:
    return " ".join([f"{math.exp(value):.7g}" for value in logs])


class _Line(NamedTuple):
    """A line of either file: both phrases, probabilities, and what follows them."""

    source: str
    target: str
    scores: list[float]
    rest: list[str]


def _lines(path: str | Path, needed: int) -> Iterator[tuple[str, _Line]]:
    """Yield where each line is, and what it says; `needed` is how many scores it must have."""
    for where, text in read_plain(path):
        fields = [field.strip() for field in text.split("|||")]
        if len(fields) < 3:
            raise ParseError(
                f"found {len(fields)} fields; expected source ||| target ||| scores", where=where
            )
        source, target, scores, *rest = fields
        yield where, _Line(source, target, _scores(scores, needed, where), rest)


def _scores(scores: str, needed: int, where: str) -> list[float]:
    try:
        values = [float(score) for score in scores.split()]
    except ValueError:
        raise ParseError(f"scores are numbers, found {scores!r}", where=where) from None
    if len(values) == needed + 1 and abs(values[-1] - _PENALTY) < 0.01:
        values.pop()
    if len(values) != needed:
        raise ParseError(f"found {len(values)} scores, expected {needed}", where=where)
    if not all(0 < value <= 1.00001 for value in values):
        raise ParseError(
            f"scores are probabilities, more than 0 and at most 1; found {scores!r}", where=where
        )
    return values


class _Columns:
    """Collects the rows of a file, in its order."""

    def __init__(self) -> None:
        self.source, self.target = Vocabulary(), Vocabulary()
        self.phrases: dict[tuple[int, ...], int] = {}
        self.pairs: set[tuple[int, tuple[int, ...]]] = set()
        self.phrase = array("q")
        self.target_length, self.target_words = array("q"), array("i")
        self.features, self.reordering, self.counts = array("d"), array("d"), array("f")
        self.link_count, self.links = array("q"), bytearray()
        self.known_links: dict[tuple[str, int, int], bytes] = {}

    def add(self, line: _Line, orientations: list[float], where: str) -> None:
        """Add a row."""
        source = self._phrase(line.source, self.source, where)
        target = self._phrase(line.target, self.target, where)
        phrase = self.phrases.setdefault(source, len(self.phrases))
        if (phrase, target) in self.pairs:
            raise ParseError("this pair is there a second time; each has one line", where=where)
        self.pairs.add((phrase, target))
        self.phrase.append(phrase)
        self.target_length.append(len(target))
        self.target_words.extend(target)
        self.features.extend(line.scores)
        self.reordering.extend(orientations)
        links = self._links(line.rest[0] if line.rest else "", len(source), len(target), where)
        self.link_count.append(len(links) // 2)
        self.links.extend(links)
        self.counts.extend(_counts(line.rest[1] if len(line.rest) > 1 else "", where))

    def _links(self, text: str, source: int, target: int, where: str) -> bytes:
        """Return the positions of links; most lines have links that others have."""
        found = self.known_links.get((text, source, target))
        if found is None:
            links = parse_pharaoh(text, where=where)
            check_alignment(links, source, target, where=where)
            found = bytes([position for link in links for position in link])
            self.known_links[text, source, target] = found
        return found

    def _phrase(self, text: str, vocabulary: Vocabulary, where: str) -> tuple[int, ...]:
        words = text.split()
        if not 1 <= len(words) <= LONGEST:
            raise ParseError(
                f"a phrase of {len(words)} words; phrases have 1 to {LONGEST}", where=where
            )
        return tuple([vocabulary.add(word) for word in words])

    def table(self) -> PhraseTable:
        """Sort the rows by source phrase and p(e|f)."""
        features = _logs(self.features, len(FEATURES))
        ordered = sorted(self.phrases)
        place = np.empty(len(ordered), np.int64)
        place[[self.phrases[phrase] for phrase in ordered]] = np.arange(len(ordered))
        of_row = place[np.array(self.phrase, np.int64)]
        order = np.lexsort((-features[:, _GIVEN_SOURCE], of_row))
        target_start, places = pick(starts(self.target_length), order)
        link_start, links = pick(starts(self.link_count), order)
        words = np.array([word for phrase in ordered for word in phrase], np.int32)
        return PhraseTable(
            source=self.source,
            target=self.target,
            trie=build_trie(
                starts(list(map(len, ordered))),
                words,
                np.bincount(of_row, minlength=len(ordered)),
                len(self.source),
            ),
            target_start=target_start,
            target_words=np.array(self.target_words, np.int32)[places],
            features=features[order],
            feature_names=FEATURES,
            reordering=_logs(self.reordering, 2 * len(ORIENTATIONS))[order],
            link_start=link_start,
            links=np.array(self.links, np.uint8).reshape(-1, 2)[links],
            counts=np.array(self.counts, np.float32).reshape(-1, 3)[order],
            max_length=max(map(len, ordered), default=1),
        )


def _logs(values: array[float], columns: int) -> Singles:
    # The probability of a long phrase may be too small for 32 bits; its logarithm is not.
    logs: Floats = np.log(np.array(values))
    return logs.reshape(-1, columns).astype(np.float32)


def _counts(text: str, where: str) -> tuple[float, float, float]:
    """Read the counts of target, source and pair; 0 where a table has none."""
    try:
        values = [float(value) for value in text.split()]
    except ValueError:
        raise ParseError(f"counts are numbers, found {text!r}", where=where) from None
    of_target, of_source, joint, *_ = [*values, 0.0, 0.0, 0.0]
    if not all(math.isfinite(value) and value >= 0 for value in values):
        raise ParseError(f"counts are numbers from 0 on, found {text!r}", where=where)
    return joint, of_source, of_target


def read_moses(path: str | Path, reordering: str | Path | None) -> PhraseTable:
    """Read a table, and its orientations if there is a file of them."""
    columns = _Columns()
    outcomes = 2 * len(ORIENTATIONS)
    uniform = [1 / len(ORIENTATIONS)] * outcomes
    pairs = _lines(path, len(FEATURES))
    if reordering is None:
        for where, line in pairs:
            columns.add(line, uniform, where)
        return columns.table()
    for one, other in zip_longest(pairs, _lines(reordering, outcomes)):
        if one is None or other is None:
            ended = path if one is None else reordering
            raise DataError("it ends before the other file; they must match", where=str(ended))
        (where, line), (elsewhere, orientations) = one, other
        if (line.source, line.target) != (orientations.source, orientations.target):
            raise DataError(f"another pair than in {where}; sort both files alike", where=elsewhere)
        columns.add(line, orientations.scores, where)
    return columns.table()

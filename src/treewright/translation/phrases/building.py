"""Phrase tables from aligned text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treewright.compiling import expect_work
from treewright.corpora import Links, Sentences, Vocabulary
from treewright.errors import DataError, UsageError, choose
from treewright.progress import SILENT, Progress
from treewright.translation.phrases.lexicon import Lexicon
from treewright.translation.phrases.ngrams import LONGEST, NGrams
from treewright.translation.phrases.occurrences import Extracted, extraction
from treewright.translation.phrases.scoring import FEATURES, Rows, Scorer, unpack_links
from treewright.translation.phrases.significance import Significance, threshold
from treewright.translation.phrases.smoothing import SMOOTHINGS
from treewright.translation.phrases.smoothing import smoothing as smoothing_of
from treewright.translation.phrases.table import PhraseTable
from treewright.translation.phrases.trie import build_trie

ORIENTING = ("word", "phrase")
"""What the orientation of a phrase is to: a linked word beside it, or a phrase."""


@dataclass(frozen=True)
class PhraseSettings:
    """How a phrase table is made.

    A table keeps at most `limit` options of a source phrase (0: all), and pairs that occur at least
    `min_count` times and are as significant as asked (none, alpha-epsilon, alpha+epsilon, or the
    least -ln p). Orientations are smoothed by `reordering_prior` occurrences of the average pair.
    Occurrences beyond `memory` megabytes are sorted in files.
    """

    max_length: int = LONGEST
    smoothing: str = "kneser-ney"
    orientation: str = "word"
    reordering_prior: float = 0.5
    min_count: int = 1
    significance: str = "none"
    limit: int = 30
    memory: int = 1024

    def __post_init__(self) -> None:
        choose(self.smoothing, SMOOTHINGS, "smoothing")
        choose(self.orientation, ORIENTING, "orientation")
        threshold(self.significance, 1)
        if not 1 <= self.max_length <= LONGEST:
            raise UsageError(f"phrases have 1 to {LONGEST} words, not {self.max_length}")
        if self.limit < 0 or self.min_count < 1 or self.memory < 1 or self.reordering_prior <= 0:
            raise UsageError(
                "limit must be 0 or more, min_count and memory 1 or more, reordering_prior more "
                f"than 0; found {self.limit}, {self.min_count}, {self.memory}, "
                f"{self.reordering_prior}"
            )


def build_phrases(
    source: Sentences,
    target: Sentences,
    links: Links,
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    settings: PhraseSettings | None = None,
    folder: str | Path | None = None,
    progress: Progress = SILENT,
) -> PhraseTable:
    """Extract, count and score the phrase pairs of aligned text.

    Temporary files are in `folder`, or where the system has them.
    """
    settings = settings or PhraseSettings()
    _check(source, source_vocabulary, "source")
    _check(target, target_vocabulary, "target")
    _check_links(source, target, links)
    expect_work(len(source))
    f, e = (NGrams.of(text, settings.max_length) for text in (source, target))
    with extraction(
        f,
        e,
        links,
        by_phrases=settings.orientation == "phrase",
        memory=settings.memory << 20,
        folder=folder,
    ) as extracted:
        scorer = _scorer(f, e, links, extracted, settings)
        chunks = progress.track(extracted.pairs(), "Scoring phrases")
        rows = [scorer(pairs) for pairs in chunks]
        metadata = {
            "phrases": asdict(settings),
            "pairs": len(links),
            "occurrences": int(extracted.source_count.sum(dtype=np.int64)),
        }
    # The table takes the memory that the counts of all phrases had.
    del extracted, scorer
    return _table(f, e, rows, source_vocabulary, target_vocabulary, settings, metadata)


def _scorer(
    source: NGrams, target: NGrams, links: Links, extracted: Extracted, settings: PhraseSettings
) -> Scorer:
    orientations = extracted.orientations + 0.1
    return Scorer(
        source,
        target,
        extracted.source_count,
        extracted.target_count,
        Lexicon.of(source.text, target.text, links),
        smoothing_of(settings.smoothing, extracted),
        orientations / orientations.sum(axis=1, keepdims=True),
        settings.reordering_prior,
        settings.min_count,
        Significance(source, target),
        threshold(settings.significance, len(links)),
        settings.limit or None,
    )


def _table(
    source: NGrams,
    target: NGrams,
    chunks: list[Rows],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    settings: PhraseSettings,
    metadata: Mapping[str, Any],
) -> PhraseTable:
    rows = _joined(chunks)
    phrases, options = np.unique(rows.source, return_counts=True)
    target_start, target_words = target.spelled(rows.target)
    link_start, inside = unpack_links(rows.links)
    return PhraseTable(
        source_vocabulary,
        target_vocabulary,
        build_trie(*source.spelled(phrases), options, len(source_vocabulary)),
        target_start,
        target_words,
        rows.features,
        FEATURES,
        rows.reordering,
        link_start,
        inside,
        rows.counts,
        settings.max_length,
        metadata,
    )


def _joined(chunks: list[Rows]) -> Rows:
    """Put chunks together and empty their list: a column at a time, so that only one is there
    twice.
    """
    columns: list[list[Any]] = [list(column) for column in zip(*chunks, strict=True)]
    chunks.clear()
    whole = []
    for column in columns:
        whole.append(np.concatenate(column))
        column.clear()
    return Rows(*whole)


def _check(text: Sentences, vocabulary: Vocabulary, side: str) -> None:
    """Raise a `DataError` if the numbers of a text are not those of words."""
    low, high = text.words.min(initial=0), text.words.max(initial=-1)
    if low < 0 or high >= len(vocabulary):
        raise DataError(
            f"the {side} has word numbers from {low} to {high}, but the vocabulary has "
            f"{len(vocabulary)} words; number the text with this vocabulary, and let it grow"
        )


def _check_links(source: Sentences, target: Sentences, links: Links) -> None:
    """Raise a `DataError` if links are not those of these texts."""
    if not len(source) == len(target) == len(links):
        raise DataError(
            f"{len(source)} source sentences, {len(target)} target sentences, links for "
            f"{len(links)} pairs; each pair needs all three"
        )
    pair = np.repeat(np.arange(len(links)), np.diff(links.start))
    outside = (
        (links.source < 0)
        | (links.target < 0)
        | (links.source >= source.lengths[pair])
        | (links.target >= target.lengths[pair])
    )
    if outside.any():
        wrong = int(np.argmax(outside))
        number = int(pair[wrong])
        raise DataError(
            f"link {links.source[wrong]}-{links.target[wrong]} leads outside the sentences of "
            f"{source.lengths[number]} and {target.lengths[number]} words; align this text",
            where=f"pair {number + 1}",
        )

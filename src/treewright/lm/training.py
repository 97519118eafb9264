"""Estimating a model from sentences."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from treewright.compiling import expect_work
from treewright.corpora import Sentences, Vocabulary, Words, scan_tokens
from treewright.errors import DataError, Problems, UsageError
from treewright.lm.arrays import MAX_ORDER, SPECIAL, join_levels
from treewright.lm.counting import count_ngrams, with_boundaries
from treewright.lm.estimation import estimate
from treewright.lm.model import LanguageModel
from treewright.lm.pruning import prune_levels


def read_text(paths: Iterable[str | Path], problems: Problems) -> Iterator[Words]:
    """Stream the sentences of files to learn from; a line with a special word is bad, too."""
    special = frozenset(SPECIAL)
    for path in paths:
        for where, words in scan_tokens(path):
            if isinstance(words, DataError):
                problems.add(words)
            elif special.isdisjoint(words):
                yield words
            else:
                problems.add(_is_special(next(filter(special.__contains__, words)), where))


def check_order(order: int) -> None:
    """Raise a `UsageError` if no model can have this order."""
    if not 1 <= order <= MAX_ORDER:
        raise UsageError(f"the order of a model is 1 to {MAX_ORDER}, found {order}")


def train_lm(
    sentences: Iterable[Sequence[str]],
    order: int = 5,
    *,
    prune: Sequence[int] = (0,),
    entropy: float = 0.0,
) -> LanguageModel:
    """Estimate a model by interpolated modified Kneser–Ney smoothing; empty sentences are ignored.

    `prune` has a number for each order, from unigrams up, the last for all higher orders as well:
    n-grams that occur at most so often are left out. So are those, if `entropy` is positive,
    without which the perplexity would grow by less than this share (see `pruning`).
    """
    check_order(order)
    cutoffs = check_cutoffs(prune, order)
    if not 0 <= entropy < 1:
        raise UsageError(
            f"the threshold of entropy pruning is a share from 0 to 1, found {entropy}"
        )
    vocabulary = Vocabulary(SPECIAL)
    encoded = Sentences.encode(sentences, vocabulary)
    _check_text(encoded)
    expect_work(len(encoded))
    words = with_boundaries(encoded)
    counted = list(count_ngrams(words, len(vocabulary), order))
    found = estimate(counted, cutoffs)
    metadata = {
        "method": "interpolated modified Kneser-Ney",
        "order": order,
        "prune": list(cutoffs),
        "entropy": entropy,
        "sentences": int((encoded.lengths > 0).sum()),
        "words": encoded.words.size,
        "discounts": [[round(value, 6) for value in values] for values in found.discounts],
        "fallback": found.fallback,
    }
    levels = prune_levels(found.levels, found.counts, entropy) if entropy else found.levels
    return LanguageModel(order, vocabulary, join_levels(levels), metadata)


def check_cutoffs(prune: Sequence[int], order: int) -> tuple[int, ...]:
    """Return a cut-off for each order."""
    if not 1 <= len(prune) <= order:
        raise UsageError(
            f"{len(prune)} cut-offs for a model of order {order}; give at most one each"
        )
    if prune[0] != 0:
        raise UsageError("the first cut-off must be 0: every word keeps its unigram")
    if any(low > high for low, high in itertools.pairwise(prune)):
        raise UsageError(
            f"cut-offs must not fall from one order to the next, found {' '.join(map(str, prune))}"
        )
    return (*prune, *[prune[-1]] * (order - len(prune)))


def _check_text(encoded: Sentences) -> None:
    if not encoded.words.size:
        raise DataError("there is no text to learn from: every sentence is empty")
    special = np.flatnonzero(encoded.words < len(SPECIAL))
    if special.size:
        sentence = int(np.searchsorted(encoded.start, special[0], "right"))
        raise _is_special(SPECIAL[encoded.words[special[0]]], f"sentence {sentence}")


def _is_special(word: str, where: str) -> DataError:
    return DataError(
        f"the word {word!r}, which every model has for itself; remove or rename it", where=where
    )

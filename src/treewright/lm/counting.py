"""Counting the n-grams of a text, order by order, without sorting or hashing them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treewright.arrays import Bools, Ints, Longs
from treewright.corpora import Sentences
from treewright.lm._kernels import lengthen
from treewright.lm.arrays import BEGIN, END


@dataclass(frozen=True, eq=False)
class Counted:
    """The n-grams of an order, sorted by (`parent`, `word`), as in `arrays.Level`.

    `count` says how often each occurs, `begins` which ones begin a sentence.
    """

    parent: Ints
    word: Ints
    suffix: Ints
    count: Ints
    begins: Bools

    def __len__(self) -> int:
        return self.word.size


def with_boundaries(sentences: Sentences) -> Ints:
    """Return the words of all sentences that have any, each sentence between `<s>` and `</s>`."""
    start = sentences.start[:-1][sentences.lengths > 0]
    lengths = sentences.lengths[sentences.lengths > 0]
    words = np.empty(sentences.words.size + 2 * start.size, np.int32)
    shift = 2 * np.arange(start.size)
    is_word = np.ones(words.size, bool)
    is_word[start + shift] = False
    is_word[start + shift + lengths + 1] = False
    words[is_word] = sentences.words
    words[start + shift] = BEGIN
    words[start + shift + lengths + 1] = END
    return words


def count_ngrams(words: Ints, num_words: int, order: int) -> Iterator[Counted]:
    """Yield the n-grams of each order, from unigrams up; `words` has sentence boundaries.

    The n-grams at a position become one word longer at each step. Every word of the vocabulary has
    its unigram, counted or not.
    """
    zeros = np.zeros(num_words, np.int32)
    level = Counted(
        parent=zeros,
        word=np.arange(num_words, dtype=np.int32),
        suffix=zeros,
        count=np.bincount(words, minlength=num_words).astype(np.int32),
        begins=np.arange(num_words) == BEGIN,
    )
    yield level
    by_word = np.argsort(words, kind="stable")
    gram = words
    for length in range(1, order):
        gram, level = _lengthened(words, by_word, length, gram, level)
        yield level


def _lengthened(
    words: Ints, by_word: Longs, length: int, gram: Ints, level: Counted
) -> tuple[Ints, Counted]:
    start = np.zeros(len(level) + 1, np.int64)
    np.cumsum(level.count, out=start[1:])
    longer, parent, word, count, suffix = (np.empty(words.size, np.int32) for _ in range(5))
    number = lengthen(words, by_word, length, gram, start, longer, parent, word, count, suffix)
    parent, word, count, suffix = (
        column[:number].copy() for column in (parent, word, count, suffix)
    )
    return longer, Counted(parent, word, suffix, count, level.begins[parent])

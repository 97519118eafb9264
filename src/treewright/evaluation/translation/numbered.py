"""Metrics of outputs whose words are numbers, as decoders have them: what tuning maximises.

Equal numbers are equal words; who numbers them decides about case and tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import ArrayLike

from treewright.arrays import Floats, Ints, Longs, starts
from treewright.errors import DataError
from treewright.evaluation.translation import _kernels
from treewright.evaluation.translation.metrics import (
    ORDER,
    TranslationMetric,
    bleu_plus_one,
    bleu_score,
)

_Gram = tuple[int, ...]


class Bleu:
    """BLEU against given references; the statistics and scores are sacrebleu's.

    `references[s]` holds one or more translations of sentence `s`, each a sequence of numbers.
    """

    def __init__(self, references: Sequence[Sequence[Sequence[int]]]) -> None:
        self.num_sentences = len(references)
        self._tries = _build(references)

    def statistics(self, sentences: ArrayLike, start: Longs, words: Ints) -> Longs:
        """Return one row for each output; output `i` translates `sentences[i]` and is
        `words[start[i] : start[i + 1]]`.
        """
        numbers = np.ascontiguousarray(sentences, np.int64)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self.num_sentences:
            raise ValueError(f"sentences must be numbered from 0 to {self.num_sentences - 1}")
        rows: Longs = _kernels.bleu_statistics(
            self._tries,
            numbers,
            np.ascontiguousarray(start, np.int64),
            np.require(words, np.int32, ["C", "W"]),
        )
        return rows

    def score(self, sums: ArrayLike) -> Floats:
        """Return the score of each row of summed statistics."""
        return bleu_score(sums)

    def sentence_score(self, rows: ArrayLike) -> Floats:
        """Return BLEU+1 of each row, for single sentences."""
        return bleu_plus_one(rows)


class NumberedMetric:
    """Any metric as a tuner takes it: higher is better, and outputs are numbers of `words`.

    sacrebleu counts each distinct output once; this is slow for lists of thousands.
    """

    def __init__(
        self, metric: TranslationMetric, references: Sequence[Sequence[str]], words: Sequence[str]
    ) -> None:
        self.metric = metric
        self._references = references
        self._words = words
        self._known: dict[tuple[int, bytes], Floats] = {}

    def statistics(self, sentences: ArrayLike, start: Longs, words: Ints) -> Floats:
        """Return one row for each output, as `Bleu.statistics` does."""
        numbers = np.asarray(sentences).tolist()
        return np.array(
            [
                self._row(sentence, words[start[i] : start[i + 1]])
                for i, sentence in enumerate(numbers)
            ]
        )

    def _row(self, sentence: int, numbers: Ints) -> Floats:
        key = sentence, numbers.tobytes()
        row = self._known.get(key)
        if row is None:
            output = " ".join([self._words[number] for number in numbers.tolist()])
            references = [[text[sentence]] for text in self._references]
            row = self._known[key] = self.metric.statistics([output], references)[0][0]
        return row

    def score(self, sums: ArrayLike) -> Floats:
        """Return the score of each row of summed statistics, negated if lower is better."""
        return self.metric.better * self.metric.score(sums)


def minimum_risk(outputs: Sequence[Sequence[int]], probabilities: ArrayLike) -> tuple[int, Floats]:
    """Return which output promises the highest BLEU+1, and what each promises.

    The promise of an output is its mean BLEU+1 against all outputs as references, weighed by their
    probabilities. Of equal ones, the first wins. O(k²) for k outputs.
    """
    weights = np.asarray(probabilities, np.float64)
    if weights.shape != (len(outputs),) or not len(outputs):
        raise ValueError(f"{weights.shape} probabilities for {len(outputs)} outputs")
    lengths = [len(output) for output in outputs]
    count = len(outputs)
    bleu = Bleu([[output] for output in outputs])
    words = np.fromiter(chain.from_iterable(outputs), np.int32, sum(lengths))
    rows = bleu.statistics(
        np.repeat(np.arange(count), count),
        starts(np.tile(lengths, count)),
        np.tile(words, count),
    )
    promises: Floats = weights @ bleu.sentence_score(rows).reshape(count, count)
    return int(promises.argmax()), promises


def _build(references: Sequence[Sequence[Sequence[int]]]) -> _kernels.Tries:
    """Lay out the n-grams of each sentence by length and then in order: breadth first."""
    root, length_start = [], [0]
    word: list[int] = []
    first_child, end_child, clip, length = [], [], [], []
    for number, texts in enumerate(references):
        if not texts:
            raise DataError(f"sentence {number + 1} has no reference")
        clips: Counter[_Gram] = Counter()
        for text in texts:
            clips |= Counter(_grams(text))
            length.append(len(text))
        length_start.append(len(length))
        grams = [(), *sorted(clips, key=lambda gram: (len(gram), gram))]
        first = len(word)
        root.append(first)
        word += [gram[-1] if gram else -1 for gram in grams]
        clip += [clips[gram] for gram in grams]
        children = Counter(gram[:-1] for gram in grams[1:])
        bounds = [*accumulate((children[gram] for gram in grams), initial=first + 1)]
        first_child += bounds[:-1]
        end_child += bounds[1:]
    return _kernels.Tries(
        np.array(root, np.int64),
        np.array(word, np.int32),
        np.array(first_child, np.int64),
        np.array(end_child, np.int64),
        np.array(clip, np.int64),
        np.array(length_start, np.int64),
        np.array(length, np.int64),
    )


def _grams(text: Sequence[int]) -> list[_Gram]:
    numbers = [int(number) for number in text]
    return [
        tuple(numbers[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(numbers) - n + 1)
    ]

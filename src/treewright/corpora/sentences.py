"""Sentences as numbers: what models of strings count and kernels compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.trees import Vocabulary


@dataclass(frozen=True, eq=False)
class Sentences:
    """Numbered words of sentences side by side: `i` is `words[start[i] : start[i + 1]]`."""

    words: Ints
    start: Longs

    @classmethod
    def encode(
        cls,
        sentences: Iterable[Sequence[str]],
        vocabulary: Vocabulary,
        *,
        grow: bool = True,
        unknown: int = -1,
    ) -> Sentences:
        """Number the words of sentences; new words enter the vocabulary, or are `unknown` where it
        may not `grow`.
        """
        number = vocabulary.add if grow else lambda word: vocabulary.find(word, unknown)
        words: list[int] = []
        start = [0]
        for sentence in sentences:
            words.extend(map(number, sentence))
            start.append(len(words))
        return cls(np.array(words, np.int32), np.array(start, np.int64))

    @property
    def lengths(self) -> Longs:
        """How many words each sentence has."""
        return np.diff(self.start)

    def __len__(self) -> int:
        return self.start.size - 1

    def __getitem__(self, index: int) -> Ints:
        return self.words[self.start[index] : self.start[index + 1]]

    def __iter__(self) -> Iterator[Ints]:
        return (self[index] for index in range(len(self)))

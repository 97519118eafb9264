"""Words as numbers: what models of strings count and kernels compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


class Vocabulary:
    """Words and their numbers, given in the order in which words are added."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._number: dict[str, int] = {}
        for word in words:
            self.add(word)

    def add(self, word: str) -> int:
        """Return the number of a word, a new one if it has none."""
        return self._number.setdefault(word, len(self._number))

    def number(self, word: str, unknown: int = -1) -> int:
        """Return the number of a word, or `unknown`."""
        return self._number.get(word, unknown)

    def numbers(self, words: Iterable[str], unknown: int = -1) -> NDArray[np.int32]:
        """Return the numbers of words, `unknown` for those that have none."""
        get = self._number.get
        return np.array([get(word, unknown) for word in words], np.int32)

    @property
    def words(self) -> tuple[str, ...]:
        """All words, by number."""
        return tuple(self._number)

    def __len__(self) -> int:
        return len(self._number)

    def __contains__(self, word: object) -> bool:
        return word in self._number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.words == other.words

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Sentences:
    """Numbered words of sentences side by side: `i` is `words[start[i] : start[i + 1]]`."""

    words: NDArray[np.int32]
    start: NDArray[np.int64]

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
        number = vocabulary.add if grow else lambda word: vocabulary.number(word, unknown)
        words: list[int] = []
        start = [0]
        for sentence in sentences:
            words.extend(map(number, sentence))
            start.append(len(words))
        return cls(np.array(words, np.int32), np.array(start, np.int64))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many words each sentence has."""
        return np.diff(self.start)

    def __len__(self) -> int:
        return self.start.size - 1

    def __getitem__(self, index: int) -> NDArray[np.int32]:
        return self.words[self.start[index] : self.start[index + 1]]

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        return (self[index] for index in range(len(self)))

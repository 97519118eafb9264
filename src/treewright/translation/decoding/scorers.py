"""The language models of a decoder, and how each numbers the words of outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.corpora import Vocabulary
from treewright.lm import END, UNKNOWN, LanguageModel
from treewright.translation.decoding._kernels import LanguageModels


@dataclass(frozen=True, eq=False)
class Scorers:
    """What the search asks for the score of a word."""

    arrays: LanguageModels
    start: Longs
    end: Longs
    number: Ints
    """[model, word of the target vocabulary]; one more column for words beyond it."""
    slot: int = -1
    """How the last model numbers the symbol for a stretch outside the skeleton, if it has it."""

    @classmethod
    def of(
        cls, models: Sequence[LanguageModel], target: Vocabulary, slot: str | None = None
    ) -> Scorers:
        """Collect models for outputs whose words `target` numbers.

        If the last of them is a skeletal one, `slot` is its symbol for what is left out.
        """
        number = np.full((len(models), len(target) + 1), UNKNOWN, np.int32)
        for row, model in zip(number, models, strict=True):
            row[:-1] = model.vocabulary.numbers(target.words, UNKNOWN)
        sizes = [0, *(model.arrays.size for model in models[:-1])]
        nodes = models[0].arrays if len(models) == 1 else np.concatenate([m.arrays for m in models])
        return cls(
            LanguageModels(nodes, np.cumsum(sizes)),
            np.array([model.start for model in models], np.int64),
            np.full(len(models), END, np.int64),
            number,
            -1 if slot is None else int(models[-1].vocabulary.numbers([slot], UNKNOWN)[0]),
        )

    @property
    def last(self) -> Scorers:
        """The last model alone."""
        return self._models(slice(-1, None), self.slot)

    @property
    def without_last(self) -> Scorers:
        """All models but the last."""
        return self._models(slice(-1), -1)

    def _models(self, chosen: slice, slot: int) -> Scorers:
        arrays = LanguageModels(self.arrays.nodes, self.arrays.first[chosen])
        return Scorers(arrays, self.start[chosen], self.end[chosen], self.number[chosen], slot)

    def numbers(self, words: Ints) -> Ints:
        """Return words as each model numbers them."""
        # Indexing would give the columns of several models one after another, and kernels would be
        # compiled once more for that layout.
        return np.ascontiguousarray(self.number[:, np.minimum(words, self.number.shape[1] - 1)])

"""Kneser–Ney smoothing as the textbook has it, over dictionaries: the twin of the kernels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from treewright.lm import BEGIN, END, SPECIAL

Gram = tuple[str, ...]
_UNKNOWN, _BEGIN, _END = SPECIAL
assert (BEGIN, END) == (1, 2)


class PlainModel:
    """Interpolated modified Kneser–Ney; probabilities are computed when asked for."""

    def __init__(
        self, sentences: Sequence[Sequence[str]], order: int, cutoffs: Sequence[int]
    ) -> None:
        self.order, self.cutoffs = order, cutoffs
        padded = [(_BEGIN, *words, _END) for words in sentences if words]
        self.counts: Counter[Gram] = Counter(
            words[i : i + n]
            for words in padded
            for n in range(1, order + 1)
            for i in range(len(words) - n + 1)
        )
        self.words = sorted({word for words in padded for word in words} | {_UNKNOWN})
        self.adjusted = {gram: self._adjusted(gram) for gram in self.counts}
        self.discounts = [self._discounts(n) for n in range(1, order + 1)]
        self.followers: dict[Gram, list[Gram]] = defaultdict(list)
        for gram in self.counts:
            self.followers[gram[:-1]].append(gram)

    def _adjusted(self, gram: Gram) -> int:
        if gram == (_BEGIN,):
            return 0
        if len(gram) == self.order or gram[0] == _BEGIN:
            return self.counts[gram]
        return sum(longer[1:] == gram for longer in self.counts if len(longer) == len(gram) + 1)

    def _discounts(self, n: int) -> tuple[float, ...]:
        of_count = Counter(count for gram, count in self.adjusted.items() if len(gram) == n)
        if any(of_count[j] == 0 for j in (1, 2, 3)):
            return (0, 0.5, 1, 1.5)
        y = of_count[1] / (of_count[1] + 2 * of_count[2])
        found = [j - (j + 1) * y * of_count[j + 1] / of_count[j] for j in (1, 2, 3)]
        return (0, *found) if min(found) > 0 else (0, 0.5, 1, 1.5)

    def kept(self, gram: Gram) -> bool:
        """Whether the model has the n-gram."""
        return len(gram) == 1 or self.counts[gram] > self.cutoffs[len(gram) - 1]

    def prob(self, word: str, context: Gram) -> float:
        """Return the probability of a word after at most `order - 1` others."""
        lower = 1 / (len(self.words) - 1) if len(context) == 0 else self.prob(word, context[1:])
        if not self.followers[context]:
            return lower
        discount = self.discounts[len(context)]
        total = sum(self.adjusted[gram] for gram in self.followers[context])
        gamma = 0.0
        for gram in self.followers[context]:
            count = self.adjusted[gram]
            gamma += discount[min(count, 3)] if self.kept(gram) else count
        own = (*context, word)
        count = self.adjusted.get(own, 0)
        seen = count - discount[min(count, 3)] if count and self.kept(own) else 0.0
        return (seen + gamma * lower) / total

"""Statistics of a corpus, gathered in one pass over its pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from treewright.corpora.checks import first_unmatched
from treewright.corpora.pair import Pair, Tokens
from treewright.corpora.words import count_words
from treewright.trees import Tree


@dataclass
class Histogram:
    """A histogram of whole numbers: enough for an exact median of any number of values."""

    counts: Counter[int] = field(default_factory=Counter)

    def add(self, value: int) -> None:
        """Count one value."""
        self.counts[value] += 1

    @property
    def total(self) -> int:
        """The sum of the values."""
        return sum(value * count for value, count in self.counts.items())

    @property
    def mean(self) -> float:
        """The mean, 0 if there are no values."""
        return self.total / max(1, self.counts.total())

    @property
    def median(self) -> float:
        """The middle value, or the mean of the two in the middle; 0 if there are none."""
        number = self.counts.total()
        if number == 0:
            return 0.0
        ordered = (value for value in sorted(self.counts) for _ in range(self.counts[value]))
        middle = list(islice(ordered, (number - 1) // 2, number // 2 + 1))
        return sum(middle) / len(middle)

    def as_dict(self) -> dict[str, float]:
        """Return minimum, median, mean and maximum."""
        return {
            "min": min(self.counts, default=0),
            "median": self.median,
            "mean": self.mean,
            "max": max(self.counts, default=0),
        }


@dataclass
class Side:
    """Statistics of the sources or the targets; *tokens* include punctuation, *words* do not."""

    tokens: Histogram = field(default_factory=Histogram)
    words: Histogram = field(default_factory=Histogram)
    depth: Histogram = field(default_factory=Histogram)
    vocabulary: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    productions: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, sentence: Tree | Tokens) -> None:
        """Count one tree, or the tokens of a sentence that has none."""
        tokens = sentence.words() if isinstance(sentence, Tree) else sentence
        self.tokens.add(len(tokens))
        self.words.add(count_words(tokens))
        self.vocabulary.update(tokens)
        if isinstance(sentence, Tree):
            self._add_nodes(sentence)

    def _add_nodes(self, tree: Tree) -> None:
        self.depth.add(depth(tree))
        for node in tree.nodes():
            self.labels.add(node.label)
            if node.children:
                self.productions.add((node.label, *[child.label for child in node.children]))

    def as_dict(self) -> dict[str, object]:
        """Return the statistics as plain values."""
        return {
            "tokens": {"total": self.tokens.total, **self.tokens.as_dict()},
            "words": {"total": self.words.total, **self.words.as_dict()},
            "depth": self.depth.as_dict(),
            "distinct_words": len(self.vocabulary),
            "distinct_labels": len(self.labels),
            "distinct_productions": len(self.productions),
        }


@dataclass
class Statistics:
    """Statistics of a corpus of pairs."""

    pairs: int = 0
    source: Side = field(default_factory=Side)
    target: Side = field(default_factory=Side)
    extractive: int = 0
    copies: int = 0

    def add(self, pair: Pair) -> None:
        """Count one pair."""
        self.pairs += 1
        self.source.add(pair.source)
        self.target.add(pair.target)
        source, target = pair.source.words(), pair.target_words
        self.extractive += first_unmatched(source, target) is None
        self.copies += source == target

    @property
    def token_rate(self) -> float:
        """Target tokens over source tokens, punctuation included."""
        return self.target.tokens.total / max(1, self.source.tokens.total)

    @property
    def word_rate(self) -> float:
        """Target words over source words, punctuation left out."""
        return self.target.words.total / max(1, self.source.words.total)

    def as_dict(self) -> dict[str, object]:
        """Return all statistics as plain values."""
        return {
            "pairs": self.pairs,
            "source": self.source.as_dict(),
            "target": self.target.as_dict(),
            "rate": {"tokens": self.token_rate, "words": self.word_rate},
            "extractive": self.extractive / max(1, self.pairs),
            "copies": self.copies / max(1, self.pairs),
        }


def gather(pairs: Iterable[Pair]) -> Statistics:
    """Gather the statistics of a stream of pairs."""
    statistics = Statistics()
    for pair in pairs:
        statistics.add(pair)
    return statistics


def depth(tree: Tree) -> int:
    """Return the number of nodes on the longest path from the root to a preterminal."""
    deepest, level = 0, [tree]
    while level:
        deepest += 1
        level = [child for node in level for child in node.children]
    return deepest

"""Which classes a word of an instance may have, and how probable the word is given each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from treewright.propositions.chain import Candidates
from treewright.propositions.classes import CALENDAR, ClassTable
from treewright.propositions.sentence import Kind
from treewright.propositions.slots import GROUPS, group_of

_LIKELY = 2.0
"""How many uses of nouns for a name what it does counts for."""
_NAMELESS = "name"
"""The class of an unknown name in a text that has no classes."""


@dataclass
class Lexicon:
    """Symbols of words, their candidate classes, and the emissions fixed from counts.

    The emission of a known name is its share of its class's uses. `smoothing` adds uses that are
    spread evenly over all names (a Dirichlet prior): a class used for few names then cannot win
    just because it has nothing else to emit. The paper has none.
    """

    table: ClassTable
    articles: Mapping[str, float]
    """How often an article precedes each name."""
    likely: dict[str, dict[str, float]] = field(default_factory=dict)
    """Classes of names by what they do."""
    smoothing: float = 10.0
    most: int = 3
    unknown: int = 20

    def __post_init__(self) -> None:
        self.counts = self._blended()
        totals: dict[str, float] = defaultdict(float)
        shapes: dict[tuple[str, str], float] = defaultdict(float)
        for name, classes in self.counts.items():
            group = group_of(name, self.articles)
            for noun, number in classes.items():
                totals[noun] += number
                shapes[noun, group] += number
        size = max(len(self.counts), 1)
        self.candidates: dict[str, Candidates] = {
            name: tuple(
                (noun, (number + self.smoothing / size) / (totals[noun] + self.smoothing))
                for noun, number in classes.items()
            )
            for name, classes in self.counts.items()
        }
        # Days and months are all known.
        common = [noun for noun in totals if noun not in CALENDAR] or [_NAMELESS]
        commonest = sorted(common, key=lambda noun: (-totals[noun], noun))[: self.unknown]
        for group in GROUPS:
            # Nothing is known of these names but whether they take an article.
            self.candidates[group] = tuple(
                (noun, (shapes[noun, group] + 1.0) / (totals[noun] + 2.0) / size)
                if self.smoothing
                else (noun, 1.0 / size)
                for noun in commonest
            )

    def _blended(self) -> dict[str, dict[str, float]]:
        """Return what the text calls names, with what they do like some further uses of it."""
        counts: dict[str, dict[str, float]] = {}
        for name in {**self.table.counts, **self.likely}:
            classes = dict(self.table.counts.get(name, {}))
            for noun, share in self.likely.get(name, {}).items():
                classes[noun] = classes.get(noun, 0.0) + _LIKELY * share
            best = sorted(classes, key=lambda noun: (-classes[noun], noun))[: self.most]
            counts[name] = {noun: classes[noun] for noun in best}
        return counts

    def symbol(self, word: str, kind: Kind) -> str:
        """Return what a word is in a sequence: itself, or its group for a name without classes."""
        if kind is not Kind.NAME:
            return word
        name = self.table.name(word)
        if name in self.counts:
            return name
        return group_of(name, self.articles)

    def symbols(self, words: Sequence[str], kinds: Sequence[Kind]) -> tuple[str, ...]:
        """Return the symbols of an instance."""
        return tuple([self.symbol(word, kind) for word, kind in zip(words, kinds, strict=True)])

    def is_known(self, word: str, kind: Kind) -> bool:
        """Whether a word is no name, or one with a class in the text."""
        return kind is not Kind.NAME or self.table.name(word) in self.table.counts

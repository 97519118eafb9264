"""`PropositionModel`: classes, transitions and evidence learned from a body of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright.propositions.chain import Chain, sequences_of
from treewright.propositions.contexts import ContextClassifier
from treewright.propositions.gathering import Sighting
from treewright.propositions.instances import SHAPES, Instance
from treewright.propositions.lexicon import Lexicon
from treewright.propositions.sentence import Kind
from treewright.propositions.slots import SlotModel, group_of

_ROUNDS = 4
"""How many times more paths of each part are combined than propositions are asked for."""


@dataclass(frozen=True)
class Proposition:
    """An instance with a class for each of its words."""

    words: tuple[str, ...]
    classes: tuple[str, ...]
    known: tuple[bool, ...]
    log_prob: float


@dataclass(frozen=True)
class Counted:
    """A distinct instance of the text: how often it occurs, its classes, sentences that have it."""

    count: int
    shape: str
    words: tuple[str, ...]
    kinds: tuple[Kind, ...]
    classes: tuple[str, ...]
    log_prob: float
    seen_in: tuple[Sighting, ...]


@dataclass
class Evidenced:
    """The instances of the text, and the sentences they were found in."""

    instances: list[Counted] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class PropositionModel:
    """Labels instances with classes, and says how probable propositions are."""

    lexicon: Lexicon
    chain: Chain
    slots: SlotModel
    contexts: ContextClassifier | None
    structure: str
    shapes: tuple[str, ...] = SHAPES
    leanings: dict[str, dict[str, float]] = field(default_factory=dict)
    """The likeliest roles of names that the text calls nothing, by all their contexts."""
    metadata: dict[str, Any] = field(default_factory=dict)
    evidence: Evidenced = field(default_factory=Evidenced)

    def propositions(self, instance: Instance, number: int = 1) -> list[Proposition]:
        """Return the most probable propositions behind an instance, best first."""
        return self.label(instance.shape, instance.words, instance.kinds, number)

    def label(
        self, shape: str, words: Sequence[str], kinds: Sequence[Kind], number: int = 1
    ) -> list[Proposition]:
        """Return the most probable class sequences of an instance given by its words."""
        symbols = self.lexicon.symbols(words, kinds)
        known = tuple(self.lexicon.is_known(*pair) for pair in zip(words, kinds, strict=True))
        names = self.names(words, kinds)
        return [
            Proposition(names, classes, known, score)
            for score, classes in self._paths(shape, symbols, number)
        ]

    def names(self, words: Sequence[str], kinds: Sequence[Kind]) -> tuple[str, ...]:
        """Return the words of an instance, names in their one form."""
        table = self.lexicon.table
        return tuple(
            table.name(word) if kind is Kind.NAME else word
            for word, kind in zip(words, kinds, strict=True)
        )

    def _paths(
        self, shape: str, symbols: Sequence[str], number: int
    ) -> list[tuple[float, tuple[str, ...]]]:
        candidates = self.lexicon.candidates
        whole: list[tuple[float, dict[int, str]]] = [(0.0, {})]
        for sequence, last in sequences_of(self.structure, shape, symbols):
            found = self.chain.best(sequence, candidates, number)
            first = last - len(sequence) + 1 if self.structure == "chain" else last
            joined = [
                (score + more, {**labels, **dict(enumerate(path[first - last - 1 :], first))})
                for score, labels in whole
                for more, path in found
            ]
            whole = sorted(joined, key=lambda pair: (-pair[0], sorted(pair[1].items())))
            whole = whole[: _ROUNDS * number]
        return [
            (score, tuple(labels[place] for place in range(len(symbols))))
            for score, labels in whole[:number]
        ]

    def log_sense(self, words: Sequence[str], names: Sequence[bool]) -> float:
        """Return the log-probability that subject, verb, object, and perhaps preposition and noun
        were said together, not by chance.
        """
        table, articles = self.lexicon.table, self.lexicon.articles
        symbols = [
            group_of(table.name(word), articles) if is_name else word
            for word, is_name in zip(words, names, strict=True)
        ]
        return self.slots.log_sense(symbols)

    def counted(self) -> Iterator[tuple[tuple[str, ...], list[Counted]]]:
        """Yield the propositions of the text with their instances, the most frequent first."""
        groups: dict[tuple[str, ...], list[Counted]] = {}
        for one in self.evidence.instances:
            groups.setdefault(one.classes, []).append(one)
        order = sorted(
            groups, key=lambda classes: (-sum(c.count for c in groups[classes]), classes)
        )
        for classes in order:
            yield classes, groups[classes]

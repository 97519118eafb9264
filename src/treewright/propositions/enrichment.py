"""Enrichment: the full proposition behind a phrase that leaves its verb unsaid."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treewright.corpora import scan_tokens
from treewright.errors import Problems
from treewright.parsing import open_parser
from treewright.propositions.evidence import mentions
from treewright.propositions.model import Counted, PropositionModel
from treewright.propositions.sentence import Kind, ParsedSentence, read_noun
from treewright.text import tokenize
from treewright.trees import Tree

_UNSEEN = 0.01
"""How well a class fits that a word is not known to have."""


@dataclass(frozen=True)
class Enriched:
    """A full proposition with the phrase's words in their places, and its share of all guesses."""

    instance: tuple[str, ...]
    classes: tuple[str, ...]
    probability: float
    support: int
    """How many instances of the text have this proposition's verb, object and preposition."""


class Enricher:
    """Guesses what is missing in `Young to Holt`: frames of the text that have the same
    preposition, weighed by how well the classes of their arguments fit the words given.
    """

    def __init__(self, model: PropositionModel) -> None:
        self._model = model
        self._frames: dict[str, dict[tuple[str, ...], list[Counted]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for one in model.evidence.instances:
            if one.shape in ("NVNPN", "NVPN") and one.kinds[0] is Kind.NAME:
                self._frames[one.words[-2]][one.words[1:-1]].append(one)

    def enrich(self, tree: Tree, number: int = 3) -> list[Enriched]:
        """Return the most probable propositions for a phrase without a verb."""
        sentence = ParsedSentence(tree)
        given = _given(sentence)
        if given is None:
            return []
        return self.complete(*given, number)

    def complete(
        self,
        first_word: tuple[str, Kind],
        preposition: str,
        last_word: tuple[str, Kind],
        number: int = 3,
    ) -> list[Enriched]:
        """Return the most probable propositions between a subject and a preposition's noun."""
        (subject, subject_kind), (noun, noun_kind) = first_word, last_word
        lexicon = self._model.lexicon
        first = _chances(self._model, lexicon.symbol(subject, subject_kind))
        last = _chances(self._model, lexicon.symbol(noun, noun_kind))
        scored = []
        for frame, found in self._frames.get(preposition, {}).items():
            classes, score = _fit(found, first, last)
            scored.append((score, frame, classes, sum(one.count for one in found)))
        scored.sort(key=lambda row: (-row[0], row[1]))
        if not scored:
            return []
        total = sum(math.exp(score - scored[0][0]) for score, *_ in scored)
        name = lexicon.table.name(subject) if subject_kind is Kind.NAME else subject
        return [
            Enriched(
                (name, *frame, noun),
                (classes[0], *frame, classes[1]),
                math.exp(score - scored[0][0]) / total,
                support,
            )
            for score, frame, classes, support in scored[:number]
        ]


def _given(
    sentence: ParsedSentence,
) -> tuple[tuple[str, Kind], str, tuple[str, Kind]] | None:
    """Return the first name, the preposition after it, and the noun after that."""
    for mention in mentions(sentence):
        for place in range(mention.last + 1, len(sentence.words)):
            if sentence.tags[place] not in ("IN", "TO"):
                continue
            noun = _noun_after(sentence, place)
            if noun is not None:
                preposition = sentence.words[place].lower()
                return (mention.name, Kind.NAME), preposition, noun
        return None
    return None


def _noun_after(sentence: ParsedSentence, place: int) -> tuple[str, Kind] | None:
    """Return the noun that ends the first run of nouns after a position."""
    found = None
    for other in range(place + 1, len(sentence.words)):
        noun = read_noun(sentence, other)
        if noun is None or noun.kind is Kind.PRONOUN:
            if found is not None:
                break
            continue
        found = (noun.text, noun.kind)
    return found


def _chances(model: PropositionModel, symbol: str) -> dict[str, float]:
    """Return the probabilities of a word's classes, whatever it does."""
    found = model.lexicon.candidates.get(symbol)
    if not found:
        return {symbol: 1.0}
    total = sum(chance for _, chance in found)
    return {noun: chance / total for noun, chance in found}


def _fit(
    found: Sequence[Counted], first: dict[str, float], last: dict[str, float]
) -> tuple[tuple[str, str], float]:
    """Return the best classes of both ends of a frame, and the log of how well they fit."""
    counts: dict[tuple[str, str], float] = defaultdict(float)
    for one in found:
        counts[one.classes[0], one.classes[-1]] += one.count
    best = max(counts, key=lambda pair: (counts[pair] * _both(pair, first, last), pair))
    score = sum(number * _both(pair, first, last) for pair, number in counts.items())
    return best, math.log(score)


def _both(pair: tuple[str, str], first: dict[str, float], last: dict[str, float]) -> float:
    return (first.get(pair[0], 0.0) + _UNSEEN) * (last.get(pair[1], 0.0) + _UNSEEN)


def enrich_lines(
    enricher: Enricher, path: str, parser: str, problems: Problems, *, number: int = 3
) -> Iterator[tuple[str, list[Enriched]]]:
    """Yield the lines of a file (`-` is standard input) with what they may mean in full."""
    opened = open_parser(parser)
    for words in problems.good(words for _, words in scan_tokens(path)):
        text = " ".join(words)
        tokens = [token.text for token in tokenize(text)]
        if tokens:
            yield text, enricher.enrich(opened.parse([tokens])[0], number)

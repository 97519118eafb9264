"""Paraphrases in a sentence, ranked by the model of paraphrases and a language model.

The score of a paraphrase is s · exp(w · (log p(sentence with it) − log p(sentence)) / m), where m
is the number of words whose probabilities change: those of the phrase and some that follow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from treewright.lm import LanguageModel
from treewright.paraphrase.contexts import Sentence
from treewright.paraphrase.harvesting import spans
from treewright.paraphrase.model import K, Paraphraser, paraphrases
from treewright.paraphrase.phrases import phrase_of
from treewright.paraphrase.reading import Read
from treewright.paraphrase.settings import HarvestSettings
from treewright.parsing import Parser, open_parser, tag_each

LM_WEIGHT = 0.5
_POOL = 10
"""How many candidates more than are wanted are ranked again."""


class Place(NamedTuple):
    """A phrase in a sentence: its words from `start` up to `end`."""

    text: str
    start: int
    end: int


class Fitted(NamedTuple):
    """A paraphrase in its sentence."""

    text: str
    score: float
    sentence: str


@dataclass
class InContext:
    """Finds the phrases of sentences, and ranks their paraphrases there."""

    model: Paraphraser
    lm: LanguageModel | None = None
    parser: str = "embedded"
    weight: float = LM_WEIGHT
    redundancy: str | None = None
    keep_antonyms: bool | None = None

    @cached_property
    def _parser(self) -> Parser:
        return open_parser(self.parser)

    def phrases(self, words: Sequence[str]) -> Iterator[Place]:
        """Yield the verb phrases of a sentence."""
        tags = tag_each(self._parser, [words])[0]
        sentence = Sentence.of(Read(words, tags, None))
        for start, end in spans(sentence, HarvestSettings()):
            yield Place(phrase_of(words[start:end], tags[start:end]).text, start, end)

    def paraphrases(self, words: Sequence[str], place: Place, k: int = K) -> list[Fitted]:
        """Return the `k` best paraphrases of a phrase where it stands."""
        pool = k if self.lm is None else _POOL + k
        found = paraphrases(
            self.model,
            place.text,
            pool,
            redundancy=self.redundancy,
            keep_antonyms=self.keep_antonyms,
        )
        before, after = words[: place.start], words[place.end :]
        original = self._log_probability(words)
        following = 1 if self.lm is None else self.lm.order - 1
        fitted = []
        for item in found:
            sentence = [*before, *_cased(item.phrase.words, words[place.start]), *after]
            reach = max(len(item.phrase.words), place.end - place.start) + following
            change = self._log_probability(sentence) - original
            score = item.score * math.exp(self.weight * change / reach)
            fitted.append(Fitted(item.text, score, " ".join(sentence)))
        return sorted(fitted, key=lambda item: -item.score)[:k]

    def _log_probability(self, words: Sequence[str]) -> float:
        return 0.0 if self.lm is None else float(self.lm.score(words).sum())


def _cased(words: Sequence[str], original: str) -> list[str]:
    """Capitalise the first word where the original was."""
    return [words[0].capitalize(), *words[1:]] if original[:1].isupper() else list(words)

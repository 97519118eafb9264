"""`ParaphraseModel`: what was harvested, and the paraphrases of a phrase that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from treewright.errors import choose
from treewright.paraphrase.antonyms import Antonyms
from treewright.paraphrase.phrases import BE, HAVE, Phrase, phrase_of
from treewright.paraphrase.settings import REDUNDANCY, HarvestSettings
from treewright.paraphrase.signatures import SignatureIndex
from treewright.paraphrase.space import Space

_SERVING = BE | HAVE
_FREQUENT = 60
"""Phrases of a verb that are considered, the most frequent ones."""
_FITTING = 4
"""The best of them that are candidates."""
_EXACT, _SAME_CORE, _ELSEWHERE = 1.0, 0.95, 0.5
"""What fit a phrase has that differs in the verb only; in what stands before it too; otherwise."""
K = 10
"""How many paraphrases are returned unless told otherwise."""
_ROWS = 40
"""The rows that are looked at, most similar first."""
_RARE = 0.999


class Paraphrase(NamedTuple):
    """Another way to say a phrase."""

    phrase: Phrase
    score: float

    @property
    def text(self) -> str:
        """Its words with spaces between them."""
        return self.phrase.text


class Paraphraser(Protocol):
    """What knows paraphrases: a harvested model, pivots, or several of these together."""

    @property
    def settings(self) -> HarvestSettings:
        """Which paraphrases are wanted unless told otherwise."""
        ...

    @property
    def antonyms(self) -> Antonyms:
        """The verbs that it knows to be opposites."""
        ...

    def read(self, text: str) -> Phrase | None:
        """Return a phrase with its tags, if its words are known."""
        ...

    def candidates(self, phrase: Phrase) -> Iterator[Paraphrase]:
        """Yield paraphrases in any order."""
        ...

    def reasons(self, phrase: Phrase, other: Phrase) -> list[tuple[str, float]]:
        """Return what speaks for a paraphrase, and how much."""
        ...

    def summary(self) -> str:
        """Say how much it holds."""
        ...

    def save(self, path: str | Path) -> None:
        """Write the model to a file."""
        ...


def paraphrases(
    model: Paraphraser,
    text: str,
    k: int = K,
    *,
    redundancy: str | None = None,
    keep_antonyms: bool | None = None,
) -> list[Paraphrase]:
    """Return the `k` best paraphrases of a phrase, best first; none if it is not known.

    Antonyms are left out unless they are to be kept, or the model keeps other voices as well.
    """
    wanted = choose(redundancy or model.settings.redundancy, REDUNDANCY, "redundancy")
    phrase = model.read(text)
    if phrase is None:
        return []
    same_voice = model.settings.same_voice
    drop_antonyms = same_voice if keep_antonyms is None else not keep_antonyms
    found: dict[str, Paraphrase] = {}
    for candidate in model.candidates(phrase):
        if same_voice and not says_the_same(phrase, candidate.phrase):
            continue
        if drop_antonyms and model.antonyms.have(phrase, candidate.phrase):
            continue
        known = found.get(candidate.text)
        if known is None or known.score < candidate.score:
            found[candidate.text] = candidate
    found.pop(phrase.text, None)
    ordered = sorted(found.values(), key=lambda item: (-item.score, item.text))
    kept: list[Paraphrase] = []
    verbs = {phrase.lemma}
    for item in ordered:
        if len(kept) == k:
            break
        if wanted != "any" and item.phrase.lemma in verbs:
            continue
        if wanted == "each":
            verbs.add(item.phrase.lemma)
        kept.append(item)
    return kept


def says_the_same(phrase: Phrase, other: Phrase) -> bool:
    """Whether voice and polarity are the same, and a full verb is not replaced by an auxiliary."""
    return (
        phrase.is_passive == other.is_passive
        and phrase.is_negative == other.is_negative
        and (phrase.is_auxiliary or not other.is_auxiliary)
    )


def realisations(wanted: Phrase, row: str, space: Space) -> list[Paraphrase]:
    """Return the phrases of a row that fit the place of `wanted` best, of the same polarity.

    A phrase with the inflection and the following words of `wanted`, but other words before it, is
    given those of `wanted`.
    """
    found = []
    for number in space.phrases_of_row.get(row, ())[:_FREQUENT]:
        phrase = space.phrases[number].phrase
        if phrase.is_negative == wanted.is_negative:
            found.append(Paraphrase(phrase, _fit(phrase, wanted)))
    found.sort(key=lambda realised: -realised.score)
    return [_adapted(realised, wanted) for realised in found[:_FITTING]]


def _fit(phrase: Phrase, wanted: Phrase) -> float:
    """How well a phrase fits, by the share of what surrounds the verb that is the same."""
    same_inflection = _same_inflection(phrase, wanted)
    same_after = phrase.after == wanted.after
    same_before = phrase.before == wanted.before
    if same_inflection and same_after:
        return _EXACT if same_before else _SAME_CORE
    return _ELSEWHERE * (1 + 2 * same_inflection + 2 * same_after + same_before) / 6


def _adapted(realised: Paraphrase, wanted: Phrase) -> Paraphrase:
    phrase, fit = realised
    if fit != _SAME_CORE:
        return realised
    words = wanted.before + phrase.words[phrase.main :]
    tags = wanted.tags[: wanted.main] + phrase.tags[phrase.main :]
    return Paraphrase(Phrase(words, tags), fit)


def _same_inflection(phrase: Phrase, wanted: Phrase) -> bool:
    one, other = phrase.tags[phrase.main], wanted.tags[wanted.main]
    if one == other or {one, other} == {"VB", "VBP"}:
        return True
    if {one, other} != {"VBD", "VBN"}:
        return False
    return _SERVING.isdisjoint(phrase.before) and _SERVING.isdisjoint(wanted.before)


@dataclass(frozen=True, eq=False)
class ParaphraseModel:
    """Paraphrases by similar contexts."""

    space: Space
    metadata: dict[str, Any] = field(default_factory=dict)
    index: SignatureIndex | None = None
    """The signatures to search by; without them, all rows are compared."""

    @property
    def settings(self) -> HarvestSettings:
        """Those of the harvest."""
        return self.space.settings

    @cached_property
    def _tag_of_word(self) -> dict[str, str]:
        """The most frequent tag of each word that occurs in a phrase."""
        counts: dict[tuple[str, str], int] = {}
        for known in self.space.phrases:
            for pair in zip(known.phrase.words, known.phrase.tags, strict=True):
                counts[pair] = counts.get(pair, 0) + known.count
        ordered = sorted(counts, key=lambda pair: (counts[pair], pair))
        return dict(ordered)

    @property
    def antonyms(self) -> Antonyms:
        """As the text has them."""
        return self.space.antonyms

    def read(self, text: str) -> Phrase | None:
        """Return a phrase with its most frequent tags, those of its words if it is new."""
        words = text.lower().split()
        number = self.space.phrase_numbers.get(" ".join(words))
        if number is not None:
            return self.space.phrases[number].phrase
        tags = [self._tag_of_word.get(word) for word in words]
        if not words or None in tags:
            return None
        return phrase_of(words, [tag for tag in tags if tag is not None])

    def row(self, phrase: Phrase) -> int | None:
        """Return the row of a phrase, if it has one."""
        by_phrase = self.space.settings.rows == "phrase"
        return self.space.row_numbers.get(phrase.text if by_phrase else phrase.row)

    def similar_rows(self, row: int) -> Iterator[tuple[int, float]]:
        """Yield rows by similarity, the most similar first, without the row itself.

        Rare rows come last, at the share of their similarity that puts them there.
        """
        if self.index is None:
            scores = self.space.similarities(row)
        else:
            scores = self.index.similarities(row, self.space.settings.shortlist)
        scores[row] = 0
        is_rare = self.space.row_counts < self.space.settings.min_count
        common = scores[~is_rare]
        least = common[common > 0].min(initial=1.0)
        scores[is_rare] *= least / max(float(scores[is_rare].max(initial=0.0)), least) * _RARE
        for other in np.argsort(-scores, kind="stable")[:_ROWS].tolist():
            if scores[other] <= 0:
                return
            yield other, float(scores[other])

    def candidates(self, phrase: Phrase) -> Iterator[Paraphrase]:
        """Yield phrases of similar rows; of verbs, in the place of this one and in its voice."""
        row = self.row(phrase)
        if row is None:
            return
        space = self.space
        for other, score in self.similar_rows(row):
            name = space.rows[other]
            if space.settings.rows == "phrase":
                known = space.phrases[space.phrase_numbers[name]].phrase
                yield Paraphrase(known, score)
            elif name.endswith("|passive") == phrase.is_passive:
                for realised in realisations(phrase, name, space):
                    yield Paraphrase(realised.phrase, score * realised.score)

    def reasons(self, phrase: Phrase, other: Phrase) -> list[tuple[str, float]]:
        """Return the contexts that they share."""
        one, two = self.row(phrase), self.row(other)
        return [] if one is None or two is None else self.space.shared(one, two)

    def summary(self) -> str:
        """Say how much it holds."""
        space = self.space
        return (
            f"{len(space.phrases)} phrases, {len(space.rows)} rows, {len(space.contexts)} contexts"
        )

    def save(self, path: str | Path) -> None:
        """Write the model to a file."""
        from treewright.paraphrase.storage import save_model

        save_model(self, path)

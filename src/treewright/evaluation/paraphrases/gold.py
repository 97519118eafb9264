"""An automatic judge of verb phrases: what their verbs may mean, their voice, polarity and frame.

It stands in for people, who alone can tell: it takes any sense of a verb and sees no sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from treewright.evaluation.paraphrases.expected import Judged
from treewright.trees import word_set

_BE = word_set("be am is are was were been being 're 'm get got")
_HAVE = word_set("have has had having 've")
_DO = word_set("do does did doing done")
_MODALS = word_set("will would can could may might shall should must 'll 'd wo ca ought cannot")
_MAYBE_LEXICAL = _HAVE - {"'ve"} | _DO | {"get", "got"}
"""Auxiliaries that are lexical verbs where no other verb follows."""
_NEGATIONS = word_set("not n't never nt")
_CLOSED = word_set(
    "about above across after against along although among around as at away back because before "
    "behind below beneath beside between beyond by despite down during except for forth forward "
    "from if in inside into like near of off on onto out outside over past per since so than that "
    "though through throughout till to together toward towards under until unless up upon via "
    "whether while with within without aside apart ahead whereas now then here there today also "
    "just only even still already again once ever later soon further yet too very more most less "
    "not n't never almost often always well how when where why however instead rather both either "
    "neither all next last first abroad home"
)
"""Words that are never taken for verbs."""
_SAME = {
    "were": "was", "are": "is", "'re": "is", "am": "is", "'m": "is", "have": "has", "'ve": "has",
    "n't": "not", "'ll": "will", "wo": "will", "ca": "can", "cannot": "can", "do": "does",
}  # fmt: skip
"""Forms that count as the same in a frame."""
_INFLECTIONS = {"VB": "base", "VBP": "base", "VBZ": "z", "VBG": "ing", "VBD": "past", "VBN": "part"}


class Lexical(NamedTuple):
    """A lexical verb of a phrase."""

    place: int
    lemma: str
    inflection: str


class Frame(NamedTuple):
    """What may not differ if one phrase is to stand in the place of another."""

    before: tuple[str, ...]
    inflections: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """A phrase as the judge sees it."""

    verbs: tuple[str, ...]
    bare: tuple[str, ...]
    after: tuple[str, ...]
    is_passive: bool
    is_negative: bool
    frame: Frame

    @property
    def main(self) -> str:
        """The last lexical verb."""
        return self.bare[-1]


@dataclass(frozen=True)
class VerbForms:
    """Verb forms with their lemmas and how often they have which tag; phrasal verbs."""

    forms: Mapping[str, tuple[str, Mapping[str, int]]]
    phrasal: Collection[str]

    def read(self, text: str) -> Reading | None:
        """Return a phrase as the judge sees it; nothing if it has no lexical verb."""
        words = text.lower().split()
        lexical = self._lexical(words)
        if not lexical:
            return None
        verbs, particles = self._with_particles(words, lexical)
        place, _, inflection = lexical[-1]
        after = tuple(
            word
            for at, word in enumerate(words[place + 1 :], start=place + 1)
            if at not in particles and word not in _NEGATIONS
        )
        before = words[:place]
        by_agent = after[:1] == ("by",) and _HAVE.isdisjoint(before)
        first = words[: lexical[0].place]
        return Reading(
            verbs=tuple(verbs),
            bare=tuple(verb.lemma for verb in lexical),
            after=tuple(words[place + 1 :]),
            is_passive=inflection == "part" and (by_agent or not _BE.isdisjoint(before)),
            is_negative=not _NEGATIONS.isdisjoint(words),
            frame=Frame(
                tuple(_SAME.get(word, word) for word in first if word not in _NEGATIONS),
                tuple(verb.inflection for verb in lexical),
                after,
            ),
        )

    def _lexical(self, words: Sequence[str]) -> list[Lexical]:
        found: list[Lexical] = []
        auxiliary = ""
        for place, word in enumerate(words):
            kind = self._auxiliary(words, place)
            if kind:
                auxiliary = kind if kind in ("be", "have") else auxiliary
            elif self._is_verb(word):
                lemma, _ = self.forms[word]
                found.append(Lexical(place, lemma, self._inflection(word, auxiliary)))
                auxiliary = ""
            elif word == "to":
                auxiliary = ""
        return found

    def _is_verb(self, word: str) -> bool:
        return word in self.forms and word not in _CLOSED

    def _auxiliary(self, words: Sequence[str], place: int) -> str:
        """Return which kind of auxiliary a word is, if it is one."""
        word = words[place]
        if word in _MAYBE_LEXICAL and not any(map(self._is_verb, words[place + 1 :])):
            return ""
        kinds = {"be": _BE, "have": _HAVE, "do": _DO, "modal": _MODALS}
        return next((kind for kind, members in kinds.items() if word in members), "")

    def _inflection(self, form: str, auxiliary: str) -> str:
        _, tags = self.forms[form]
        takes_participle = auxiliary in ("be", "have") and not form.endswith("ing")
        if takes_participle and ("VBN" in tags or "VBD" in tags):
            return "part"
        best = max(tags, key=lambda tag: tags[tag])
        if best in ("VBD", "VBN") and not auxiliary:
            best = "VBD" if "VBD" in tags else "VBN"
        return _INFLECTIONS[best]

    def _with_particles(
        self, words: Sequence[str], lexical: Sequence[Lexical]
    ) -> tuple[list[str], set[int]]:
        """Return verbs with their particles, which follow within two words, and where these are."""
        verbs, used = [], set()
        ends = [*(verb.place for verb in lexical[1:]), len(words)]
        for (place, lemma, _), end in zip(lexical, ends, strict=True):
            for at in range(place + 1, min(end, place + 3)):
                if f"{lemma} {words[at]}" in self.phrasal:
                    used.add(at)
                    lemma = f"{lemma} {words[at]}"
                    break
            verbs.append(lemma)
        return verbs, used


@dataclass(frozen=True)
class GoldJudge:
    """Judges by sets of verbs that may stand for each other."""

    forms: VerbForms
    gold: Mapping[str, Collection[str]]

    def __call__(self, phrase: str, paraphrase: str) -> Judged:
        """Return 1 or 0 for both criteria."""
        one, other = self.forms.read(phrase), self.forms.read(paraphrase)
        if one is None or other is None:
            return Judged(0.0, 0.0)
        is_redundant = one.main in other.bare
        same_words = phrase.lower().split() == paraphrase.lower().split()
        same_kind = (one.is_passive, one.is_negative) == (other.is_passive, other.is_negative)
        if same_words or not same_kind:
            return Judged(0.0, 0.0, is_redundant)
        lenient = self._match(one.verbs, other.verbs) or (
            one.after == other.after and self._match(one.bare, other.bare)
        )
        strict = lenient and one.frame == other.frame
        return Judged(float(lenient), float(strict), is_redundant)

    def _match(self, one: Sequence[str], other: Sequence[str]) -> bool:
        as_whole = self._same(" ".join(one), " ".join(other))
        return as_whole or (len(one) == len(other) and all(map(self._same, one, other)))

    def _same(self, one: str, other: str) -> bool:
        return one == other or other in self.gold.get(one, ())

"""`Phrase`: a sequence of words with its main verb, voice, polarity and inflection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from treewright.paraphrase.patterns import VERBS
from treewright.text import lemma
from treewright.trees import word_set

BE = word_set("be am is are was were been being 's 're 'm get gets got getting")
HAVE = word_set("have has had having 've")
NEGATIONS = word_set("not n't never")
_AUXILIARIES = frozenset({"be", "have", "do", "get"})
_INFLECTIONS = {
    "VB": "base",
    "VBP": "base",
    "VBZ": "third person",
    "VBG": "-ing",
    "VBD": "past",
    "VBN": "participle",
}
PARTICLE = "RP"


@dataclass(frozen=True)
class Phrase:
    """Words in lower case with their Penn tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]

    @cached_property
    def text(self) -> str:
        """The words with spaces between them."""
        return " ".join(self.words)

    @cached_property
    def main(self) -> int:
        """The place of the main verb: the last that is not an auxiliary; without one, the last
        verb, or the last word.
        """
        verbs = [place for place, tag in enumerate(self.tags) if tag in VERBS]
        lexical = [
            place
            for place in verbs
            if lemma(self.words[place], self.tags[place]) not in _AUXILIARIES
        ]
        return (lexical or verbs or [len(self.words) - 1])[-1]

    @cached_property
    def lemma(self) -> str:
        """The lemma of the main verb."""
        return lemma(self.words[self.main], self.tags[self.main]).lower()

    @cached_property
    def particle(self) -> str:
        """The particle right after the main verb, or nothing."""
        after = self.main + 1
        has_one = after < len(self.words) and self.tags[after] == PARTICLE
        return self.words[after] if has_one else ""

    @cached_property
    def verb(self) -> str:
        """The lemma of the main verb, with its particle: `set up`."""
        return f"{self.lemma} {self.particle}" if self.particle else self.lemma

    @cached_property
    def is_passive(self) -> bool:
        """Whether a participle follows a form of `be`, or `by` follows the participle."""
        if self.tags[self.main] not in ("VBN", "VBD"):
            return False
        before = self.words[: self.main]
        by_agent = self.after[:1] == ("by",) and HAVE.isdisjoint(before)
        return by_agent or not BE.isdisjoint(before)

    @cached_property
    def is_negative(self) -> bool:
        """Whether the phrase has a negation."""
        return not NEGATIONS.isdisjoint(self.words)

    @cached_property
    def is_auxiliary(self) -> bool:
        """Whether the main verb is one that mostly serves another."""
        return self.lemma in _AUXILIARIES

    @property
    def inflection(self) -> str:
        """The inflection of the main verb; the tag itself if it is none."""
        tag = self.tags[self.main]
        return _INFLECTIONS.get(tag, tag)

    @cached_property
    def before(self) -> tuple[str, ...]:
        """The words before the main verb."""
        return self.words[: self.main]

    @cached_property
    def after(self) -> tuple[str, ...]:
        """The words after the main verb and its particle."""
        return self.words[self.main + 1 + bool(self.particle) :]

    @property
    def row(self) -> str:
        """The verb and its voice: what contexts are counted for when all forms of a verb count
        together.
        """
        return f"{self.verb}|passive" if self.is_passive else self.verb


def phrase_of(words: Sequence[str], tags: Sequence[str]) -> Phrase:
    """Return a phrase of words as they stand in a text."""
    return Phrase(tuple([word.lower() for word in words]), tuple(tags))

"""`Phrase`: words with their main verb, voice and polarity; which sequences of tags are phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from treewright.errors import UsageError
from treewright.text import lemma
from treewright.trees import word_set

VERB_PHRASE = "(TO | IN | RB | MD | RP | VB)+"
"""The paper's pattern (§ 3.2) and particles, which Penn tags tell from prepositions."""
FAMILIES = {
    "VB": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
    "NN": ("NN", "NNS", "NNP", "NNPS"),
    "JJ": ("JJ", "JJR", "JJS"),
}
"""Names in patterns that stand for several tags; any other stands for itself."""
VERBS = frozenset(FAMILIES["VB"])
RUNS = ("maximal", "all")
"""Whether a phrase is a whole match, or any part of one that has its main verb."""
_NAME = re.compile(r"[^\s()|*+?]+")
_OTHER = "\x00"
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


class TagPattern:
    """A pattern such as `(TO | VB)+ IN?`, matched against the tags of a sentence."""

    def __init__(self, pattern: str = VERB_PHRASE) -> None:
        names = sorted(
            {tag for name in _NAME.findall(pattern) for tag in FAMILIES.get(name, (name,))}
        )
        # One character for each tag: the pattern becomes a regular expression over characters.
        self._codes = {tag: chr(0xE000 + place) for place, tag in enumerate(names)}
        compact = _NAME.sub(lambda found: self._one_of(found[0]), pattern)
        try:
            self._expression = re.compile(re.sub(r"\s+", "", compact).replace("(", "(?:"))
        except re.error as error:
            raise UsageError(
                f"the pattern {pattern!r} cannot be read ({error}); expected tags with ( ) | * + ? "
                f"such as {VERB_PHRASE!r}"
            ) from None
        if not names or self._expression.fullmatch(""):
            raise UsageError(f"the pattern {pattern!r} matches nothing or no tags at all")

    def _one_of(self, name: str) -> str:
        return f"[{''.join(self._codes[tag] for tag in FAMILIES.get(name, (name,)))}]"

    def matches(self, tags: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield start and end of each match from left to right, as long as possible."""
        text = "".join([self._codes.get(tag, _OTHER) for tag in tags])
        for found in self._expression.finditer(text):
            yield found.span()


@lru_cache(maxsize=16)
def tag_pattern(pattern: str) -> TagPattern:
    """Return the pattern that a text describes, compiled once."""
    return TagPattern(pattern)


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

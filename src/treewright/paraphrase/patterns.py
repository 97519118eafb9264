"""Which sequences of tags are phrases: regular expressions over part-of-speech tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from treewright.errors import UsageError

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

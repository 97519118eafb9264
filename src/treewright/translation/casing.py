"""How a model treats capital letters, going in and coming out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from treewright.errors import choose
from treewright.modelfile import Part
from treewright.text import Truecaser

CASINGS = ("lower", "true", "cased")
"""All words in lower case; first words of sentences in their usual form; all as they are."""
_NAME = "casing.txt"


@dataclass(frozen=True, eq=False)
class Casing:
    """What is done to words of one language before a model sees them, and to its outputs."""

    name: str
    truecaser: Truecaser

    @classmethod
    def learn(cls, name: str, sentences: Iterable[Sequence[str]]) -> Casing:
        """Learn the usual forms of words from tokenised text."""
        return cls(choose(name, CASINGS, "casing"), Truecaser.learn(sentences))

    def prepare(self, words: Sequence[str]) -> list[str]:
        """Return words, of a source or of training text, as the model knows them."""
        if self.name == "lower":
            return [word.lower() for word in words]
        return self.truecaser.truecase(words) if self.name == "true" else list(words)

    def finish(self, words: Sequence[str]) -> list[str]:
        """Return the words of an output as people write them."""
        return list(words) if self.name == "cased" else self.truecaser.recase(words)

    def parts(self) -> dict[str, bytes]:
        """Return what a model file stores about it."""
        return {_NAME: self.name.encode(), **self.truecaser.parts()}

    @classmethod
    def from_parts(cls, parts: Mapping[str, Part]) -> Casing:
        """Undo `parts`."""
        name = bytes(parts[_NAME]).decode()
        return cls(choose(name, CASINGS, "casing"), Truecaser.from_parts(parts))

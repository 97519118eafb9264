"""How a model treats capital letters, going in and coming out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from treewright.errors import choose
from treewright.modelfile import Part

_NAME = "name"


class Casing(Protocol):
    """What is done to words before a model sees them, and to its outputs."""

    name: str

    def prepare(self, words: Sequence[str]) -> list[str]:
        """Return words, of a source or of training text, as the model knows them."""
        ...

    def finish(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words of an output as people write them."""
        ...

    def parts(self) -> dict[str, bytes]:
        """Return what a model file stores about it."""
        ...


class Cased:
    """Words are taken as they are."""

    name = "cased"

    def prepare(self, words: Sequence[str]) -> list[str]:
        """Return the words."""
        return list(words)

    def finish(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words."""
        return tuple(words)

    def parts(self) -> dict[str, bytes]:
        """Return the name."""
        return {_NAME: self.name.encode()}


class Lower(Cased):
    """Words are lower-cased, and stay so."""

    name = "lower"

    def prepare(self, words: Sequence[str]) -> list[str]:
        """Return the words in lower case."""
        return [word.lower() for word in words]


CASINGS = {kind.name: kind for kind in (Cased, Lower)}


def learn_casing(name: str, texts: Iterable[Iterable[Sequence[str]]]) -> Casing:
    """Return the casing of this name, learned from tokenised texts if it has to be."""
    return CASINGS[choose(name, CASINGS, "casing")]()


def restore_casing(parts: Mapping[str, Part]) -> Casing:
    """Return the casing that a model file holds."""
    return CASINGS[choose(bytes(parts[_NAME]).decode(), CASINGS, "casing")]()

"""What is judged: an item with its texts and the systems that made it; a test with its answer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

MAX_TEXT = 20_000
"""Longer texts are rejected: nobody judges them."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text under a label (which may be empty), with the characters to mark in it, if any."""

    label: str
    text: str
    marked: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """A system that made an item, at which rank (from 1; 0 for none), and the item's weight."""

    system: str
    rank: int = 0
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Item:
    """What one judgement is about, whichever systems made it; `about` is passed through to the
    results.
    """

    id: str
    passages: tuple[Passage, ...]
    origins: tuple[Origin, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "id": self.id,
            "passages": [[each.label, each.text, each.marked] for each in self.passages],
            "origins": [[each.system, each.rank, each.weight] for each in self.origins],
            "about": dict(self.about),
        }

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Read an item from plain values."""
        return cls(
            str(values["id"]),
            tuple(
                Passage(str(label), str(text), None if marked is None else tuple(marked))
                for label, text, marked in values["passages"]
            ),
            tuple(
                Origin(str(system), int(rank), float(weight))
                for system, rank, weight in values["origins"]
            ),
            dict(values["about"]),
        )


@dataclass(frozen=True, slots=True)
class HiddenTest:
    """An item whose right answers are known: by question, the values that pass."""

    item: Item
    answers: Mapping[str, tuple[str, ...]]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values."""
        answers = {name: list(values) for name, values in self.answers.items()}
        return {**self.item.as_dict(), "answers": answers}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Read a test from plain values."""
        answers = {str(name): tuple(map(str, each)) for name, each in values["answers"].items()}
        return cls(Item.read(values), answers)


class Pool:
    """Items by what they show; whoever made one again is added to its origins."""

    def __init__(self) -> None:
        self._items: dict[Hashable, Item] = {}

    def add(
        self,
        key: Hashable,
        passages: tuple[Passage, ...],
        system: str,
        *,
        rank: int = 0,
        weight: float = 1.0,
        about: Mapping[str, Any],
    ) -> None:
        """Add an output; a system's second one with the same key is ignored."""
        known = self._items.get(key)
        if known is None:
            known = Item(str(len(self._items) + 1), passages, (), about)
        if all(origin.system != system for origin in known.origins):
            known = replace(known, origins=(*known.origins, Origin(system, rank, weight)))
        self._items[key] = known

    def items(self) -> list[Item]:
        """Return all items in the order in which they were first seen."""
        return list(self._items.values())

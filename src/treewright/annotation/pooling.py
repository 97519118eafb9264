"""Outputs of several systems, of which equal ones are judged once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

from treewright.annotation.item import Item, Origin, Passage


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

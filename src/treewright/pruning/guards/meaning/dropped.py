"""What a pruning dropped that a careful reader may want to know about."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from treewright.pruning.guards.meaning.reach import clause, host
from treewright.pruning.guards.meaning.rows import BREAKS, STRICT
from treewright.pruning.guards.meaning.table import INDICES
from treewright.pruning.guards.outline import Outline
from treewright.trees import TreeTable


class Dropped(NamedTuple):
    """Words from `start` to before `end` of a sentence that are gone, and what they were."""

    kind: str
    start: int
    end: int
    text: str

    def as_dict(self, offset: int = 0) -> dict[str, Any]:
        """Return plain values for JSON, the places counted from `offset`."""
        places = [self.start + offset, self.end + offset]
        return {"class": self.kind, "tokens": places, "text": self.text}


def dropped_material(source: TreeTable, kept: Collection[int]) -> tuple[Dropped, ...]:
    """Name what is gone from a sentence while something of its clause stays, in its order.

    What is part of something longer that is named is not named itself.
    """
    outline = Outline(source)
    stays = frozenset(kept)
    if not stays or len(stays) == len(source.leaves):
        return ()
    named: list[Dropped] = []
    found = sorted(_find(outline, stays), key=lambda item: (item[1].start, -item[1].stop))
    for kind, span in found:
        if named and span.stop <= named[-1].end:
            continue
        text = " ".join(source.words[span.start : span.stop])
        named.append(Dropped(kind, span.start, span.stop, text))
    return tuple(named)


def _find(outline: Outline, kept: frozenset[int]) -> Iterator[tuple[str, range]]:
    for row, first, last in INDICES[STRICT].find(outline):
        if row.loss == BREAKS or not kept.isdisjoint(range(first, last + 1)):
            continue
        limits = clause(outline, host(outline, first, last))
        if not kept.isdisjoint(outline.table.span(limits)):
            span = (
                range(first, last + 1) if row.extent is None else row.extent(outline, first, last)
            )
            yield row.kind, span

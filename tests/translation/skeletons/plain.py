"""Plain twin of what a skeleton leaves of a target."""

from __future__ import annotations

from collections.abc import Sequence


def generalise(
    target: Sequence[str], kept: Sequence[bool], links: Sequence[tuple[int, int]]
) -> list[str]:
    """Decide word by word, and write X once for each stretch."""
    sources = [{s for s, t in links if t == place} for place in range(len(target))]
    result: list[str] = []
    inside = False
    for place, word in enumerate(target):
        right = [p for p in range(place, len(target)) if sources[p]]
        left = [p for p in range(place) if sources[p]]
        guide = right[0] if right else left[-1] if left else None
        if guide is not None and any(kept[source] for source in sources[guide]):
            result.append(word)
            inside = False
        elif not inside:
            result.append("X")
            inside = True
    return result

"""Which stretches of a text a compression deletes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Span = tuple[int, int]


def mark_deletions(source: str, spans: Sequence[Span]) -> str:
    """Return the source with deleted stretches written `[-like this-]`."""
    pieces = [
        source[start:end] if is_kept else f"[-{source[start:end]}-]"
        for is_kept, start, end in stretches(source, spans)
    ]
    return "".join(pieces).strip()


def stretches(source: str, spans: Sequence[Span]) -> Iterator[tuple[bool, int, int]]:
    """Yield what is kept (true) and what is not, from left to right, given the spans that stay."""
    place = 0
    for start, end in _moved(source, _deleted(source, spans)):
        yield True, place, start
        yield False, start, end
        place = end
    yield True, place, len(source)


def _deleted(source: str, spans: Sequence[Span]) -> list[Span]:
    """Return what lies between spans, which are in the order of the source."""
    deleted = []
    place = 0
    for start, end in [*sorted(spans), (len(source), len(source))]:
        if source[place:start].strip():
            deleted.append((place, start))
        place = max(place, end)
    return deleted


def _moved(source: str, deleted: Sequence[Span]) -> list[Span]:
    """Join two stretches that are separated by a space if the second ends in one: of several spaces
    it does not matter which one stayed.
    """
    joined: list[Span] = []
    for start, end in deleted:
        between = source[joined[-1][1] : start] if joined else ""
        if between.isspace() and source.endswith(between, start, end):
            joined[-1] = (joined[-1][0], end - len(between))
        else:
            joined.append((start, end))
    return joined

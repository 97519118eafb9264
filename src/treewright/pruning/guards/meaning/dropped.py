"""What a pruning dropped that a careful reader may want to know about."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from treewright.pruning.guards.meaning.reach import clause, covers_more, host, whole
from treewright.pruning.guards.meaning.rows import BREAKS, STRICT
from treewright.pruning.guards.meaning.table import ROWS, instances
from treewright.pruning.guards.outline import Outline
from treewright.text import Sentence
from treewright.trees import PUNCTUATION_TAGS, TreeTable

_ORDER = {kind: number for number, kind in enumerate(dict.fromkeys(row.kind for row in ROWS))}
"""Of two classes with the same words, the first of the table is named."""
_MARKS = PUNCTUATION_TAGS - {"$", "#", "SYM"}
_NO_MEMBERS = PUNCTUATION_TAGS | {"CC", "CONJP", "ADVP", "RB", "DT", "PRP$", "IN", "TO", "MD"}


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


def dropped_material(
    source: TreeTable, kept: Collection[int], sentence: Sentence | None = None
) -> tuple[Dropped, ...]:
    """Name what is gone from a sentence while something of its clause stays, in its order.

    What is part of something longer that is named is not named itself. The text is that of the
    `sentence`, or the words of the tree.
    """
    stays = frozenset(kept)
    if not stays or len(stays) == len(source.leaves):
        return ()
    outline = Outline(source)
    found = [*_of_rows(outline, stays), *_members(outline, stays)]
    found.sort(key=lambda item: (item[1].start, -item[1].stop, _ORDER[item[0]]))
    spans: list[tuple[str, range]] = []
    for kind, span in found:
        if not spans or span.start >= spans[-1][1].stop:
            spans.append((kind, span))
        elif span.stop > spans[-1][1].stop:
            spans[-1] = (spans[-1][0], range(spans[-1][1].start, span.stop))
    return tuple([Dropped(k, s.start, s.stop, _text(source, s, sentence)) for k, s in spans])


def _text(source: TreeTable, span: range, sentence: Sentence | None) -> str:
    if sentence is None:
        return " ".join(source.words[span.start : span.stop])
    return sentence.text[sentence.tokens[span.start].start : sentence.tokens[span.stop - 1].end]


def _of_rows(outline: Outline, kept: frozenset[int]) -> Iterator[tuple[str, range]]:
    """Yield the instances of rows whose own words are gone.

    Something must stay of what they qualify, or of the clause around what has an extent.
    """
    for row, first, last in instances(outline, STRICT):
        own = range(first, last + 1)
        if not kept.isdisjoint(own) or (row.loss == BREAKS and row.extent is None):
            continue
        limits = top = host(outline, first, last)
        if row.extent is not None:
            limits = clause(outline, outline.parent[top] if row.extent is whole and top else top)
        extent = _trimmed(outline, (row.extent or _own)(outline, first, last))
        while limits and not covers_more(outline, limits, extent.start, extent.stop - 1):
            limits = clause(outline, outline.parent[limits])
        if kept.isdisjoint(outline.table.span(limits)):
            continue
        yield row.kind, extent if kept.isdisjoint(extent) else own


def _own(outline: Outline, first: int, last: int) -> range:
    return range(first, last + 1)


def _trimmed(outline: Outline, span: range) -> range:
    """Return a span without the marks at both ends."""
    start, stop = span.start, span.stop
    while start < stop - 1 and outline.tag(start) in _MARKS:
        start += 1
    while stop > start + 1 and outline.tag(stop - 1) in _MARKS:
        stop -= 1
    return range(start, stop)


def _joins(outline: Outline, node: int) -> bool:
    """Whether a node is a conjunction, or the last members of a list with it."""
    if outline.labels[node] in ("CC", "CONJP"):
        return True
    listed = outline.word(outline.first[node] - 1) == ","
    return listed and any(outline.labels[x] == "CC" for x in outline.children[node])


def _members(outline: Outline, kept: frozenset[int]) -> Iterator[tuple[str, range]]:
    """Yield what is gone of lists of which a member of the same kind stays."""
    for children in outline.children:
        if not any(_joins(outline, x) for x in children):
            continue
        stays = {outline.labels[x] for x in children if not kept.isdisjoint(outline.table.span(x))}
        for child in children:
            if outline.labels[child] in stays - _NO_MEMBERS:
                span = outline.table.span(child)
                if kept.isdisjoint(span):
                    yield "lists", _trimmed(outline, span)

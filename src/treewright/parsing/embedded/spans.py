"""Trees as labelled spans and back: what the parser scores instead of trees.

A span is `(start, end, label)` over token positions. Nodes that cover the same tokens become one
span whose label joins theirs from the top (`S+VP`), so a span has at most one label.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treewright.trees import ROOT, Tree

JOIN = "+"


class Span(NamedTuple):
    """The tokens from `start` up to `end` under the labels joined in `label`."""

    start: int
    end: int
    label: str


def spans_of(tree: Tree) -> list[Span]:
    """Return the spans of a tree in preorder, without its root and its preterminals."""
    found: list[Span] = []
    _collect(tree, found)
    return found


def _collect(tree: Tree, found: list[Span]) -> None:
    position = 0
    # An entry is a node to open, or the index of a span that ends here.
    stack: list[Tree | int] = list(reversed(tree.children))
    while stack:
        entry = stack.pop()
        if isinstance(entry, int):
            found[entry] = found[entry]._replace(end=position)
            continue
        labels = []
        node = entry
        while node.word is None:
            labels.append(node.label)
            if len(node.children) != 1:
                break
            node = node.children[0]
        if labels:
            stack.append(len(found))
            found.append(Span(position, position, JOIN.join(labels)))
        if node.word is not None:
            position += 1
            if labels:
                place = stack.pop()
                assert isinstance(place, int)
                found[place] = found[place]._replace(end=position)
        else:
            stack.extend(reversed(node.children))


def tree_of(
    words: Sequence[str], tags: Sequence[str], spans: Iterable[Span], *, repair: bool = False
) -> Tree:
    """Build the tree rooted in `ROOT` that has these spans, which must not cross.

    With `repair`, clauses that no treebank has are left out.
    """
    leaves = [Tree(tag, word=word) for word, tag in zip(words, tags, strict=True)]
    # The outermost span that starts at a position comes first.
    ordered = sorted(spans, key=lambda span: (span.start, -span.end))
    open_spans: list[tuple[Span, list[Tree]]] = []
    top: list[Tree] = []
    place = 0
    for position, leaf in enumerate(leaves):
        while place < len(ordered) and ordered[place].start == position:
            open_spans.append((ordered[place], []))
            place += 1
        (open_spans[-1][1] if open_spans else top).append(leaf)
        while open_spans and open_spans[-1][0].end == position + 1:
            span, children = open_spans.pop()
            for label in reversed(span.label.split(JOIN)):
                if repair and label == "NP":
                    children = [part for child in children for part in _phrases(child)]
                children = [Tree(label, children)]
            (open_spans[-1][1] if open_spans else top).extend(children)
    return Tree(ROOT, top)


def _phrases(child: Tree) -> Sequence[Tree]:
    """Return the parts of what a noun phrase has, if it is called a clause but has no predicate.

    Spans are scored one by one, and those of a noun and its relative clause may look like this;
    treebanks have no such clause.
    """
    if child.label != "S":
        return [child]
    labels = [part.label for part in child.children]
    empty = labels[:1] == ["NP"] and "VP" not in labels and "S" not in labels
    return child.children if empty else [child]

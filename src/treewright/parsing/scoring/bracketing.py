"""A tree as the brackets that evalb compares, after deleting punctuation and top labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from treewright.trees import TRACE, Tree, base_label, prune_to, strip_traces

DELETED_LABELS = frozenset({"", "TOP", "ROOT", "S1", TRACE})
DELETED_TAGS = frozenset({",", ":", "``", "''", "."})
"""Tokens with these tags do not count, as in `COLLINS.prm`; brackets and `$` do."""
EQUAL_LABELS = {"PRT": "ADVP"}

Span = tuple[int, int]


class Bracket(NamedTuple):
    """A labelled span of words, counted from 0 after deletion; equal brackets match."""

    label: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where it begins and ends."""
        return self.start, self.end

    def crosses(self, other: Bracket) -> bool:
        """Whether two spans overlap and neither contains the other."""
        return self.start < other.start < self.end < other.end or (
            other.start < self.start < other.end < self.end
        )


@dataclass(frozen=True, slots=True)
class Bracketing:
    """The brackets of one tree in preorder; `parents` are indices into them, -1 at the top."""

    brackets: Sequence[Bracket] = ()
    parents: Sequence[int] = ()

    def parent(self, index: int) -> Bracket | None:
        """Return the bracket right above one of them, if any."""
        above = self.parents[index]
        return None if above < 0 else self.brackets[above]

    def children(self, index: int) -> list[Bracket]:
        """Return the brackets right below one of them."""
        pairs = zip(self.brackets, self.parents, strict=True)
        return [bracket for bracket, above in pairs if above == index]


class Tokens(NamedTuple):
    """The words of a tree and their tags."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


def tokens_of(tree: Tree) -> Tokens:
    """Return the words and tags of a tree, without traces and function tags."""
    leaves = [node for node in tree.preterminals() if node.label != TRACE]
    words = tuple([node.word for node in leaves if node.word is not None])
    return Tokens(words, tuple([base_label(node.label) for node in leaves]))


def kept_tokens(tags: Sequence[str]) -> list[int]:
    """Return the positions that count, given the tags of the gold tree."""
    return [place for place, tag in enumerate(tags) if tag not in DELETED_TAGS]


def bracketing_of(tree: Tree, kept: Collection[int]) -> Bracketing:
    """Return the brackets of a tree over its tokens at the positions in `kept`.

    Traces are not tokens. Brackets without words are removed, and so are top labels wherever they
    occur; function tags are cut, and `PRT` becomes `ADVP`, which evalb considers equal.
    """
    bare = strip_traces(tree)
    pruned = None if bare is None else prune_to(bare, kept)
    if pruned is None:
        return Bracketing()
    opened: list[tuple[str, int]] = []
    ends: list[int] = []
    parents: list[int] = []
    place = 0
    stack: list[tuple[Tree | None, int]] = [(pruned, -1)]
    while stack:
        node, above = stack.pop()
        if node is None:
            ends[above] = place
            continue
        if node.word is not None:
            place += 1
            continue
        label = base_label(node.label)
        if label not in DELETED_LABELS:
            opened.append((EQUAL_LABELS.get(label, label), place))
            ends.append(place)
            parents.append(above)
            above = len(opened) - 1
            stack.append((None, above))
        stack.extend([(child, above) for child in reversed(node.children)])
    brackets = [Bracket(*start, end) for start, end in zip(opened, ends, strict=True)]
    return Bracketing(brackets, parents)

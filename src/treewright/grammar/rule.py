"""`Rule`: a source fragment and a target, a fragment or a string, whose variables are linked."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from treewright.corpora import Alignment
from treewright.trees import Tree

EPSILON = "ε"
STRING = '""'
UNLINKED = -1


@dataclass(frozen=True)
class TargetString:
    """A flat target: words, and `None` for each variable, in the order of the target language."""

    items: tuple[str | None, ...]

    label: ClassVar[str] = STRING
    """The category of every string; variables stand for strings too."""
    is_frontier: ClassVar[bool] = False

    def words(self) -> tuple[str, ...]:
        """Return the words from left to right."""
        return tuple([item for item in self.items if item is not None])


@dataclass(frozen=True)
class Rule:
    """`cs/ct -> source / target`, with `links[i]` the target variable of source frontier node `i`.

    Variables, which are the frontier nodes of a fragment, are numbered from left to right on each
    side; `UNLINKED` is a link to ε. A side that is `None` is ε itself: without a target the rule
    deletes, without a source it inserts. A source fragment always spells out at least one
    production, so each rule application consumes part of the source tree; a target fragment may be
    a bare frontier node.

    `alignment` links the words of the two sides, numbered from left to right; `None` where nobody
    knows. It is no part of a rule's identity: where pairs differ in it, a grammar has the most
    frequent one.
    """

    source: Tree | None
    target: Tree | TargetString | None
    links: tuple[int, ...] = ()
    alignment: Alignment | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.source is None and self.target is None:
            raise ValueError("a rule needs a source or a target")
        if self.source is not None and self.source.is_frontier:
            raise ValueError(f"the source fragment {self.source.label} spells out no production")
        if len(self.links) != len(self.source_frontier):
            raise ValueError(
                f"{len(self.links)} links for {len(self.source_frontier)} source frontier nodes"
            )
        linked = [link for link in self.links if link != UNLINKED]
        if len(set(linked)) != len(linked):
            raise ValueError("two source frontier nodes are linked to one target frontier node")
        if any(not 0 <= link < len(self.target_frontier) for link in linked):
            raise ValueError("a link points outside the target frontier")
        if self.source is None and self.target is not None and self.target.is_frontier:
            raise ValueError(f"the inserted fragment {self.target.label} spells out no production")
        if self.alignment is not None:
            sizes = [len(side.words()) if side is not None else 0 for side in self._sides]
            if any(not (0 <= i < sizes[0] and 0 <= j < sizes[1]) for i, j in self.alignment):
                raise ValueError("the word alignment points outside the rule's words")

    @property
    def _sides(self) -> tuple[Tree | None, Tree | TargetString | None]:
        return self.source, self.target

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rule):
            return NotImplemented
        return (
            self.links == other.links
            and self.source == other.source
            and self.target == other.target
        )

    @cached_property
    def _hash(self) -> int:
        return hash((self.source, self.target, self.links))

    def __reduce__(self) -> tuple[type[Rule], tuple[object, ...]]:
        # Cached values stay behind: hashes of strings differ between processes.
        return Rule, (self.source, self.target, self.links, self.alignment)

    @cached_property
    def source_frontier(self) -> tuple[str, ...]:
        """Labels of the source frontier nodes, left to right."""
        return frontier(self.source)

    @cached_property
    def target_frontier(self) -> tuple[str, ...]:
        """Labels of the target's variables, left to right."""
        return frontier(self.target)

    @property
    def root(self) -> tuple[str, str]:
        """The root pair `(cs, ct)`, `"ε"` for a missing side."""
        return (
            EPSILON if self.source is None else self.source.label,
            EPSILON if self.target is None else self.target.label,
        )

    @property
    def inserted(self) -> tuple[int, ...]:
        """Target variables that no source node is linked to, left to right."""
        return tuple(j for j in range(len(self.target_frontier)) if j not in self.links)

    @property
    def variables(self) -> int:
        """Number of linked frontier pairs."""
        return sum(link != UNLINKED for link in self.links)

    @property
    def is_copy(self) -> bool:
        """Whether both sides are the same fragment with straight links."""
        return self.source == self.target and self.links == tuple(range(len(self.links)))

    @property
    def is_compression(self) -> bool:
        """Whether it keeps one part and drops another: a frontier node without a link, or words."""
        if self.source is None or self.target is None:
            return False
        return UNLINKED in self.links or len(self.target.words()) < len(self.source.words())

    def __str__(self) -> str:
        from treewright.grammar.notation import format_rule

        return format_rule(self)


def frontier(fragment: Tree | TargetString | None) -> tuple[str, ...]:
    """Return the labels of the variables of a rule's side, left to right; none for ε."""
    if isinstance(fragment, TargetString):
        return (STRING,) * fragment.items.count(None)
    if fragment is None or fragment.word is not None:
        return ()
    return tuple([node.label for node in fragment.nodes() if node.is_frontier])


def copy_rule(label: str, children: tuple[str, ...] = (), *, word: str | None = None) -> Rule:
    """Return the rule that copies one production."""
    fragment = Tree(label, [Tree(child) for child in children], word=word)
    return Rule(fragment, fragment, tuple(range(len(children))), () if word is None else ((0, 0),))


def pruning_rule(label: str, children: tuple[str, ...], kept: Sequence[bool]) -> Rule:
    """Return the rule that keeps some children of a production and deletes the others."""
    remaining = [child for child, keep in zip(children, kept, strict=True) if keep]
    places = itertools.count()
    links = tuple([next(places) if keep else UNLINKED for keep in kept])
    return Rule(
        Tree(label, [Tree(child) for child in children]),
        Tree(label, [Tree(child) for child in remaining]),
        links,
    )


def deletion_rule(label: str, children: tuple[str, ...] = (), *, word: str | None = None) -> Rule:
    """Return the rule that deletes one production and leaves its children to be deleted."""
    fragment = Tree(label, [Tree(child) for child in children], word=word)
    return Rule(fragment, None, (UNLINKED,) * len(children))

"""`Pair` and `Record`: a source tree with one target, or with all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from treewright.corpora.links import Alignment
from treewright.errors import DataError, Problems
from treewright.trees import Tree

Tokens: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A source tree and its target, a tree or tokens.

    `alignment` is `None` until something has made one.
    """

    id: str
    source: Tree
    target: Tree | Tokens
    alignment: Alignment | None = None

    @property
    def target_tree(self) -> Tree:
        """The target, which must be a tree: a `DataError` says so where it is tokens."""
        if not isinstance(self.target, Tree):
            raise DataError("the target has no tree, only tokens; parse it first", where=self.id)
        return self.target

    @property
    def target_words(self) -> Tokens:
        """The words of the target."""
        return self.target.words() if isinstance(self.target, Tree) else self.target


def with_trees(pairs: Iterable[Pair], problems: Problems | None = None) -> Iterator[Pair]:
    """Yield the pairs whose target is a tree; others go to `problems` (strict if absent)."""
    problems = problems or Problems(strict=True)
    for pair in pairs:
        try:
            pair.target_tree  # noqa: B018
        except DataError as error:
            problems.add(error)
        else:
            yield pair


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a corpus file: a source and its targets, for example one per annotator.

    `alignments`, if the file has them, holds one alignment per target.
    """

    id: str
    source: Tree
    targets: tuple[Tree | Tokens, ...]
    alignments: tuple[Alignment, ...] | None = None

    def pair(self, target: int = 0) -> Pair:
        """Return the source with target number `target`, counted from 0."""
        if not 0 <= target < len(self.targets):
            raise DataError(
                f"there is no target {target}: the record has {_targets(len(self.targets))}, "
                "numbered from 0",
                where=self.id,
            )
        alignment = None if self.alignments is None else self.alignments[target]
        return Pair(self.id, self.source, self.targets[target], alignment)

    def pairs(self) -> Iterator[Pair]:
        """Yield the source with each of its targets; if there are several, ids number them: `id#0`,
        `id#1`.
        """
        for number in range(len(self.targets)):
            pair = self.pair(number)
            yield replace(pair, id=f"{self.id}#{number}") if len(self.targets) > 1 else pair


def _targets(count: int) -> str:
    return "1 target" if count == 1 else f"{count} targets"

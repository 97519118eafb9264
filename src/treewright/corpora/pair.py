"""`Pair` and `Record`: a source tree with one target, or with all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from treewright.corpora.pharaoh import Alignment
from treewright.errors import DataError
from treewright.trees import Tree


@dataclass(frozen=True, slots=True)
class Pair:
    """A source tree and a target tree; `alignment` is `None` until one is made."""

    id: str
    source: Tree
    target: Tree
    alignment: Alignment | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a corpus file: a source and its targets, for example one per annotator.

    `alignments`, if the file has them, holds one alignment per target.
    """

    id: str
    source: Tree
    targets: tuple[Tree, ...]
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

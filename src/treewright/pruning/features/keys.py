"""Keys: the features of all nodes and gaps of a tree, as 64-bit numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.errors import choose
from treewright.pruning.features import attributes, templates
from treewright.pruning.features.surroundings import Surroundings, hashed

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Conjunctions:
    """Templates over one kind of attributes, ready for the kernel."""

    names: tuple[str, ...]
    functions: tuple[attributes.Attribute, ...]
    seeds: Hashes
    pointer: NDArray[np.int64]
    members: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        known: Mapping[str, tuple[str, ...]],
        functions: Mapping[str, attributes.Attribute],
    ) -> Conjunctions:
        """Prepare those of the named templates that are of this kind."""
        names = [name for name in names if name in known]
        parts = [known[name] for name in names]
        needed = list(dict.fromkeys(attribute for part in parts for attribute in part))
        return cls(
            tuple(names),
            tuple(functions[attribute] for attribute in needed),
            np.array([hashed(name) for name in names], dtype=np.uint64),
            np.cumsum([0, *map(len, parts)]),
            np.array([needed.index(a) for part in parts for a in part], dtype=np.int64),
        )

    def keys(self, tree: Surroundings, count: int) -> Hashes:
        """Return the keys of every item (row) by every template (column)."""
        from treewright.pruning.features import _kernels

        columns = np.empty((len(self.functions), count), dtype=np.uint64)
        for row, function in enumerate(self.functions):
            columns[row] = function(tree)
        result: Hashes = _kernels.make_keys(columns, self.seeds, self.pointer, self.members)
        return result


class Keys(NamedTuple):
    """The keys of a tree, one item per row and one template per column: of nodes, gaps
    and tokens.
    """

    drops: Hashes
    gaps: Hashes
    tokens: Hashes


@dataclass(frozen=True, eq=False)
class KeyMaker:
    """Computes the keys of a tree: of dropping each node, of each gap, and of losing each token."""

    drops: Conjunctions
    gaps: Conjunctions
    tokens: Conjunctions

    @classmethod
    def of(cls, names: Sequence[str] | None = None) -> KeyMaker:
        """Choose templates by name; all of them by default."""
        names = list(templates.KNOWN if names is None else names)
        for name in names:
            choose(name, templates.KNOWN, "feature template")
        return cls(
            Conjunctions.of(names, templates.DROP, attributes.NODE),
            Conjunctions.of(names, templates.GAP, attributes.GAP),
            Conjunctions.of(names, templates.LOST, attributes.TOKEN),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process by the names: attributes are functions without one."""
        return KeyMaker.of, (self.names,)

    @property
    def names(self) -> tuple[str, ...]:
        """The templates, those of nodes first."""
        return self.drops.names + self.gaps.names + self.tokens.names

    def __call__(self, tree: Surroundings) -> Keys:
        """Return the keys of a tree."""
        return Keys(
            self.drops.keys(tree, tree.size),
            self.gaps.keys(tree, len(tree.gaps.parent)),
            self.tokens.keys(tree, len(tree.tag))[1:-1],
        )


def table_size(keys: int) -> int:
    """Return the size of a table for that many keys: a power of two, at least half empty."""
    return 1 << max(4, (2 * keys).bit_length())

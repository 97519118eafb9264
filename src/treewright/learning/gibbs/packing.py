"""From pairs to the sampler's arrays, and from its state back to node alignments and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools, Ints
from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.grammar import (
    DELETED,
    UNALIGNED,
    Cutting,
    NodeAlignment,
    Rule,
    RuleCounter,
    production,
)
from treewright.learning.gibbs.arrays import NODE, Layout, Records
from treewright.progress import SILENT, Progress
from treewright.randomness import generator
from treewright.transduction import admissible
from treewright.trees import PackedTrees, Tree, TreeTable, Vocabulary

_KEYS = 0
"""Seed of the constants that hashes are made of; any value will do, but always the same."""


@dataclass(eq=False)
class PackedPairs:
    """Pairs as arrays, with the names of labels."""

    pairs: list[Pair]
    nodes: Records
    layout: Layout
    labels: Vocabulary
    trees: list[Tree]
    """Every node in the order of the arrays."""

    insertions: bool

    @property
    def sites(self) -> int:
        """How many nodes have their alignment sampled."""
        return len(self.layout.site)

    def admits(self, to: NDArray[Any]) -> bool:
        """Whether these alignments of all nodes are a state: each allowed, each chain in order."""
        nodes, source, root = self.nodes, is_source(self.layout), self.nodes["parent"] < 0
        if to.shape != nodes.shape or to.dtype.kind != "i" or to.max() >= len(nodes):
            return False
        starts, middles = self.layout.source_start[:-1], self.layout.target_start
        rank = np.where(to >= 0, nodes["rank"][to], -1)
        aligned = (rank >= nodes["first"]) & (rank < nodes["last"])
        deleted = (to == DELETED) & (nodes["linked"] == 0) & (source | self.insertions)
        allowed = (to == UNALIGNED) | aligned | deleted
        chained = np.flatnonzero(aligned)
        chained = chained[np.argsort(nodes["chain"][chained], kind="stable")]
        falls = (np.diff(rank[chained]) < 0) & (np.diff(nodes["chain"][chained]) == 0)
        return bool(
            allowed[~root].all()
            and (to[starts] == middles).all()
            and (to[middles] == UNALIGNED).all()
            and not falls.any()
        )

    @classmethod
    def pack(
        cls,
        pairs: Iterable[Pair],
        *,
        insertions: bool = False,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> PackedPairs:
        """Pack word-aligned pairs; those whose roots cannot be aligned go to `problems`.

        With `insertions`, target nodes without linked words are sites as well.
        """
        problems = problems or Problems(strict=True)
        packing = _Packing()
        kept = []
        for pair in progress.track(pairs, "aligning nodes"):
            try:
                packing.add(pair, insertions)
            except DataError as error:
                problems.add(error)
            else:
                kept.append(pair)
        if not kept:
            raise DataError(
                "no pair has an admissible alignment; training needs at least one aligned pair"
            )
        return cls(kept, *packing.finish(), packing.labels, packing.trees, insertions)


@dataclass
class _Packing:
    """Columns under construction; the names are those of `NODE` and `Layout`."""

    labels: Vocabulary = field(default_factory=Vocabulary)
    productions: dict[tuple[str, ...], int] = field(default_factory=dict)
    trees: list[Tree] = field(default_factory=list)
    columns: dict[str, list[NDArray[Any]]] = field(default_factory=dict)
    expansions: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    candidates: list[int] = field(default_factory=list)
    chains: int = 0
    source_start: list[int] = field(default_factory=lambda: [0])
    target_start: list[int] = field(default_factory=list)
    crossing: list[bool] = field(default_factory=list)
    sites: list[int] = field(default_factory=list)
    site_start: list[int] = field(default_factory=lambda: [0])

    def add(self, pair: Pair, insertions: bool) -> None:
        """Append one pair."""
        if pair.alignment is None:
            raise DataError("the pair has no word alignment; align it first", where=pair.id)
        inside: list[Tree] = []
        packed = PackedTrees.pack([pair.source, pair.target_tree], labels=self.labels, nodes=inside)
        allowed = admissible(packed, pair.alignment)
        if not allowed[0, 0]:
            raise DataError(
                "no admissible alignment: no word of the target is linked to the source",
                where=pair.id,
            )
        begin, size = self.source_start[-1], int(packed.offset[1])
        start = np.where(np.arange(len(packed.label)) < size, begin, begin + size)
        roots = packed.parent < 0
        self._append(
            parent=np.where(roots, -1, packed.parent + start),
            end=packed.end + start,
            label=packed.label,
            linked=~np.concatenate([allowed[:-1, -1], allowed[-1, :-1]]),
            **self._chains(packed.parent[:size], allowed, begin),
        )
        self.expansions += [self._production(node) for node in inside]
        self.places += _places(packed)
        self.trees += inside
        deletable = np.flatnonzero(allowed[1:-1, -1]) + 1
        alignable = np.flatnonzero(allowed[1:-1, 1:-1].any(axis=1)) + 1
        self.sites += (begin + np.sort(np.concatenate([deletable, alignable]))).tolist()
        if insertions:
            self.sites += (begin + size + np.flatnonzero(allowed[-1, :-1])).tolist()
        self.site_start.append(len(self.sites))
        self.target_start.append(begin + size)
        self.source_start.append(begin + len(inside))
        targets = [j for _, j in sorted(pair.alignment)]
        self.crossing.append(targets != sorted(targets))

    def _append(self, **columns: NDArray[Any]) -> None:
        for name, values in columns.items():
            self.columns.setdefault(name, []).append(values.astype(np.int32))

    def _production(self, node: Tree) -> int:
        return self.productions.setdefault(production(node), len(self.productions))

    def _chains(self, parent: Ints, allowed: Bools, begin: int) -> dict[str, Ints]:
        """Give every alignable source node its chain and candidates.

        The roots are aligned only with each other: a rule below ROOT never makes another ROOT.
        """
        size, size2 = allowed.shape[0] - 1, allowed.shape[1] - 1
        chain, lower, rank = (np.full(size + size2, -1) for _ in range(3))
        first, last = np.zeros(size + size2, dtype=np.int64), np.zeros(size + size2, dtype=np.int64)
        for x in range(1, size):
            up = parent[x]
            targets = np.flatnonzero(allowed[x, 1:-1]) + 1
            if len(targets) == 0:
                continue
            if chain[up] >= 0 and allowed[up, targets[0]]:
                chain[x], first[x], last[x] = chain[up], first[up], last[up]
                lower[up] = begin + x
                continue
            chain[x], first[x] = self.chains, len(self.candidates)
            self.chains += 1
            rank[size + targets] = first[x] + np.arange(len(targets))
            self.candidates += (begin + size + targets).tolist()
            last[x] = len(self.candidates)
        return {"chain": chain, "lower": lower, "rank": rank, "first": first, "last": last}

    def finish(self) -> tuple[Records, Layout]:
        """Put the columns together."""
        columns = {name: np.concatenate(parts) for name, parts in self.columns.items()}
        random = generator(_KEYS)
        keys = random.integers(1, 2**64, len(self.productions), dtype=np.uint64)
        places = random.integers(1, 2**64, max(self.places) + 1, dtype=np.uint64) | np.uint64(1)
        columns["key"] = keys[self.expansions]
        columns["place"] = places[self.places]
        nodes = np.zeros(len(self.trees), dtype=NODE)
        for name, values in columns.items():
            nodes[name] = values
        layout = Layout(
            source_start=np.array(self.source_start, dtype=np.int32),
            target_start=np.array(self.target_start, dtype=np.int32),
            crossing=np.array(self.crossing),
            site=np.array(self.sites, dtype=np.int32),
            site_start=np.array(self.site_start, dtype=np.int32),
            candidate=np.array(self.candidates, dtype=np.int32),
        )
        source, label, size = is_source(layout), nodes["label"], len(self.labels)
        nodes["row"] = np.where(source, label * (size + 1), 0)
        nodes["epsilon"] = np.where(source, label * (size + 1) + size, size * (size + 1) + label)
        return nodes, layout


def is_source(layout: Layout) -> Bools:
    """Say which nodes belong to source trees."""
    middle = np.repeat(layout.target_start, np.diff(layout.source_start))
    return np.asarray(np.arange(len(middle)) < middle)


def _places(packed: PackedTrees) -> list[int]:
    """Return each node's position among its siblings."""
    seen: dict[tuple[bool, int], int] = {}
    places = []
    for x, up in enumerate(packed.parent.tolist()):
        parent = (x < packed.offset[1], up)
        places.append(seen.get(parent, 0))
        seen[parent] = places[-1] + 1
    return places


def read_alignments(packed: PackedPairs, to: Ints) -> Iterator[NodeAlignment]:
    """Yield each pair's node alignment; a target node is inserted if a rule inserts it."""
    starts = packed.layout.source_start.tolist()
    for begin, middle, end, pair in zip(
        starts[:-1], packed.layout.target_start.tolist(), starts[1:], packed.pairs, strict=True
    ):
        yield NodeAlignment(
            TreeTable(pair.source),
            TreeTable(pair.target_tree),
            tuple([y - middle if y >= 0 else y for y in to[begin:middle].tolist()]),
            tuple([y == DELETED for y in to[middle:end].tolist()]),
            pair.alignment or (),
        )


def write_alignments(packed: PackedPairs, alignments: Iterable[NodeAlignment]) -> Ints:
    """Undo `read_alignments`; without insertions, no target node is marked as inserted."""
    to = np.full(len(packed.nodes), UNALIGNED, dtype=np.int32)
    starts, middles = packed.layout.source_start.tolist(), packed.layout.target_start.tolist()
    for begin, middle, alignment in zip(starts[:-1], middles, alignments, strict=True):
        source = np.array(alignment.to)
        to[begin:middle] = np.where(source >= 0, source + middle, source)
        if packed.insertions:
            inserted = middle + np.flatnonzero(alignment.inserted)
            to[inserted] = DELETED
    return to


def read_rules(packed: PackedPairs, to: Ints) -> Counter[Rule]:
    """Count the rules of a state."""
    counter = RuleCounter()
    for alignment in read_alignments(packed, to):
        counter.update(Cutting(alignment).general_rules())
    return counter.counts()

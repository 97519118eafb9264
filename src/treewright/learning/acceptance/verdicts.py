"""Verdicts: what readers said about versions of a text, and what is known about each version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import read_lines, read_object
from treewright.errors import DataError
from treewright.pruning import CompressionForest
from treewright.pruning.acceptance import (
    SEAM_FEATURES,
    Feature,
    Losses,
    Neighbours,
    Told,
    drop_odds,
    dropped_nodes,
    seam_features,
    seams_of,
)
from treewright.pruning.guards import essential, orphans
from treewright.trees import TreeTable

VERDICTS = {"fine": 1.0, "weak": 0.7, "changed": 0.0, "broken": 0.0}
"""What a reader may say of a version, and how far that is acceptance."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A text, the tokens that a version keeps (from 0, over all sentences), and the verdict, or how
    probable a teacher finds it that readers accept the version.
    """

    text: str
    kept: tuple[int, ...]
    verdict: str | float

    @property
    def accepted(self) -> float:
        """How far it is acceptance."""
        return VERDICTS[self.verdict] if isinstance(self.verdict, str) else self.verdict


@dataclass(frozen=True, slots=True)
class Loss:
    """One dropped constituent: its features, and the model's log-odds of dropping it."""

    features: Sequence[Feature]
    odds: float


@dataclass(frozen=True, slots=True)
class Example:
    """What the estimate sees of a version, and how far it was accepted.

    `tags` are the parts of speech on both sides of each seam, empty beyond an end. `nodes` and
    `ends` say where losses and seams are, for learners that read the sentence.
    """

    losses: Sequence[Loss]
    seams: NDArray[np.float64]
    tags: Sequence[tuple[str, str]]
    accepted: float
    nodes: Sequence[tuple[TreeTable, int]] = ()
    ends: Sequence[tuple[TreeTable, int, int]] = ()


_RECENT = 64
"""Sentences whose versions may come one after another."""
_SCHEMA = '{"text": …, "versions": [{"kept": [0, 1, …], "verdict": "fine"}, …]}'


def read_verdicts(path: str | Path) -> Iterator[Verdict | DataError]:
    """Return the verdicts of a file of JSON objects, or an error in place of a bad line."""
    return read_lines(path, _read)


def _read(line: str, where: str) -> list[Verdict]:
    fields = read_object(line, where, _SCHEMA)
    text, versions = fields.get("text"), fields.get("versions")
    if not isinstance(text, str) or not isinstance(versions, list):
        raise DataError(f"expected {_SCHEMA}", where=where)
    return [Verdict(text, *_read_version(version, where)) for version in versions]


def _read_version(version: object, where: str) -> tuple[tuple[int, ...], str | float]:
    kept = version.get("kept") if isinstance(version, dict) else None
    if not isinstance(kept, list) or not all(type(at) is int and at >= 0 for at in kept):
        found = f"{version!r:.60}"
        raise DataError(f"a version lists its kept tokens, from 0; found {found}", where=where)
    verdict: Any = version.get("verdict") if isinstance(version, dict) else None
    if type(verdict) in (float, int) and 0.0 <= verdict <= 1.0:
        return tuple(kept), float(verdict)
    if not isinstance(verdict, str) or verdict not in VERDICTS:
        known = ", ".join(VERDICTS)
        raise DataError(f"the verdict {verdict!r} is none of: {known}", where=where)
    return tuple(kept), verdict


@dataclass(frozen=True, eq=False)
class _About:
    """What all versions of a sentence share."""

    losses: Losses
    tags: Sequence[str]
    classes: NDArray[np.int32]
    known: dict[int, Sequence[Feature]] = field(default_factory=dict)

    def features(self, node: int) -> Sequence[Feature]:
        """Describe a node, once for all versions: there may be many."""
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = self.losses.features(node)
        return found


@lru_cache(maxsize=_RECENT)
def _about(source: TreeTable, neighbours: Neighbours) -> _About:
    tags = [source.labels[leaf] for leaf in source.leaves]
    losses = Losses.of(source, neighbours.bonds, essential(source))
    return _About(losses, tags, neighbours.classes(source.words, tags))


def describe(
    forests: Sequence[CompressionForest],
    kept: Sequence[int],
    neighbours: Neighbours,
    accepted: float,
) -> Example:
    """Describe a version of a text by its losses and seams, given the forests of all sentences."""
    losses: list[Loss] = []
    seams: list[NDArray[np.float64]] = [np.empty((0, len(SEAM_FEATURES)))]
    beside: list[tuple[str, str]] = []
    nodes: list[tuple[TreeTable, int]] = []
    ends: list[tuple[TreeTable, int, int]] = []
    start = 0
    for forest in forests:
        source = forest.source
        size = len(source.words)
        within = [place - start for place in kept if start <= place < start + size]
        start += size
        if not within or len(within) == size:
            continue
        odds = drop_odds(forest)
        about = _about(source, neighbours)
        dropped = dropped_nodes(source, within)
        losses += [Loss(about.features(node), float(odds[node])) for node in dropped]
        nodes += [(source, node) for node in dropped]
        alone = orphans(source, within)
        losses += [Loss(about.losses.of_orphan(place), 0.0) for place in alone]
        nodes += [(source, source.leaves[place]) for place in alone]
        found = seams_of(within, size)
        seams.append(seam_features(neighbours, about.classes, found, Told.of(forest)))
        ends += [(source, left, right) for left, right in found]
        edged = ["", *about.tags, ""]
        beside += [(edged[left + 1], edged[right + 1]) for left, right in found]
    return Example(losses, np.concatenate(seams), beside, accepted, nodes, ends)

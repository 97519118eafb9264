"""`SurpriseLearner`: how much less expected a token becomes where others before it are cut out.

A language model is the teacher. It says by how many nats the token after a cut is more surprising
than it was in the source; a layer over the states of both neighbours learns to say the same, for
every two tokens at once and without the language model:

    surprise(i, j) ≈ log p(j | source before j) - log p(j | version before j)

Only the layer is trained. The encoder stays that of the model, whose other outputs do not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treewright.corpora import read_lines, read_object
from treewright.errors import DataError
from treewright.learning.checks import check_number, check_whole
from treewright.learning.neural.learner import as_stored, use_torch
from treewright.pruning.encoded import SURPRISE, EncodedPruning, PriceNetwork
from treewright.trees import TreeTable

Seam = tuple[int, int, float]
"""Two tokens that become neighbours, from 0, and by how many nats the second is more surprising."""

_SCHEMA = '{"text": …, "seams": [[3, 7, 2.5], …]}'


@dataclass(frozen=True, slots=True)
class Surprises:
    """A text and the seams of some of its versions; tokens are numbered over all sentences."""

    text: str
    seams: tuple[Seam, ...]


def read_surprises(path: str | Path) -> Iterator[Surprises | DataError]:
    """Return the lines of a file of JSON objects, or an error in place of a bad one."""
    return read_lines(path, _read)


def _read(line: str, where: str) -> list[Surprises]:
    fields = read_object(line, where, _SCHEMA)
    text, seams = fields.get("text"), fields.get("seams")
    if not isinstance(text, str) or not isinstance(seams, list) or not all(map(_is_seam, seams)):
        raise DataError(f"expected {_SCHEMA}, tokens from 0", where=where)
    return [Surprises(text, tuple([(left, right, float(rise)) for left, right, rise in seams]))]


def _is_seam(found: object) -> bool:
    if not isinstance(found, list) or len(found) != 3:
        return False
    left, right, rise = found
    whole = type(left) is int and type(right) is int and isinstance(rise, int | float)
    return whole and 0 <= left < right and bool(np.isfinite(rise))


@dataclass(kw_only=True)
class SurpriseLearner:
    """Trains the layer of surprises. After `fit`: `pruning_`, and `losses_`, one per epoch."""

    width: int = 96
    epochs: int = 12
    rate: float = 2e-3
    decay: float = 1e-3
    dropout: float = 0.3
    batch: int = 128
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("width", "epochs", "batch"):
            check_whole(name, getattr(self, name))
        check_number("rate", self.rate, above=0.0)
        check_number("decay", self.decay, least=0.0)
        check_number("dropout", self.dropout, least=0.0, below=1.0)
        check_whole("seed", self.seed, least=0)

    def fit(
        self, pruning: EncodedPruning, read: Sequence[tuple[TreeTable, Sequence[Seam]]]
    ) -> SurpriseLearner:
        """Learn from sentences and their seams, tokens numbered in each sentence."""
        use_torch()
        from treewright.learning.neural.surprise_layer import export_layer, train_layer

        network = pruning.network
        rows = [(source, list(seams)) for source, seams in read if seams]
        if not rows:
            raise DataError("there is no seam to learn from")
        layer, self.losses_ = train_layer(self, network, rows)
        arrays = {name: a for name, a in network.arrays.items() if not name.startswith(SURPRISE)}
        exact = PriceNetwork(network.inventory, network.labels, {**arrays, **export_layer(layer)})
        self.pruning_ = as_stored(EncodedPruning(exact))
        return self

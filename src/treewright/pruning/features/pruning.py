"""`GapPruning`: any children of any node may be dropped; a linear model scores each gap
as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.modelfile import Part, pack_array, unpack_array
from treewright.pruning.features.keys import KeyMaker, table_size
from treewright.pruning.features.surroundings import Surroundings
from treewright.pruning.features.templates import KNOWN
from treewright.pruning.gaps import Gaps, Prices
from treewright.trees import TreeTable

Floats = NDArray[np.float64]
Hashes = NDArray[np.uint64]
_KEYS = "pruning/keys.npy"
_WEIGHTS = "pruning/weights.npy"


@dataclass(frozen=True, eq=False)
class GapPruning:
    """Weights of hashed features; `templates` says what the features look at.

    A node is dropped whole, at the sum of the weights of its own features and of those of all its
    tokens. A gap has the sum of those of its features. So the log-weight of a pruning is linear in
    the weights.
    """

    kind: ClassVar[str] = "features"
    model_kind: ClassVar[str] = "linear"
    by_share: ClassVar[bool] = False

    keys: Hashes
    weights: Floats
    templates: tuple[str, ...] = field(default_factory=lambda: KeyMaker.of().names)
    open: bool = True

    @property
    def num_weights(self) -> int:
        """How many features have a weight."""
        return len(self.keys)

    @cached_property
    def _maker(self) -> KeyMaker:
        return KeyMaker.of(self.templates)

    @cached_property
    def _table(self) -> tuple[Hashes, Floats]:
        from treewright.pruning.features import _kernels

        table, number = _kernels.build_table(self.keys, table_size(len(self.keys)))
        return table, np.append(self.weights, 0.0)[number]

    def prices(self, source: TreeTable, gaps: Gaps) -> Prices:
        """Return the weight of every gap, and that of dropping each node."""
        from treewright.pruning.features import _kernels

        tree = Surroundings.of(source, gaps)
        keys = self._maker(tree)
        table = self._table
        lost = np.append(0.0, np.cumsum(_kernels.sum_weights(*table, keys.tokens)))
        return Prices(
            _kernels.sum_weights(*table, keys.gaps),
            _kernels.sum_weights(*table, keys.drops)
            + (lost[tree.last[:-1]] - lost[tree.first[:-1] - 1]),
        )

    def ready(self, sources: Sequence[TreeTable]) -> Sequence[GapPruning]:
        """Return the pruning of each tree: this one, which reads nothing ahead."""
        return [self] * len(sources)

    def at(self, share: float) -> GapPruning:
        """Return itself: its prices are the same for every share of the words."""
        return self

    def as_dict(self) -> dict[str, Any]:
        """Return the plain values of a model file, beside `parts`."""
        return {"templates": list(self.templates), "open": self.open}

    def parts(self) -> dict[str, bytes]:
        """Return the keys, ascending, and their weights, for a model file."""
        order = np.argsort(self.keys)
        weights = self.weights[order].astype(np.float32)
        return {_KEYS: pack_array(self.keys[order]), _WEIGHTS: pack_array(weights)}

    @classmethod
    def restore(cls, values: Mapping[str, Any], parts: Mapping[str, Part]) -> GapPruning:
        """Undo `as_dict` and `parts`; a `ValueError` says what is wrong."""
        keys, weights = unpack_array(parts[_KEYS]), unpack_array(parts[_WEIGHTS])
        if keys.dtype != np.uint64 or keys.ndim != 1 or not (keys[1:] > keys[:-1]).all():
            raise ValueError("the keys of features must be ascending 64-bit numbers")
        if len(keys) and keys[0] == 0:
            raise ValueError("the keys of features must be above 0")
        if weights.dtype.kind != "f" or weights.shape != keys.shape:
            raise ValueError("features need a weight each")
        if not np.isfinite(weights).all():
            raise ValueError("the weights of features must be finite")
        templates = tuple(values["templates"])
        if len(set(templates)) != len(templates):
            raise ValueError("a feature template occurs twice")
        unknown = [str(name) for name in templates if name not in KNOWN]
        if unknown:
            raise ValueError(
                f"the model uses feature templates unknown here: {', '.join(unknown)};"
                " upgrade treewright to use it"
            )
        if not isinstance(values["open"], bool):
            raise ValueError(f"open must be true or false, found {values['open']!r}")
        return cls(keys, weights.astype(np.float64), templates, values["open"])

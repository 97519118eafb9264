"""`DeletionModel`: the weights of a deletion model, and its file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.errors import DataError, ModelFileError
from treewright.modelfile import pack_array, read_model, unpack_array, write_model
from treewright.pruning.deletion.evidence import gather
from treewright.pruning.deletion.forest import DeletionForest
from treewright.pruning.deletion.templates import fingerprint
from treewright.trees import Tree, TreeTable

KIND = "deletion"
MAX_BITS = 26
_FORM = "form.json"
_SLOTS = "slots.npy"
_VALUES = "values.npy"


@dataclass(frozen=True, eq=False)
class DeletionModel:
    """Weights of the features of a kept pair of tokens and of what is dropped between them.

    Of `2 ** bits` slots, those at `slots` (ascending) hold `values`, the others 0. The score of a
    compression is the sum over its adjacent kept tokens, including start and end. It is not a
    log-probability, so there are no probabilities.
    """

    bits: int
    slots: NDArray[np.int32]
    values: NDArray[np.float32]
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, weights: NDArray[np.float64], metadata: Mapping[str, Any]) -> DeletionModel:
        """Make the model from weights, one per slot."""
        values = weights.astype(np.float32)
        slots = np.flatnonzero(values).astype(np.int32)
        return cls(int(weights.size).bit_length() - 1, slots, values[slots], metadata)

    acceptance: ClassVar[None] = None
    decoders: ClassVar[tuple[str, ...]] = ("viterbi",)
    has_probabilities: ClassVar[bool] = False
    explains_by_rules: ClassVar[bool] = False

    def __len__(self) -> int:
        return self.slots.size

    @property
    def knows_needs(self) -> bool:
        """Whether it has learned what English needs: no."""
        return False

    @property
    def size(self) -> tuple[int, str]:
        """How large it is, and what is counted."""
        return len(self), "weights"

    def engine(self) -> DeletionModel:
        """Return what builds forests with it: the model itself."""
        return self

    def ready(self, sources: Sequence[TreeTable]) -> Sequence[DeletionModel]:
        """Return what builds the forest of each tree: this model, which reads nothing ahead."""
        return [self] * len(sources)

    def at(self, share: float) -> DeletionModel:
        """Return itself: its prices are the same for every share of the words."""
        return self

    @cached_property
    def weights(self) -> NDArray[np.float32]:
        """The weight in every slot."""
        weights = np.zeros(1 << self.bits, dtype=np.float32)
        weights[self.slots] = self.values
        return weights

    def forest(self, source: Tree | TreeTable) -> DeletionForest:
        """Return all compressions of a tree, scored."""
        from treewright.pruning.deletion import _kernels

        source = source.tree if isinstance(source, TreeTable) else source
        evidence = gather(source)
        if not evidence.tokens:
            raise DataError("the tree has no words")
        scores = _kernels.arc_scores(evidence, self.weights, np.uint64(64 - self.bits))
        return DeletionForest.of(source, scores)

    def save(self, path: str | Path) -> None:
        """Write the model file: the slots that have a weight, and their weights."""
        form = {"bits": self.bits, "features": fingerprint()}
        parts = {
            _FORM: json.dumps(form, sort_keys=True).encode(),
            _SLOTS: pack_array(self.slots.astype("<i4")),
            _VALUES: pack_array(self.values.astype("<f4")),
        }
        write_model(path, kind=KIND, parts=parts, metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> DeletionModel:
        """Read a model file."""
        parts, metadata = read_model(path, kind=KIND, known=(_FORM, _SLOTS, _VALUES))
        try:
            form = json.loads(parts[_FORM])
            bits, features = form["bits"], form["features"]
            slots = unpack_array(parts[_SLOTS])
            values = unpack_array(parts[_VALUES])
            _check(bits, slots, values)
        except (KeyError, ValueError, TypeError, EOFError, RecursionError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None
        if features != fingerprint():
            raise ModelFileError(
                "its weights are for features that this version does not have; train it again",
                where=str(path),
            )
        return cls(bits, slots.astype(np.int32), values.astype(np.float32), metadata)


def _check(bits: Any, slots: Any, values: Any) -> None:
    """Raise a `ValueError` unless these are the parts of a model, because kernels trust them."""
    if type(bits) is not int or not 1 <= bits <= MAX_BITS:
        raise ValueError(f"{_FORM} has bits {bits!r}; 1 to {MAX_BITS} expected")
    if slots.dtype != np.int32 or values.dtype != np.float32:
        raise ValueError(f"{_SLOTS} and {_VALUES} hold {slots.dtype} and {values.dtype}")
    if slots.ndim != 1 or slots.shape != values.shape:
        raise ValueError(f"slots of shape {slots.shape} for values of shape {values.shape}")
    if (np.diff(slots, prepend=-1) <= 0).any() or (slots >= 1 << bits).any():
        raise ValueError(f"{_SLOTS} must ascend from 0 to below {1 << bits}")
    if not np.isfinite(values).all():
        raise ValueError(f"{_VALUES} has a weight that is not a number")

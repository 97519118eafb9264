"""The parser's file: symbols and 8-bit weights in the project's model format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from treewright.errors import ModelFileError, UsageError
from treewright.modelfile import read_model, write_model
from treewright.parsing.embedded.arrays import (
    Array,
    Arrays,
    check_shapes,
    check_width,
    pack_arrays,
    unpack_arrays,
)
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.wordforms import BUCKETS

KIND = "parser"


@dataclass(frozen=True)
class Weights:
    """A trained parser: what it knows, its arrays by name, and how it was made."""

    inventory: Inventory
    arrays: Mapping[str, Array]
    metadata: dict[str, Any] = field(default_factory=dict)

    def write(self, path: str | Path) -> None:
        """Write the file; matrices are reduced to 8 bits per weight and one scale per row."""
        parts = {"inventory.json": self.inventory.to_json(), **pack_arrays(self.arrays)}
        write_model(path, kind=KIND, parts=parts, metadata=self.metadata)

    @classmethod
    def read(cls, path: str | Path) -> Weights:
        """Read a file; one whose parts do not fit together is rejected."""
        parts, metadata = read_model(path, kind=KIND, known=("inventory.json", "*.npy"))
        try:
            inventory = Inventory.from_json(parts.pop("inventory.json"))
            arrays = unpack_arrays(parts)
            _check(inventory, arrays)
            if not 0 <= float(metadata.get("threshold", 0)) <= 1:
                raise ValueError(f"the threshold is {metadata['threshold']}, not a probability")
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"the parts of this parser do not fit together ({error}); train it again",
                where=str(path),
            ) from None
        return cls(inventory, arrays, metadata)


def mean_weights(several: Sequence[Weights]) -> Weights:
    """Return the mean of parsers with the same symbols and widths, from runs with the same start.

    Runs from different starts have nothing in common, and their mean is useless.
    """
    first = several[0]
    for other in several[1:]:
        if other.inventory != first.inventory:
            raise UsageError("parsers to average must have started from the same parser")
    arrays = {
        name: np.stack([weights.arrays[name] for weights in several]).mean(axis=0)
        for name in first.arrays
    }
    about = {"style": first.metadata.get("style"), "mean_of": [w.metadata for w in several]}
    if "threshold" in first.metadata:
        about["threshold"] = first.metadata["threshold"]
    return Weights(first.inventory, arrays, about)


def shapes(inventory: Inventory, word: int, hidden: int, span: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array of a parser of these widths; some are a `ValueError`."""
    check_width(span)
    return {
        **encoder_shapes(inventory, word, hidden),
        "tags_weight": (len(inventory.tags), 2 * hidden),
        "tags_bias": (len(inventory.tags),),
        "start_weight": (span, 2 * hidden),
        "start_bias": (span,),
        "end_weight": (span, 2 * hidden),
        "label_weight": (len(inventory.labels) - 1, span),
        "label_bias": (len(inventory.labels) - 1,),
    }


def encoder_shapes(inventory: Inventory, word: int, hidden: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array of an encoder of these widths; some are a `ValueError`."""
    check_width(max(word, 2 * hidden))
    gates = 4 * hidden
    wanted: dict[str, tuple[int, ...]] = {
        "words": (len(inventory.words), word),
        "spellings": (BUCKETS, word),
        "treebanks": (len(inventory.treebanks), word),
    }
    for layer, width in (("lower", word), ("upper", 2 * hidden)):
        for direction in ("forward", "backward"):
            name = f"{layer}_{direction}"
            wanted[f"{name}_input"] = (gates, width)
            wanted[f"{name}_state"] = (gates, hidden)
            wanted[f"{name}_bias"] = (gates,)
    return wanted


def _check(inventory: Inventory, arrays: Arrays) -> None:
    _, word = arrays.shape("words")
    _, hidden = arrays.shape("lower_forward_state")
    check_shapes(arrays, shapes(inventory, word, hidden, len(arrays["start_bias"])))

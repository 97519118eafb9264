"""Grammars as parts of model files: arrays, which are mapped where they are large."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright.grammar.grammar import Grammar
from treewright.grammar.packed import PackedRules
from treewright.modelfile import Part, pack_array, unpack_array

PART = "rules/*"
_NAMES = "rules/names.json"
_OF_RULES = ("weights", "counts", "features")


def grammar_parts(grammar: Grammar) -> dict[str, bytes]:
    """Return the parts of a grammar: names of labels, words and features, and arrays."""
    packed = grammar.packed
    names = {
        "labels": packed.labels.names,
        "words": packed.words.names,
        "features": list(grammar.feature_names),
    }
    arrays: dict[str, Any] = packed.arrays()
    arrays |= {name: getattr(grammar, name) for name in _OF_RULES}
    return {_NAMES: json.dumps(names, ensure_ascii=False).encode()} | {
        f"rules/{name}.npy": pack_array(array)
        for name, array in arrays.items()
        if array is not None
    }


def read_grammar(parts: Mapping[str, Part]) -> Grammar:
    """Undo `grammar_parts`; a `ValueError` or `LookupError` says what is wrong."""
    names = json.loads(bytes(parts[_NAMES]))
    for name in ("labels", "words", "features"):
        if not all(isinstance(text, str) for text in names[name]):
            raise ValueError(f"{_NAMES} has {name} that are not text")
    arrays = {
        name.removeprefix("rules/").removesuffix(".npy"): unpack_array(part)
        for name, part in parts.items()
        if name.startswith("rules/") and name != _NAMES
    }
    weights, counts = arrays["weights"], arrays["counts"]
    for name, values in (("weights", weights), ("counts", counts)):
        if values.dtype != np.float64 or values.ndim != 1:
            raise ValueError(f"{name} holds {values.dtype} in {values.ndim} dimensions")
    if not (weights < np.inf).all() or not ((counts >= 0.0) & (counts < np.inf)).all():
        raise ValueError("a weight or a count is not a number below infinity")
    features = arrays.get("features")
    if features is not None and (features.dtype != np.float32 or not np.isfinite(features).all()):
        raise ValueError("features must be finite 32-bit numbers")
    packed = PackedRules.restore(names["labels"], names["words"], arrays)
    return Grammar(packed, weights, counts, features, tuple(names["features"]))

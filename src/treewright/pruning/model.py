"""`Model`: a grammar with everything that prediction needs, and its file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from treewright.errors import ModelFileError, TreewrightError
from treewright.grammar.features.linear import LinearUnseen
from treewright.grammar.grammar import Grammar
from treewright.grammar.notation import format_rule, parse_rule
from treewright.grammar.unseen import Unseen, unseen_from_dict
from treewright.modelfile import pack_array, read_model, unpack_array, write_model
from treewright.pruning.encoded.pruning import EncodedPruning
from treewright.pruning.features.pruning import GapPruning
from treewright.pruning.gaps import Pruning
from treewright.pruning.steps import StepPruning

KIND = "stsg"
_RULES = "rules.tsv"
_UNSEEN = "unseen.json"
_PRUNING = "pruning.json"
_KEYS = "pruning.keys.npy"
_WEIGHTS = "pruning.weights.npy"
_KNOWN = (_RULES, _UNSEEN, _PRUNING, _KEYS, _WEIGHTS, "encoded/*")
_BAD = (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True, eq=False)
class Model:
    """A grammar, the weights of what it lacks, and how it was made (`metadata`, plain values)."""

    grammar: Grammar
    unseen: Unseen | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    pruning: Pruning | None = None

    @property
    def num_weights(self) -> int:
        """How many features have a weight; 0 if rules and prunings have probabilities."""
        of_gaps = len(self.pruning.keys) if isinstance(self.pruning, GapPruning) else 0
        of_rules = len(self.unseen.by_feature) if isinstance(self.unseen, LinearUnseen) else 0
        return of_gaps + of_rules

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates of features that have a weight: first those of rules, then of gaps."""
        of_rules = self.unseen.templates if isinstance(self.unseen, LinearUnseen) else ()
        return of_rules + (self.pruning.templates if isinstance(self.pruning, GapPruning) else ())

    def save(self, path: str | Path) -> None:
        """Write the model file; rules as one line of `weight, count, rule` each."""
        grammar = self.grammar
        rows = zip(grammar.weights.tolist(), grammar.counts.tolist(), grammar.rules, strict=True)
        lines = [f"{weight!r}\t{count!r}\t{format_rule(rule)}\n" for weight, count, rule in rows]
        parts = {
            _RULES: "".join(lines).encode(),
            _UNSEEN: _plain(self.unseen),
            **_pruning_parts(self.pruning),
        }
        write_model(path, kind=KIND, parts=parts, metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Read a model file."""
        parts, metadata = read_model(path, kind=KIND, known=_KNOWN)
        try:
            grammar = _parse_rules(parts[_RULES].decode())
            unseen = unseen_from_dict(json.loads(parts[_UNSEEN]))
            pruning = _read_pruning(parts)
        except (*_BAD, TreewrightError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None
        return cls(grammar, unseen, metadata, pruning)


def _plain(part: Unseen | StepPruning | GapPruning | EncodedPruning | None) -> bytes:
    values = None if part is None else part.as_dict()
    return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()


def _pruning_parts(pruning: Pruning | None) -> dict[str, bytes]:
    """Return the parts of a pruning: plain values, and arrays if it has many weights."""
    if not isinstance(pruning, StepPruning | GapPruning | EncodedPruning | None):
        raise TypeError(f"a model file has no place for {type(pruning).__name__}")
    parts = {_PRUNING: _plain(pruning)}
    if isinstance(pruning, GapPruning):
        keys, weights = pruning.arrays()
        parts[_KEYS], parts[_WEIGHTS] = pack_array(keys), pack_array(weights)
    if isinstance(pruning, EncodedPruning):
        parts |= pruning.parts()
    return parts


def _read_pruning(parts: Mapping[str, bytes]) -> Pruning | None:
    values = json.loads(parts[_PRUNING])
    if values is None:
        return None
    if "templates" in values:
        return GapPruning.restore(values, unpack_array(parts[_KEYS]), unpack_array(parts[_WEIGHTS]))
    if "labels" in values:
        return EncodedPruning.restore(values, parts)
    return StepPruning.from_dict(values)


def _parse_rules(text: str) -> Grammar:
    rules, weights, counts = [], [], []
    for number, line in enumerate(text.splitlines(), start=1):
        weight, count, rule = line.split("\t")
        rules.append(parse_rule(rule, where=f"{_RULES}:{number}"))
        weights.append(float(weight))
        counts.append(float(count))
        if not weights[-1] < math.inf or not 0.0 <= counts[-1] < math.inf:
            raise ValueError(f"{_RULES}:{number} has weight {weight} and count {count}")
    return Grammar(tuple(rules), np.array(weights), np.array(counts))

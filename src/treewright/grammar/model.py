"""`Model`: a grammar with all that prediction needs, and its file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from treewright.errors import ModelFileError, TreewrightError
from treewright.grammar.grammar import Grammar
from treewright.grammar.notation import format_rule, parse_rule
from treewright.grammar.gaps import Pruning
from treewright.grammar.steps import StepPruning
from treewright.grammar.unseen import Unseen, unseen_from_dict
from treewright.modelfile import read_model, write_model

KIND = "stsg"
_RULES = "rules.tsv"
_UNSEEN = "unseen.json"
_PRUNING = "pruning.json"


@dataclass(frozen=True, eq=False)
class Model:
    """A grammar, the weights of what it lacks, and how it was made (`metadata`, plain values)."""

    grammar: Grammar
    unseen: Unseen | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    pruning: Pruning | None = None

    def save(self, path: str | Path) -> None:
        """Write the model file; rules as one line of `weight, count, rule` each."""
        grammar = self.grammar
        rows = zip(grammar.weights.tolist(), grammar.counts.tolist(), grammar.rules, strict=True)
        lines = [f"{weight!r}\t{count!r}\t{format_rule(rule)}\n" for weight, count, rule in rows]
        parts = {
            _RULES: "".join(lines).encode(),
            _UNSEEN: _plain(self.unseen),
            _PRUNING: _plain(self.pruning),
        }
        write_model(path, kind=KIND, parts=parts, metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Read a model file."""
        parts, metadata = read_model(path, kind=KIND)
        try:
            grammar = _parse_rules(parts[_RULES].decode())
            unseen = unseen_from_dict(json.loads(parts[_UNSEEN]))
            pruned = json.loads(parts[_PRUNING])
            pruning = None if pruned is None else StepPruning.from_dict(pruned)
        except (KeyError, ValueError, TypeError, RecursionError, TreewrightError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None
        return cls(grammar, unseen, metadata, pruning)


def _plain(part: Unseen | Pruning | None) -> bytes:
    values = None if part is None else part.as_dict()
    return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()


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

"""`Model`: a grammar with all that prediction needs, and its file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from treewright.errors import ModelFileError, TreewrightError
from treewright.grammar.grammar import Grammar
from treewright.grammar.notation import format_rule, parse_rule
from treewright.grammar.unseen import Unseen, unseen_from_dict
from treewright.modelfile import read_model, write_model

KIND = "stsg"
_RULES = "rules.tsv"
_UNSEEN = "unseen.json"


@dataclass(frozen=True, eq=False)
class Model:
    """A grammar, the weights of what it lacks, and how it was made (`metadata`, plain values)."""

    grammar: Grammar
    unseen: Unseen | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def save(self, path: str | Path) -> None:
        """Write the model file; rules as one line of `weight, count, rule` each."""
        grammar = self.grammar
        rows = zip(grammar.weights.tolist(), grammar.counts.tolist(), grammar.rules, strict=True)
        lines = [f"{weight!r}\t{count!r}\t{format_rule(rule)}\n" for weight, count, rule in rows]
        unseen = None if self.unseen is None else self.unseen.as_dict()
        parts = {
            _RULES: "".join(lines).encode(),
            _UNSEEN: json.dumps(unseen, ensure_ascii=False, sort_keys=True).encode(),
        }
        write_model(path, kind=KIND, parts=parts, metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Read a model file."""
        parts, metadata = read_model(path, kind=KIND)
        try:
            grammar = _parse_rules(parts[_RULES].decode())
            unseen = unseen_from_dict(json.loads(parts[_UNSEEN]))
        except (KeyError, ValueError, TypeError, TreewrightError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None
        return cls(grammar, unseen, metadata)


def _parse_rules(text: str) -> Grammar:
    rules, weights, counts = [], [], []
    for number, line in enumerate(text.splitlines(), start=1):
        weight, count, rule = line.split("\t")
        rules.append(parse_rule(rule, where=f"{_RULES}:{number}"))
        weights.append(float(weight))
        counts.append(float(count))
    return Grammar(tuple(rules), np.array(weights), np.array(counts))

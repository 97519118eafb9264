"""`Model`: a grammar with everything that prediction needs, and its file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from treewright.errors import ModelFileError, TreewrightError, choose
from treewright.grammar import PART, Grammar, Unseen, grammar_parts, read_grammar, unseen_from_dict
from treewright.modelfile import read_kind, read_mapped_model, write_model
from treewright.pruning.acceptance import PARTS as ACCEPTANCE
from treewright.pruning.acceptance import Acceptance
from treewright.pruning.encoded.pruning import EncodedPruning
from treewright.pruning.features.pruning import GapPruning
from treewright.pruning.gaps import StoredPruning
from treewright.pruning.pruner import Pruner
from treewright.pruning.steps import StepPruning

DECODERS = ("viterbi", "mbr", "mpt")
"""The ways to decode: all but the best score need probabilities."""

_SCORING = frozenset({"svm", "perceptron"})
"""Learners whose scores are not log-probabilities."""

RULES = "rules"
_PRUNINGS: dict[str, type[StoredPruning]] = {
    kind.kind: kind for kind in (StepPruning, GapPruning, EncodedPruning)
}
KINDS = (RULES, *{kind.model_kind: None for kind in _PRUNINGS.values()})
"""The kinds of files that hold such a model."""

_UNSEEN = "unseen.json"
_PRUNING = "pruning.json"
_KNOWN = (PART, _UNSEEN, _PRUNING, "pruning/*", *ACCEPTANCE)
_BAD = (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True, eq=False)
class Model:
    """A grammar, the weights of what it lacks, and how it was made (`metadata`, plain values).

    `acceptance` estimates which of its versions readers accept, if that was learned.
    """

    grammar: Grammar
    unseen: Unseen | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    pruning: StoredPruning | None = None
    acceptance: Acceptance | None = None

    decoders: ClassVar[tuple[str, ...]] = DECODERS

    @property
    def has_probabilities(self) -> bool:
        """Whether its weights are log-probabilities, from which risks can be computed."""
        return self.metadata.get("learner") not in _SCORING

    @property
    def knows_needs(self) -> bool:
        """Whether it has learned for every length what editors keep because English needs it.

        Then the estimate weighs what some of that is worth, and no guard has to hold it.
        """
        by_share = self.pruning is not None and self.pruning.by_share
        return self.acceptance is not None and by_share

    @property
    def size(self) -> tuple[int, str]:
        """How large it is, and what is counted."""
        weights = self.num_weights
        return (weights, "weights") if weights else (len(self.grammar), "rules")

    @property
    def explains_by_rules(self) -> bool:
        """Whether rules say what it does, rather than prices of its own for whatever it drops."""
        priced = self.pruning is not None and self.pruning.open and self.pruning.num_weights > 0
        return len(self.grammar) > 0 and not priced

    def engine(self) -> Pruner:
        """Return what builds forests with it."""
        return Pruner.of(self)

    @property
    def kind(self) -> str:
        """What its file says that it is: a model of rules, a linear one or a network."""
        for part in (self.pruning, self.unseen):
            if part is not None:
                return part.model_kind
        return RULES

    @property
    def num_weights(self) -> int:
        """How many features have a weight; none where rules and prunings have probabilities."""
        return sum(part.num_weights for part in (self.unseen, self.pruning) if part is not None)

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates of features that have a weight: first those of rules, then of gaps."""
        return tuple(
            name
            for part in (self.unseen, self.pruning)
            if part is not None
            for name in part.templates
        )

    def save(self, path: str | Path) -> None:
        """Write the model file."""
        unseen = None if self.unseen is None else self.unseen.as_dict()
        pruning: dict[str, Any] | None = None
        parts: dict[str, bytes] = {}
        if self.pruning is not None:
            pruning = {"kind": self.pruning.kind, **self.pruning.as_dict()}
            parts = self.pruning.parts()
        parts |= grammar_parts(self.grammar)
        parts |= {_UNSEEN: _plain(unseen), _PRUNING: _plain(pruning)}
        if self.acceptance is not None:
            parts |= self.acceptance.parts()
        write_model(path, kind=self.kind, parts=parts, metadata=self.metadata)

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Read a model file."""
        kind = read_kind(path)
        parts, metadata = read_mapped_model(
            path, kind=kind if kind in KINDS else RULES, known=_KNOWN
        )
        try:
            grammar = read_grammar(parts)
            unseen = unseen_from_dict(json.loads(bytes(parts[_UNSEEN])))
            pruning = None
            values = json.loads(bytes(parts[_PRUNING]))
            if values is not None:
                made = _PRUNINGS[choose(values["kind"], _PRUNINGS, "kind of pruning")]
                pruning = made.restore(values, parts)
            acceptance = Acceptance.restore(parts)
        except (*_BAD, TreewrightError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None
        return cls(grammar, unseen, metadata, pruning, acceptance)


def _plain(values: dict[str, Any] | None) -> bytes:
    return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()

"""What EM and variational Bayes share: extraction, forests, the iteration and its stopping rule."""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import Field, asdict, dataclass, field, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from treewright import __version__
from treewright.arrays import Floats
from treewright.compiling import expect_work
from treewright.corpora import Pair, format_pharaoh, with_trees
from treewright.errors import DataError, Problems
from treewright.forest import Forest, add_expected_counts
from treewright.grammar import Extraction, Grammar
from treewright.learning.checks import check_number, check_whole, good_pairs
from treewright.progress import SILENT, Progress
from treewright.pruning import Model, StepPruning
from treewright.transduction import pair_forest

Data = TypeVar("Data")
Learned = TypeVar("Learned")


class Learner(ABC, Generic[Data, Learned]):
    """A learner in two steps: what several runs may share, and the run itself.

    A subclass is a dataclass: its fields are all its settings, and its constructor only checks
    them. What it learns is in attributes that end in `_`.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    name: ClassVar[str]
    model_: Learned

    def settings(self) -> dict[str, Any]:
        """Return the parameters as plain values."""
        return asdict(self)

    def about(self, pairs: int, data: str, **more: Any) -> dict[str, Any]:
        """Return what a model file says of its training; `data` is the pairs' fingerprint."""
        return {
            "learner": self.name,
            "settings": self.settings(),
            "treewright": __version__,
            "pairs": pairs,
            "data": data,
            **more,
        }

    @abstractmethod
    def prepare(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> Data:
        """Prepare what every run needs from word-aligned pairs."""

    @abstractmethod
    def fit_prepared(self, data: Data, *, progress: Progress = SILENT) -> Self:
        """Learn; the result is in `model_`."""

    def fit(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> Self:
        """Learn from word-aligned pairs."""
        data = self.prepare(pairs, problems=problems, progress=progress)
        return self.fit_prepared(data, progress=progress)


def pair_forests(
    grammar: Grammar,
    pairs: Iterable[Pair],
    *,
    problems: Problems | None = None,
    progress: Progress = SILENT,
) -> list[Forest]:
    """Parse every pair with the grammar; pairs it cannot derive go to `problems`."""
    problems = problems or Problems(strict=True)
    forests = []
    for pair in progress.track(pairs, "parsing pairs"):
        parsed = pair_forest(grammar, pair)
        if parsed is None:
            problems.add(
                DataError("the grammar cannot derive this pair; it is left out", where=pair.id)
            )
        else:
            forests.append(parsed.forest)
    return forests


def expect(forests: Sequence[Forest], weights: Floats) -> tuple[float, Floats]:
    """Return the corpus log-likelihood and the expected count of every rule."""
    expect_work(len(forests))
    counts = np.zeros(len(weights))
    likelihood = 0.0
    for forest in forests:
        likelihood += add_expected_counts(forest, weights, counts)
    return likelihood, counts


@dataclass(frozen=True)
class TrainingSet:
    """What every iteration needs, prepared once: the rule set, and each pair's derivations.

    `fingerprint` identifies the pairs; it goes into the model's signature.
    """

    grammar: Grammar
    forests: Sequence[Forest]
    pairs: Sequence[Pair]
    fingerprint: str

    @classmethod
    def prepare(
        cls,
        pairs: Iterable[Pair],
        extraction: Extraction,
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> TrainingSet:
        """Extract rules from aligned pairs and parse the pairs with them."""
        pairs = list(with_trees(good_pairs(pairs, problems), problems))
        counts = extraction(pairs, problems=problems, progress=progress)
        if not counts:
            raise DataError("no pair gave any rule")
        grammar = Grammar.from_counts(counts)
        forests = pair_forests(grammar, pairs, problems=problems, progress=progress)
        return cls(grammar, forests, pairs, fingerprint(pairs))


def fingerprint(pairs: Iterable[Pair]) -> str:
    """Return a short hash of pairs and their alignments."""
    found = Fingerprint()
    for pair in pairs:
        found.add(pair)
    return str(found)


class Fingerprint:
    """The same, pair by pair."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, pair: Pair) -> None:
        """Take a pair in."""
        alignment = format_pharaoh(pair.alignment or ())
        self._digest.update(f"{pair.source}\t{pair.target}\t{alignment}\n".encode())

    def __str__(self) -> str:
        return self._digest.hexdigest()[:16]


@dataclass(kw_only=True)
class IterativeLearner(Learner[TrainingSet, Model]):
    """Iterates expected counts → weights over a training set until the objective stops changing.

    After `fit`: `model_`, `objective_` (the whole curve, one value per iteration) and `converged_`.
    A decrease of the objective is a programming error, not a sign of convergence, and is raised as
    such.
    """

    extraction: Extraction = field(default_factory=Extraction)
    iterations: int = 50
    tolerance: float = 1e-5
    pruning: bool = True

    def __post_init__(self) -> None:
        check_whole("iterations", self.iterations)
        check_number("tolerance", self.tolerance, least=0.0)

    @abstractmethod
    def start(self, data: TrainingSet) -> Floats:
        """Return the weights of the first iteration."""

    @abstractmethod
    def update(self, data: TrainingSet, counts: Floats) -> Floats:
        """Return new weights from expected counts."""

    @abstractmethod
    def penalty(self, data: TrainingSet, weights: Floats, counts: Floats | None) -> float:
        """Return what the prior adds to the log-likelihood under weights made from `counts`."""

    @abstractmethod
    def finish(self, data: TrainingSet, counts: Floats) -> Model:
        """Make the model for prediction from the last expected counts."""

    def prepare(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> TrainingSet:
        """Extract and parse once what several runs of this learner may share."""
        return TrainingSet.prepare(pairs, self.extraction, problems=problems, progress=progress)

    def fit_prepared(self, data: TrainingSet, *, progress: Progress = SILENT) -> Self:
        """Learn from a training set that is already extracted and parsed."""
        if not data.forests:
            raise DataError("the grammar derives none of the training pairs")
        weights = self.start(data)
        made_from: Floats | None = None
        self.objective_: list[float] = []
        self.converged_ = False
        for _ in progress.track(range(self.iterations), f"training {self.name}", self.iterations):
            likelihood, counts = expect(data.forests, weights)
            self.objective_.append(likelihood + self.penalty(data, weights, made_from))
            self.converged_ = self._stands_still()
            if self.converged_:
                break
            weights, made_from = self.update(data, counts), counts
        pruning = StepPruning.learn(data.pairs) if self.pruning else None
        self.model_ = replace(self.finish(data, counts), pruning=pruning)
        return self

    def _stands_still(self) -> bool:
        if len(self.objective_) < 2:
            return False
        before, now = self.objective_[-2:]
        if before == -math.inf:
            return False
        scale = max(1.0, abs(before))
        if now < before - 1e-8 * scale:
            raise RuntimeError(f"the objective of {self.name} fell from {before} to {now}")
        return now - before <= self.tolerance * scale

    def metadata(self, data: TrainingSet) -> dict[str, Any]:
        """Return what a model file says of its training."""
        return self.about(
            len(data.pairs),
            data.fingerprint,
            derived=len(data.forests),
            iterations=len(self.objective_),
            converged=self.converged_,
            objective=self.objective_[-1],
        )

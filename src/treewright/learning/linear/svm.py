"""`SVM` and `AveragedPerceptron`: weights learned by large margins, and from mistakes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from treewright.errors import UsageError, choose
from treewright.learning.checkpoints import NO_FILES, TrainingFiles
from treewright.learning.checks import check_number, check_whole
from treewright.learning.linear.examples import ExampleSet
from treewright.learning.linear.learner import LinearLearner
from treewright.learning.linear.problem import ForestProblem
from treewright.learning.margin.losses import LOSSES, loss_named
from treewright.learning.margin.method import DualMethod, Method, train
from treewright.learning.margin.problem import RESCALINGS, Objective, Problem
from treewright.progress import SILENT, Progress

if TYPE_CHECKING:
    from treewright.learning.margin.perceptron import Perceptron

METHODS = ("n-slack", "frank-wolfe")


@dataclass(kw_only=True)
class MarginLearner(LinearLearner):
    """What learners in rounds over a `ForestProblem` share.

    `by_place` counts a token as right only at its position; the paper accepts it from anywhere.
    After `fit`: also `result_`, with a report of every round.
    """

    loss: str = "errors"
    by_place: bool = True
    rounds: int = 200
    threads: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        choose(self.loss, LOSSES, "loss")
        for name in ("rounds", "threads"):
            check_whole(name, getattr(self, name))
        check_whole("seed", self.seed, least=0)

    @abstractmethod
    def method(self, problem: Problem) -> Method:
        """Make the optimiser."""

    def fit_prepared(
        self,
        data: ExampleSet,
        *,
        files: TrainingFiles = NO_FILES,
        report: Callable[[Any], None] | None = None,
        progress: Progress = SILENT,
    ) -> Self:
        """Learn the weights in rounds, until the stopping rule is met."""
        problem = ForestProblem(data, loss_named(self.loss), self.by_place)
        method = self.method(problem)
        self.result_ = train(
            method, rounds=self.rounds, files=files, report=report, progress=progress
        )
        self.weights_ = self.result_.weights
        primal, dual = method.bounds()
        about = {
            "iterations": method.round,
            "converged": self.result_.converged,
            "objective": 0.0 if primal is None else -primal,
            "gap": None if primal is None or dual is None else primal - dual,
        }
        self.model_ = self.finish(data, self.weights_, about)
        return self


@dataclass(kw_only=True)
class SVM(MarginLearner):
    """The structured SVM of the large-margin paper: ½‖w‖² + (c/n) Σ ξ (equation 4).

    `rescaling` says how the loss is used, `optimiser` how the minimum is found: to within a duality
    gap of `tolerance` times the objective or `c`, whichever is larger. Frank–Wolfe supports only
    margin rescaling. Defaults are what compresses best; the paper's system is `rules`, not `open`,
    the loss `precision-bp2` not `by_place`, `rescaling="slack"`, `optimiser="n-slack"` and
    `c=0.01`.
    """

    c: float = 10.0
    rescaling: str = "margin"
    optimiser: str = "frank-wolfe"
    tolerance: float = 0.02

    name = "svm"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("c", self.c, above=0.0)
        check_number("tolerance", self.tolerance, above=0.0)
        choose(self.optimiser, METHODS, "optimiser")
        choose(self.rescaling, RESCALINGS, "rescaling")
        if self.optimiser == "frank-wolfe" and self.rescaling != "margin":
            raise UsageError("frank-wolfe needs rescaling margin")

    def method(self, problem: Problem) -> DualMethod:
        """Make the optimiser that the settings name."""
        objective = Objective(
            c=self.c,
            rescaling="slack" if self.rescaling == "slack" else "margin",
            tolerance=self.tolerance,
        )
        if self.optimiser == "frank-wolfe":
            from treewright.learning.margin.frank_wolfe import FrankWolfe

            return FrankWolfe(problem, objective, seed=self.seed, threads=self.threads)
        from treewright.learning.margin.n_slack import NSlack

        return NSlack(problem, objective, threads=self.threads)


@dataclass(kw_only=True)
class AveragedPerceptron(MarginLearner):
    """The averaged structured perceptron: cheap, without an objective."""

    rounds: int = 10

    name = "perceptron"

    def method(self, problem: Problem) -> Perceptron:
        """Make the perceptron."""
        from treewright.learning.margin.perceptron import Perceptron

        return Perceptron(problem, seed=self.seed, threads=self.threads)

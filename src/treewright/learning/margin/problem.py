"""What the optimisers know about a structured problem: examples, and their most violated margins.

Both rescalings end in the same linear constraint ⟨w, a⟩ ≥ b − ξ: margin rescaling has (a, b) = (δΨ,
Δ), and slack rescaling, whose ⟨w, δΨ⟩ ≥ 1 − ξ/Δ is multiplied by Δ (equation 4), has (a, b) =
(Δ·δΨ, Δ). In both, H = b − ⟨w, a⟩ is the cost to maximise (equation 5), and the slack of an example
is its greatest H, or 0. So every optimiser here serves both, without knowing which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from treewright.arrays import Floats, Ints
from treewright.errors import UsageError, choose

Rescaling = Literal["margin", "slack"]

RESCALINGS: tuple[Rescaling, ...] = ("margin", "slack")


@dataclass(frozen=True, eq=False)
class Cut:
    """One wrong output of an example: δΨ = Ψ(gold) − Ψ(output), sparse, and the loss Δ.

    `indices` ascend without repeats. The gold output itself is the cut without indices and loss.
    """

    example: int
    indices: Ints
    values: Floats
    loss: float

    def __post_init__(self) -> None:
        indices = np.ascontiguousarray(self.indices, dtype=np.int32)
        values = np.ascontiguousarray(self.values, dtype=np.float64)
        # Kernels trust these arrays: a bad index would be a write out of bounds.
        if indices.ndim != 1 or indices.shape != values.shape:
            raise ValueError(f"{indices.shape} indices for {values.shape} values")
        if len(indices) and (indices[0] < 0 or not (indices[1:] > indices[:-1]).all()):
            raise ValueError("indices must ascend from 0 on, without repeats")
        if not (math.isfinite(self.loss) and self.loss >= 0.0):
            raise ValueError(f"a loss must be finite and not negative, found {self.loss}")
        object.__setattr__(self, "indices", indices)
        object.__setattr__(self, "values", values)

    def vector(self, rescaling: Rescaling) -> Floats:
        """Return the values of a in ⟨w, a⟩ ≥ b − ξ, where b is the loss."""
        return self.values if rescaling == "margin" else self.loss * self.values

    def violation(self, weights: Floats, rescaling: Rescaling) -> float:
        """Return H: (1 − ⟨w, δΨ⟩)·Δ (equation 5), or Δ − ⟨w, δΨ⟩ if the margin is rescaled."""
        from treewright.learning.margin._kernels import sparse_dense

        score = float(sparse_dense(self.indices, self.values, weights))
        return self.loss - (score if rescaling == "margin" else self.loss * score)


class Problem(Protocol):
    """A structured learning problem. Its methods are called from several threads at once."""

    @property
    def num_examples(self) -> int:
        """How many examples there are."""
        ...

    @property
    def num_features(self) -> int:
        """How long the weight vector is."""
        ...

    @property
    def fingerprint(self) -> str:
        """What distinguishes this problem from others: a checkpoint continues only with its own."""
        ...

    def separate(
        self, weights: Floats, examples: Sequence[int], rescaling: Rescaling
    ) -> Sequence[Cut]:
        """Return the output with the greatest H for each example, whatever its H.

        An example's cut depends only on the weights, not on what else is in the batch. Duality gaps
        are true bounds if the maximum is exact.
        """
        ...

    def predict(self, weights: Floats, examples: Sequence[int]) -> Sequence[Cut]:
        """Return the output with the greatest score for each example, regardless of loss."""
        ...


@dataclass(frozen=True, kw_only=True)
class Objective:
    """½‖w‖² + (C/n) Σ ξ (equation 4), and how close to its minimum is close enough.

    `tolerance` bounds the duality gap, as a share of the primal objective or of C, whichever is
    larger. As a share of C it is the precision of the mean slack in units of loss (SVM-struct's ε),
    which matters if C is so large that slacks have hardly a part in the objective.
    """

    c: float = 1.0
    rescaling: Rescaling = "slack"
    tolerance: float = 1e-2

    def __post_init__(self) -> None:
        choose(self.rescaling, RESCALINGS, "rescaling")
        for name, value in (("C", self.c), ("the tolerance", self.tolerance)):
            if not (math.isfinite(value) and value > 0.0):
                raise UsageError(f"{name} must be a finite number above 0, found {value}")

    def allowed_gap(self, primal: float) -> float:
        """Return the gap at which to stop."""
        return self.tolerance * max(primal, self.c)

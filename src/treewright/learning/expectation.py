"""The E-step shared by EM and variational Bayes: expected rule counts over pair forests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import expect_work
from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.forest import Forest, add_expected_counts
from treewright.grammar import Grammar
from treewright.progress import SILENT, Progress
from treewright.transduction import pair_forest

Floats = NDArray[np.float64]


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

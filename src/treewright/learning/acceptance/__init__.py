"""Learning which versions readers accept, from their verdicts."""

from treewright.learning.acceptance.learner import AcceptanceLearner, common
from treewright.learning.acceptance.verdicts import (
    VERDICTS,
    Example,
    Verdict,
    describe,
    read_verdicts,
)

__all__ = [
    "VERDICTS",
    "AcceptanceLearner",
    "Example",
    "Verdict",
    "common",
    "describe",
    "read_verdicts",
]

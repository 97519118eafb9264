"""Gibbs sampling of synchronous derivations under Dirichlet processes."""

from treewright.learning.gibbs.chains import (
    Spread,
    best_chain,
    check_resume,
    fit_chains,
    names_of_chains,
)
from treewright.learning.gibbs.files import RunFiles
from treewright.learning.gibbs.learner import Gibbs
from treewright.learning.gibbs.packing import PackedPairs
from treewright.learning.gibbs.run import Report
from treewright.learning.gibbs.sampler import Sampler

__all__ = [
    "Gibbs",
    "PackedPairs",
    "Report",
    "RunFiles",
    "Sampler",
    "Spread",
    "best_chain",
    "check_resume",
    "fit_chains",
    "names_of_chains",
]

"""Bayesian word alignment by Gibbs sampling."""

from treewright.alignment.statistical.sampling.counted import Counted
from treewright.alignment.statistical.sampling.sampler import Sampler
from treewright.alignment.statistical.sampling.settings import Sampling

__all__ = ["Counted", "Sampler", "Sampling"]

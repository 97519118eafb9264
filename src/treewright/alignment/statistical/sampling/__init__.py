"""Bayesian word alignment by Gibbs sampling."""

from treewright.alignment.statistical.sampling.sampler import Sampler, Sampling

__all__ = ["Sampler", "Sampling"]

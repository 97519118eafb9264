"""Bayesian word alignment by Gibbs sampling."""

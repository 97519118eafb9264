"""A CRF over prunings whose scores a neural network gives: the parser's encoder, trained further.

Training needs torch (the `train` extra); what it makes does not.
"""

from treewright.learning.neural.learner import NeuralCRF

__all__ = ["NeuralCRF"]

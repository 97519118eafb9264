"""A CRF over prunings scored by a neural network: the parser's encoder, trained further.

Training needs torch (the `train` extra); its models do not.
"""

from treewright.learning.neural.learner import NeuralCRF

__all__ = ["NeuralCRF"]

"""A CRF over prunings scored by a neural network: the parser's encoder, trained further.

Training needs torch (the `train` extra); its models do not.
"""

from treewright.learning.neural.corpora import styled_pairs
from treewright.learning.neural.examples import NeuralData
from treewright.learning.neural.learner import NeuralCRF, need_torch

__all__ = [
    "NeuralCRF",
    "NeuralData",
    "need_torch",
    "styled_pairs",
]

"""A CRF over prunings scored by a neural network: the parser's encoder, trained further.

Training needs torch (the `train` extra); its models do not.
"""

from treewright.learning.neural.examples import NeuralData, styled_pairs
from treewright.learning.neural.learner import NeuralCRF, need_torch, read_network, write_network
from treewright.learning.neural.reader_teacher import ReaderTeacher
from treewright.learning.neural.readers import ReaderLearner, without_layers
from treewright.learning.neural.surprise import (
    Seam,
    SurpriseLearner,
    Surprises,
    read_surprises,
)
from treewright.learning.neural.teacher import Teacher, ask

__all__ = [
    "NeuralCRF",
    "NeuralData",
    "ReaderLearner",
    "ReaderTeacher",
    "Seam",
    "SurpriseLearner",
    "Surprises",
    "Teacher",
    "ask",
    "need_torch",
    "read_network",
    "read_surprises",
    "styled_pairs",
    "without_layers",
    "write_network",
]

"""Learners: from word-aligned pairs to a model."""

from treewright.learning.checkpoints import TrainingFiles, round_trace
from treewright.learning.deletion import Deletion
from treewright.learning.em import EM
from treewright.learning.gibbs import Gibbs
from treewright.learning.learner import IterativeLearner, Learner, TrainingSet
from treewright.learning.linear import CRF, SVM, AveragedPerceptron
from treewright.learning.smoothing import flat, predictive
from treewright.learning.vb import VB

__all__ = [
    "CRF",
    "EM",
    "SVM",
    "VB",
    "AveragedPerceptron",
    "Deletion",
    "Gibbs",
    "IterativeLearner",
    "Learner",
    "TrainingFiles",
    "TrainingSet",
    "flat",
    "predictive",
    "round_trace",
]

"""Learners: from word-aligned pairs to a model."""

from treewright.learning.em import EM
from treewright.learning.gibbs import Gibbs
from treewright.learning.learner import IterativeLearner, Learner, TrainingSet
from treewright.learning.smoothing import flat, predictive
from treewright.learning.vb import VB

__all__ = ["EM", "VB", "Gibbs", "IterativeLearner", "Learner", "TrainingSet", "flat", "predictive"]

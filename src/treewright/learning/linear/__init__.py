"""Linear models of derivations: rules and gaps have features, and weights are learned for them."""

from treewright.learning.linear.crf import CRF
from treewright.learning.linear.examples import ExampleSet
from treewright.learning.linear.learner import LinearLearner
from treewright.learning.linear.svm import SVM, AveragedPerceptron, MarginLearner

__all__ = ["CRF", "SVM", "AveragedPerceptron", "ExampleSet", "LinearLearner", "MarginLearner"]

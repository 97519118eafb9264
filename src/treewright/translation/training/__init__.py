"""Training of models that translate: the parts one by one, then the weights."""

from treewright.translation.training.learner import PhraseFiles, PhraseLearner
from treewright.translation.training.rules import PHRASES, RuleFiles, RuleLearner
from treewright.translation.training.skeletons import SkeletonFiles, SkeletonLearner
from treewright.translation.training.tuning import DevSet, TuningSettings, tune_model
from treewright.translation.training.workshop import Workshop

__all__ = [
    "PHRASES",
    "DevSet",
    "PhraseFiles",
    "PhraseLearner",
    "RuleFiles",
    "RuleLearner",
    "SkeletonFiles",
    "SkeletonLearner",
    "TuningSettings",
    "Workshop",
    "tune_model",
]

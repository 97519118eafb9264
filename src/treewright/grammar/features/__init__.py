"""Features of rules, and linear models over them."""

from treewright.grammar.features.linear import FeatureIndex, LinearUnseen, RuleFeatures
from treewright.grammar.features.rules import RULE_TEMPLATES
from treewright.grammar.features.view import Frequencies, Frequency

__all__ = [
    "RULE_TEMPLATES",
    "FeatureIndex",
    "Frequencies",
    "Frequency",
    "LinearUnseen",
    "RuleFeatures",
]

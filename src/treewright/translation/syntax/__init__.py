"""Translation of trees by rules: the forest of translations, and the search in it."""

from treewright.translation.syntax.decoder import FoundByRules, RuleDecoder, RuleSearch
from treewright.translation.syntax.features import RuleFeatures
from treewright.translation.syntax.forest import Action, Deriver, TranslationForest

__all__ = [
    "Action",
    "Deriver",
    "FoundByRules",
    "RuleDecoder",
    "RuleFeatures",
    "RuleSearch",
    "TranslationForest",
]

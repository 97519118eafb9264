"""Translation of trees by rules: the forest of translations, and the search in it."""

from treewright.translation.syntax.decoder import FoundByRules, RuleDecoder, RuleSearch
from treewright.translation.syntax.features import RuleFeatures
from treewright.translation.syntax.forest import Action, Deriver, TranslationForest
from treewright.translation.syntax.model import KIND, RuleModel, prepare_tree
from treewright.translation.syntax.skeleton import OutlinedTree
from treewright.translation.syntax.translator import RuleStep, RuleTranslator

__all__ = [
    "KIND",
    "Action",
    "Deriver",
    "FoundByRules",
    "OutlinedTree",
    "RuleDecoder",
    "RuleFeatures",
    "RuleModel",
    "RuleSearch",
    "RuleStep",
    "RuleTranslator",
    "TranslationForest",
    "prepare_tree",
]

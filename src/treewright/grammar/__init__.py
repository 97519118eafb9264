"""Grammars: rules, their text form, extraction, the match index and model files."""

from treewright.grammar.base import Base, BaseDistribution, PlainBase
from treewright.grammar.extraction import Extraction
from treewright.grammar.gaps import Gaps, Prices, Pruning
from treewright.grammar.grammar import Grammar, Root
from treewright.grammar.model import Model
from treewright.grammar.notation import format_rule, parse_rule
from treewright.grammar.pcfg import PCFG, production
from treewright.grammar.rule import EPSILON, UNLINKED, Rule, copy_rule, deletion_rule, pruning_rule
from treewright.grammar.steps import StepPruning
from treewright.grammar.unseen import BaseUnseen, FlatUnseen, Unseen

__all__ = [
    "EPSILON",
    "PCFG",
    "UNLINKED",
    "Base",
    "BaseDistribution",
    "BaseUnseen",
    "Extraction",
    "FlatUnseen",
    "Gaps",
    "Grammar",
    "Model",
    "PlainBase",
    "Prices",
    "Pruning",
    "Root",
    "Rule",
    "StepPruning",
    "Unseen",
    "copy_rule",
    "deletion_rule",
    "format_rule",
    "parse_rule",
    "production",
    "pruning_rule",
]

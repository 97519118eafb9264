"""Grammars: rules, their text form, extraction and the match index."""

from treewright.grammar.base import PCFG, Base, BaseDistribution, PlainBase, production
from treewright.grammar.extraction import Cutting, Extraction, RuleCounter
from treewright.grammar.grammar import PART, Grammar, Root, grammar_parts, read_grammar
from treewright.grammar.index import RuleTables, TrieTables
from treewright.grammar.node_alignment import DELETED, UNALIGNED, NodeAlignment
from treewright.grammar.notation import format_rule, parse_rule
from treewright.grammar.packed import PackedRules, Productions, RuleColumns
from treewright.grammar.rule import (
    EPSILON,
    UNLINKED,
    Rule,
    TargetString,
    copy_rule,
    deletion_rule,
    pruning_rule,
)
from treewright.grammar.unseen import BaseUnseen, FlatUnseen, Unseen, unseen_from_dict

__all__ = [
    "DELETED",
    "EPSILON",
    "PART",
    "PCFG",
    "UNALIGNED",
    "UNLINKED",
    "Base",
    "BaseDistribution",
    "BaseUnseen",
    "Cutting",
    "Extraction",
    "FlatUnseen",
    "Grammar",
    "NodeAlignment",
    "PackedRules",
    "PlainBase",
    "Productions",
    "Root",
    "Rule",
    "RuleColumns",
    "RuleCounter",
    "RuleTables",
    "TargetString",
    "TrieTables",
    "Unseen",
    "copy_rule",
    "deletion_rule",
    "format_rule",
    "grammar_parts",
    "parse_rule",
    "production",
    "pruning_rule",
    "read_grammar",
    "unseen_from_dict",
]

"""Grammars: rules, their text form, extraction and the match index."""

from treewright.grammar.base import Base, BaseDistribution, PlainBase
from treewright.grammar.extraction import Extraction
from treewright.grammar.files import grammar_parts, read_grammar
from treewright.grammar.grammar import Grammar, Root
from treewright.grammar.notation import format_rule, parse_rule
from treewright.grammar.packed import PackedRules
from treewright.grammar.pcfg import PCFG, production
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
    "EPSILON",
    "PCFG",
    "UNLINKED",
    "Base",
    "BaseDistribution",
    "BaseUnseen",
    "Extraction",
    "FlatUnseen",
    "Grammar",
    "PackedRules",
    "PlainBase",
    "Root",
    "Rule",
    "TargetString",
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

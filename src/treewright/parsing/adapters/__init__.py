"""Adapters that make other parsers follow the `Parser` protocol; each is loaded when it first
parses.
"""

from treewright.parsing.adapters.benepar import BeneparParser
from treewright.parsing.adapters.corenlp import CoreNLPParser
from treewright.parsing.adapters.preparsed import PreparsedTrees
from treewright.parsing.adapters.stanza import StanzaParser

__all__ = ["BeneparParser", "CoreNLPParser", "PreparsedTrees", "StanzaParser"]

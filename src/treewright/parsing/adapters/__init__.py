"""Adapters that make other parsers follow the `Parser` protocol; each is loaded when it first
parses.
"""

from treewright.parsing.adapters.corenlp import CoreNLPParser
from treewright.parsing.adapters.libraries import BeneparParser, StanzaParser
from treewright.parsing.adapters.preparsed import PreparsedTrees

__all__ = ["BeneparParser", "CoreNLPParser", "PreparsedTrees", "StanzaParser"]

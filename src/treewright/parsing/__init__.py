"""Parsing: the `Parser` protocol, the embedded parser, adapters to other parsers."""

from treewright.parsing.choice import CHOICES, open_parser
from treewright.parsing.describing import describe_parse
from treewright.parsing.protocol import Parser, ParserError, fit_words, parse_each, tag_each
from treewright.parsing.treebanks import read_treebank

__all__ = [
    "CHOICES",
    "Parser",
    "ParserError",
    "describe_parse",
    "fit_words",
    "open_parser",
    "parse_each",
    "read_treebank",
    "tag_each",
]

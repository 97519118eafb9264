"""Parsers by name: what `--parser` and every other place where people choose one understands."""

from __future__ import annotations

from treewright.errors import UsageError
from treewright.parsing.protocol import Parser

CHOICES = (
    "embedded",
    "embedded=MODELFILE",
    "benepar",
    "benepar=MODELNAME",
    "stanza",
    "stanza=LANGUAGE",
    "corenlp=URL",
    "file=TREES",
)
_NEEDS_VALUE = {choice.partition("=")[0] for choice in CHOICES} - set(CHOICES)


def open_parser(spec: str = "embedded", *, treebank: str | None = None) -> Parser:
    """Return the parser that `spec` names, one of `CHOICES`.

    Only the embedded parser is loaded at once; the others load, or call, when they first parse.
    `treebank` is the style of trees, which only the embedded parser can choose.
    """
    name, equals, value = spec.partition("=")
    known = name in {choice.partition("=")[0] for choice in CHOICES}
    if not known or bool(equals) != bool(value) or (name in _NEEDS_VALUE and not value):
        raise UsageError(f"unknown parser {spec!r}; choose one of: {', '.join(CHOICES)}")
    if treebank is not None and name != "embedded":
        raise UsageError(f"the parser {name} knows one style of trees; leave the treebank out")
    if name == "embedded":
        from treewright.parsing.embedded import EmbeddedParser

        embedded: Parser = EmbeddedParser.load(value or None, treebank=treebank)
        return embedded
    return _adapter(name, value)


def _adapter(name: str, value: str) -> Parser:
    if name == "benepar":
        from treewright.parsing.adapters.benepar import BeneparParser

        return BeneparParser(value) if value else BeneparParser()
    if name == "stanza":
        from treewright.parsing.adapters.stanza import StanzaParser

        return StanzaParser(value) if value else StanzaParser()
    if name == "corenlp":
        from treewright.parsing.adapters.corenlp import CoreNLPParser

        return CoreNLPParser(value)
    from treewright.parsing.adapters.preparsed import PreparsedTrees

    return PreparsedTrees(value)

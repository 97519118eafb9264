"""Parsers by name, as `--parser` and the Python API accept them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.errors import ModelFileError, UsageError, check_type
from treewright.parsing.adapters import (
    BeneparParser,
    CoreNLPParser,
    PreparsedTrees,
    StanzaParser,
)
from treewright.parsing.adapters.lazy import Lazy
from treewright.parsing.protocol import Parser, ParserError
from treewright.trees import Tree

if TYPE_CHECKING:
    from treewright.parsing.embedded import EmbeddedParser

CHOICES = (
    "embedded",
    "embedded=MODELFILE",
    "chinese",
    "benepar",
    "benepar=MODELNAME",
    "stanza",
    "stanza=LANGUAGE",
    "corenlp=URL",
    "file=TREES",
)
_NEEDS_VALUE = {choice.partition("=")[0] for choice in CHOICES} - set(CHOICES)
_TAKES_VALUE = {choice.partition("=")[0] for choice in CHOICES if "=" in choice}
_CHINESE = Path(__file__).with_name("embedded") / "chinese.model"


def open_parser(spec: str = "embedded", *, treebank: str | None = None) -> Parser:
    """Return the parser that `spec` names, one of `CHOICES`.

    Every parser is loaded, or called, when it first parses, and only then reports problems with its
    model. `treebank` is the style of trees, which only the embedded parsers can choose.
    """
    check_type(spec, str, "a parser", "given by its name, such as 'embedded'")
    name, equals, value = spec.partition("=")
    known = name in (_TAKES_VALUE if value else set(CHOICES) - _NEEDS_VALUE)
    if not known or bool(equals) != bool(value):
        raise UsageError(f"unknown parser {spec!r}; choose one of: {', '.join(CHOICES)}")
    if treebank is not None and name not in ("embedded", "chinese"):
        raise UsageError(f"the parser {name} knows one style of trees; leave the treebank out")
    if name == "embedded":
        return _Embedded(value or None, treebank)
    if name == "chinese":
        return _Embedded(str(_CHINESE), treebank)
    return _adapter(name, value)


class _Embedded:
    """The embedded parser, loaded when it first parses: importing its kernels takes a while."""

    def __init__(self, path: str | None, treebank: str | None) -> None:
        self._parser = Lazy(lambda: self._load(path, treebank))

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        return self._parser.get().parse(sentences)

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        return self._parser.get().tag(sentences)

    @staticmethod
    def _load(path: str | None, treebank: str | None) -> EmbeddedParser:
        from treewright.parsing.embedded import EmbeddedParser

        try:
            embedded = EmbeddedParser.load(path, treebank=treebank)
        except ModelFileError as error:
            # This is not the fault of any sentence.
            raise ParserError(str(error)) from None
        return embedded


def _adapter(name: str, value: str) -> Parser:
    if name == "corenlp":
        return CoreNLPParser(value)
    if name == "file":
        return PreparsedTrees(value)
    library = BeneparParser if name == "benepar" else StanzaParser
    return library(value) if value else library()

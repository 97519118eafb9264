from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from treewright.errors import UsageError
from treewright.parsing import CHOICES, open_parser
from treewright.parsing.adapters import (
    BeneparParser,
    CoreNLPParser,
    PreparsedTrees,
    StanzaParser,
)
from treewright.trees import Tree


class Embedded:
    """Stands for the embedded parser, which is tested elsewhere."""

    loaded: ClassVar[list[Any]] = []

    @classmethod
    def load(cls, *arguments: Any, **settings: Any) -> Embedded:
        cls.loaded.append((arguments, settings))
        return cls()

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        return [Tree("ROOT") for _ in sentences]


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("treewright.parsing.embedded")
    module.__dict__["EmbeddedParser"] = Embedded
    monkeypatch.setattr(Embedded, "loaded", [])
    monkeypatch.setitem(sys.modules, module.__name__, module)


def test_adapters_by_name() -> None:
    benepar, other = open_parser("benepar"), open_parser("benepar=benepar_zh2")
    assert isinstance(benepar, BeneparParser)
    assert isinstance(other, BeneparParser)
    assert (benepar.model, other.model) == ("benepar_en3", "benepar_zh2")
    stanza, chinese = open_parser("stanza"), open_parser("stanza=zh-hans")
    assert isinstance(stanza, StanzaParser)
    assert isinstance(chinese, StanzaParser)
    assert (stanza.language, chinese.language) == ("en", "zh-hans")
    server = open_parser("corenlp=http://localhost:9000/?a=b")
    assert isinstance(server, CoreNLPParser)
    assert server.url == "http://localhost:9000/?a=b"
    trees = open_parser("file=a=b.trees")
    assert isinstance(trees, PreparsedTrees)
    assert trees.path == "a=b.trees"


def test_the_embedded_parser(embedded: None) -> None:
    parsers = [open_parser(), open_parser("embedded=m.tw", treebank="web")]
    assert Embedded.loaded == []
    for parser in parsers * 2:
        assert len(parser.parse([["a"], ["b"]])) == 2
    assert Embedded.loaded == [((None,), {"treebank": None}), (("m.tw",), {"treebank": "web"})]


def test_the_chinese_parser_is_another_file_of_the_package(embedded: None) -> None:
    open_parser("chinese", treebank="sinica").parse([["天气"]])
    [((path,), settings)] = Embedded.loaded
    assert Path(path).name == "chinese.model"
    assert settings == {"treebank": "sinica"}


@pytest.mark.parametrize(
    "spec",
    ["", "=", "corenlp", "corenlp=", "file", "file=", "embedded=", "chinese=x", "malt", "x=y"],
)
def test_a_wrong_name_lists_the_choices(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_parser(spec)
    assert str(caught.value) == f"unknown parser {spec!r}; choose one of: {', '.join(CHOICES)}"


def test_other_parsers_have_no_treebank() -> None:
    with pytest.raises(UsageError, match="the parser stanza knows one style of trees"):
        open_parser("stanza", treebank="web")


def test_choosing_imports_no_library() -> None:
    open_parser("benepar")
    open_parser("stanza")
    assert not {"benepar", "spacy", "stanza"} & set(sys.modules)

"""benepar and Stanza, of which only the models are faked."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from treewright.errors import DataError, UsageError
from treewright.parsing import ParserError
from treewright.parsing.adapters import BeneparParser, StanzaParser
from treewright.parsing.adapters.libraries import LibraryParser
from treewright.trees import parse_tree

from . import fakes
from .fakes import BRACKETS, FITTED, SENTENCE, SHORT

ESCAPED = ("The", "price", "-LRB-", "a", "lot", "-RRB-", "fell", ".")
Install = Callable[..., list[Any]]
LIBRARIES = {
    "benepar": (BeneparParser, fakes.benepar, fakes.to_nltk),
    "stanza": (StanzaParser, fakes.stanza, fakes.to_stanza),
}


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return what puts a stand-in for a library in place, and gives its log."""

    def put(library: str, brackets: dict[tuple[str, ...], str] = BRACKETS) -> list[Any]:
        _, make, convert = LIBRARIES[library]
        trees = {words: convert(parse_tree(text)) for words, text in brackets.items()}
        trees[ESCAPED] = trees[SENTENCE]
        log: list[Any] = []
        monkeypatch.setitem(sys.modules, library, make(trees, log))
        return log

    return put


def make(library: str, *arguments: str) -> LibraryParser:
    return LIBRARIES[library][0](*arguments)


def test_trees_fit_the_protocol(library: str, install: Install) -> None:
    install(library)
    trees = make(library).parse([SENTENCE, SHORT, ESCAPED])
    assert [str(tree) for tree in trees] == [FITTED[SENTENCE], FITTED[SHORT], FITTED[SENTENCE]]
    assert [tree.words() for tree in trees] == [SENTENCE, SHORT, ESCAPED]


def test_a_model_is_loaded_once_and_late(library: str, install: Install) -> None:
    log = install(library)
    parser = make(library)
    assert parser.parse([]) == []
    assert log == []
    threads = [threading.Thread(target=parser.parse, args=([SHORT],)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
        assert not thread.is_alive()
    assert len(log) == 1


def test_benepar_has_a_model_of_choice(install: Install) -> None:
    log = install("benepar")
    BeneparParser().parse([SHORT])
    with pytest.raises(UsageError) as caught:
        BeneparParser("benepar_xx").parse([SHORT])
    assert log == ["benepar_en3", "benepar_xx"]
    assert str(caught.value) == (
        "benepar has no model 'benepar_xx' on this machine; download it: "
        "python -c \"import benepar; benepar.download('benepar_xx')\""
    )
    with pytest.raises(UsageError, match=r"benepar finds no model file '\./my\.pt'"):
        BeneparParser("./my.pt").parse([SHORT])


def test_stanza_takes_tokens_and_downloads_nothing(install: Install) -> None:
    log = install("stanza")
    StanzaParser().parse([SHORT])
    settings = {"processors": "tokenize,pos,constituency", "tokenize_pretokenized": True}
    assert log == [{**settings, "download": None}]
    with pytest.raises(UsageError) as caught:
        StanzaParser("xx").parse([SHORT])
    assert str(caught.value).endswith(
        "download them: python -c \"import stanza; stanza.download('xx', "
        "processors='tokenize,pos,constituency')\""
    )


def test_a_missing_extra_names_the_command(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError) as caught:
        make(library).parse([SHORT])
    assert f"pip install '.[{library}]'" in str(caught.value)


def test_a_library_that_does_not_load_is_said(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, ModuleType(library))
    with pytest.raises(ParserError, match=r"does not load \(AttributeError: .*pip install '\.\["):
        make(library).parse([SHORT])


def test_a_failure_within_the_library_is_an_error_of_the_sentence(
    library: str, install: Install
) -> None:
    install(library)
    with pytest.raises(DataError, match=r"failed on this input \(KeyError: "):
        make(library).parse([SHORT, ("unknown",)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN Rain))", r"^sentence 2: the parser's tree has 1 words, the sentence 2 tokens"),
        ("(S (-NONE- *T*))", r"^sentence 2: the parser's tree has 0 words"),
    ],
)
def test_other_tokens_are_an_error(library: str, install: Install, text: str, message: str) -> None:
    install(library, {**BRACKETS, SHORT: text})
    with pytest.raises(DataError, match=message):
        make(library).parse([SENTENCE, SHORT])


def test_calls_never_overlap(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install("stanza")
    parser = StanzaParser()
    inside: list[int] = [0, 0]
    run = parser._run

    def watched(model: Any, sentences: list[list[str]]) -> Any:
        inside[0] += 1
        inside[1] = max(inside)
        time.sleep(0.002)
        found = run(model, sentences)
        inside[0] -= 1
        return found

    monkeypatch.setattr(parser, "_run", watched)
    threads = [threading.Thread(target=parser.parse, args=([SHORT],)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
        assert not thread.is_alive()
    assert inside == [0, 1]

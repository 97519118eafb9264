"""Parsers from Python libraries: benepar and Stanza (extras `benepar` and `stanza`)."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from treewright.errors import DataError, TreewrightError, UsageError, how_to_install
from treewright.parsing.adapters.lazy import Lazy, import_extra
from treewright.parsing.protocol import ParserError, check_sentences, fit_words
from treewright.trees import Tree, unescape


def convert(
    root: Any, open_node: Callable[[Any], tuple[str, Sequence[Any]]], *, where: str = ""
) -> Tree:
    """Rebuild a tree from objects that `open_node` turns into a label and its children.

    Words are nodes there: a node without children is a word, the only child of its tag.
    """
    rows: list[tuple[str, int]] = []
    stack = [root]
    while stack:
        label, children = open_node(stack.pop())
        rows.append((label, len(children)))
        stack.extend(reversed(children))
    finished: list[Tree | str] = []
    for label, arity in reversed(rows):
        below = [finished.pop() for _ in range(arity)]
        finished.append(_node(label, below, where) if below else label)
    tree = finished.pop()
    if isinstance(tree, str):
        raise DataError(f"the parser gave {tree!r} where a tree was expected", where=where)
    return tree


def _node(label: str, children: list[Tree | str], where: str) -> Tree:
    nodes = [child for child in children if isinstance(child, Tree)]
    if len(nodes) == len(children):
        return Tree(label, nodes)
    if len(children) == 1:
        return Tree(label, word=str(children[0]))
    raise DataError(f"the parser put a word beside other nodes of ({label}", where=where)


class LibraryParser(ABC):
    """A parser from a library that takes tokens and returns tree objects.

    These libraries guarantee nothing about threads, so only one call runs at a time.
    """

    name: str
    extra: str

    def __init__(self) -> None:
        self._model = Lazy(self._start)
        self._running = threading.Lock()

    @abstractmethod
    def _load(self) -> Any:
        """Return the library's own parser."""

    @abstractmethod
    def _run(self, model: Any, sentences: list[list[str]]) -> Sequence[Any]:
        """Return the library's trees for these sentences."""

    @staticmethod
    @abstractmethod
    def _open(node: Any) -> tuple[str, Sequence[Any]]:
        """Return the label and the children of a node; a word has none."""

    def _start(self) -> Any:
        try:
            return self._load()
        except TreewrightError:
            raise
        except Exception as error:
            raise ParserError(
                f"{self.name} does not load ({type(error).__name__}: {error}); for versions that "
                f"go together, {how_to_install(self.extra)}"
            ) from error

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return one tree per sentence; see `Parser`."""
        check_sentences(sentences)
        if not sentences:
            return []
        model = self._model.get()
        with self._running:
            found = self._call(model, [list(words) for words in sentences])
        if len(found) != len(sentences):
            raise DataError(
                f"{self.name} returned {len(found)} trees for {len(sentences)} sentences"
            )
        trees = []
        for number, (node, words) in enumerate(zip(found, sentences, strict=True), start=1):
            where = f"sentence {number}"
            trees.append(fit_words(convert(node, self._open, where=where), words, where=where))
        return trees

    def _call(self, model: Any, sentences: list[list[str]]) -> list[Any]:
        try:
            return list(self._run(model, sentences))
        except Exception as error:
            # An unusual sentence can make a neural parser raise any error at all.
            reason = f"{type(error).__name__}: {error}"
            raise DataError(f"{self.name} failed on this input ({reason})") from error


class BeneparParser(LibraryParser):
    """benepar on given tokens; it tags them itself, so no spaCy model is needed."""

    name = "benepar"
    extra = "benepar"

    def __init__(self, model: str = "benepar_en3") -> None:
        super().__init__()
        self.model = model

    def _load(self) -> Any:
        benepar = import_extra("benepar", self.extra)
        try:
            return benepar.Parser(self.model)
        except LookupError:
            if "/" in self.model or "." in self.model:
                raise UsageError(f"benepar finds no model file {self.model!r}") from None
            raise UsageError(
                f"benepar has no model {self.model!r} on this machine; download it: "
                f"python -c \"import benepar; benepar.download('{self.model}')\""
            ) from None

    def _run(self, model: Any, sentences: list[list[str]]) -> Sequence[Any]:
        benepar = import_extra("benepar", self.extra)
        # Tokens in Penn's form: benepar undoes the escapes and leaves other tokens alone.
        inputs = [benepar.InputSentence(escaped_words=words) for words in sentences]
        return list(model.parse_sents(inputs))

    @staticmethod
    def _open(node: Any) -> tuple[str, Sequence[Any]]:
        return (node, ()) if isinstance(node, str) else (node.label(), list(node))


PROCESSORS = "tokenize,pos,constituency"


class StanzaParser(LibraryParser):
    """Stanza on given tokens. It never downloads anything by itself."""

    name = "Stanza"
    extra = "stanza"

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def _load(self) -> Any:
        stanza = import_extra("stanza", self.extra)
        try:
            return stanza.Pipeline(
                self.language,
                processors=PROCESSORS,
                tokenize_pretokenized=True,
                download_method=None,
                verbose=False,
            )
        except (FileNotFoundError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise UsageError(
                f"Stanza lacks models for language {self.language!r} ({reason}); download them: "
                f"python -c \"import stanza; stanza.download('{self.language}', "
                f"processors='{PROCESSORS}')\""
            ) from None

    def _run(self, model: Any, sentences: list[list[str]]) -> Sequence[Any]:
        # Its taggers and parsers are trained on unescaped brackets.
        document = model([[unescape(word) for word in words] for words in sentences])
        return [sentence.constituency for sentence in document.sentences]

    @staticmethod
    def _open(node: Any) -> tuple[str, Sequence[Any]]:
        return node.label or "", node.children

"""What the adapters to Python libraries share: one model, one lock, uniform errors."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from treewright.errors import DataError, TreewrightError, how_to_install
from treewright.parsing.adapters.conversion import convert
from treewright.parsing.adapters.lazy import Lazy
from treewright.parsing.protocol import ParserError, check_sentences, fit_words
from treewright.trees import Tree


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

"""Trees that another parser wrote to a file, looked up by their words."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence

from treewright.errors import DataError
from treewright.parsing.adapters.lazy import Lazy
from treewright.parsing.protocol import ParserError, check_sentences, fit_words
from treewright.trees import BRACKETS, Tree, read_trees, strip_traces

_PENN = (
    *((penn, plain) for plain, penn in BRACKETS.items()),
    ("\\/", "/"),
    ("\\*", "*"),
    ("``", '"'),
    ("''", '"'),
)
_Key = tuple[str, ...]


class PreparsedTrees:
    """A bracket file as a parser: a sentence gets the tree with its words, escaped or not.

    If several trees have the same words, they are returned in the order of the file, and the last
    one from then on. The whole file is read into memory.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._trees = Lazy(self._read)
        self._taking = threading.Lock()

    def _read(self) -> dict[_Key, deque[Tree]]:
        trees: dict[_Key, deque[Tree]] = {}
        try:
            for tree in read_trees(self.path):
                bare = strip_traces(tree)
                if bare is not None:
                    trees.setdefault(_key(bare.words()), deque()).append(bare)
        except DataError as error:
            raise ParserError(str(error)) from None
        return trees

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return one tree per sentence; see `Parser`."""
        check_sentences(sentences)
        trees = self._trees.get()
        keys = [_key(words) for words in sentences]
        for number, (key, words) in enumerate(zip(keys, sentences, strict=True), start=1):
            if key not in trees:
                raise DataError(
                    f"{self.path} has no tree with the words {_start(words)!r}; "
                    "parse the same tokens, or use another parser",
                    where=f"sentence {number}",
                )
        # Nothing is taken unless every sentence has a tree, so a caller can try again.
        with self._taking:
            found = [_take(trees[key]) for key in keys]
        return [fit_words(tree, words) for tree, words in zip(found, sentences, strict=True)]


def _take(trees: deque[Tree]) -> Tree:
    return trees.popleft() if len(trees) > 1 else trees[0]


def _key(words: Iterable[str]) -> _Key:
    return tuple(map(_plain, words))


def _plain(word: str) -> str:
    for escaped, plain in _PENN:
        word = word.replace(escaped, plain)
    return word


def _start(words: Sequence[str], most: int = 8) -> str:
    return " ".join(words[:most]) + (" …" if len(words) > most else "")

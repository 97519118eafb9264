"""Stand-ins for other libraries: the parts of their interfaces that the adapters touch.

benepar 0.2 (`Parser`, `InputSentence`, `nltk.Tree`) and Stanza 1.6 to 1.15 (`Pipeline`, its trees).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

from treewright.trees import Tree

SENTENCE = ("The", "price", "(", "a", "lot", ")", "fell", ".")
SHORT = ("Rain", "falls")
BRACKETS = {
    SHORT: "(S (NP-SBJ (NN Rain)) (VP (VBZ falls)))",
    SENTENCE: (
        "(TOP (S (NP-SBJ (NP (DT The) (NN price)) (PRN (-LRB- -LRB-) (NP (DT a) (NN lot)) "
        "(-RRB- -RRB-))) (VP (VBD fell)) (. .)))"
    ),
}
FITTED = {
    SHORT: "(ROOT (S (NP (NN Rain)) (VP (VBZ falls))))",
    SENTENCE: (
        "(ROOT (S (NP (NP (DT The) (NN price)) (PRN (-LRB- -LRB-) (NP (DT a) (NN lot)) "
        "(-RRB- -RRB-))) (VP (VBD fell)) (. .)))"
    ),
}


class NltkTree(list[Any]):
    """As `nltk.Tree`: a list of its children, of which words are strings."""

    def __init__(self, label: str, children: Iterable[Any]) -> None:
        super().__init__(children)
        self._label = label

    def label(self) -> str:
        return self._label


@dataclass
class StanzaTree:
    """As Stanza's `Tree`: words are nodes without children."""

    label: str | None
    children: tuple[StanzaTree, ...] = ()


def to_nltk(tree: Tree) -> NltkTree:
    below = [tree.word] if tree.word is not None else [to_nltk(child) for child in tree.children]
    return NltkTree(tree.label, below)


def to_stanza(tree: Tree) -> StanzaTree:
    below = [to_stanza(child) for child in tree.children]
    if tree.word is not None:
        below = [StanzaTree(tree.word)]
    return StanzaTree(tree.label, tuple(below))


def benepar(trees: dict[tuple[str, ...], Any], log: list[Any]) -> ModuleType:
    """Return a module like benepar, whose one model knows these sentences."""

    @dataclass
    class InputSentence:
        words: list[str] | None = None
        space_after: list[bool] | None = None
        tags: list[str] | None = None
        escaped_words: list[str] | None = None

    class Parser:
        def __init__(
            self, name: str, batch_size: int = 64, language_code: str | None = None
        ) -> None:
            log.append(name)
            if name != "benepar_en3":
                raise LookupError(f"Resource {name} not found.")

        def parse_sents(self, sents: Iterable[InputSentence]) -> Iterator[Any]:
            for sentence in sents:
                assert isinstance(sentence, InputSentence)
                yield trees[tuple(sentence.escaped_words or ())]

    module = ModuleType("benepar")
    module.__dict__.update(InputSentence=InputSentence, Parser=Parser)
    return module


def stanza(trees: dict[tuple[str, ...], Any], log: list[Any]) -> ModuleType:
    """Return a module like Stanza, with English models alone."""

    class Pipeline:
        def __init__(
            self,
            lang: str = "en",
            dir: str = "~/stanza_resources",
            package: str = "default",
            processors: object = None,
            logging_level: str | None = None,
            verbose: bool | None = None,
            use_gpu: bool | None = None,
            model_dir: str | None = None,
            download_method: object = "download_resources",
            **settings: object,
        ) -> None:
            log.append({"processors": processors, "download": download_method, **settings})
            if lang != "en":
                raise FileNotFoundError(f"Could not find the model file {lang}.pt")

        def __call__(self, document: list[list[str]]) -> Any:
            found = [SimpleNamespace(constituency=trees[tuple(words)]) for words in document]
            return SimpleNamespace(sentences=found)

    module = ModuleType("stanza")
    module.__dict__.update(Pipeline=Pipeline)
    return module

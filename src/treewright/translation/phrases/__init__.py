"""The phrase model: translations of phrases, extracted from aligned text."""

from treewright.translation.phrases.building import PhraseSettings, build_phrases
from treewright.translation.phrases.table import ORIENTATIONS, Option, PhraseTable, Spans
from treewright.translation.phrases.trie import PhraseTrie

__all__ = [
    "ORIENTATIONS",
    "Option",
    "PhraseSettings",
    "PhraseTable",
    "PhraseTrie",
    "Spans",
    "build_phrases",
]

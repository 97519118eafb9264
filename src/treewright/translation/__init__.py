"""Translation: phrase pairs learned from parallel text, and the search for the best translation."""

from treewright.translation.phrases import (
    ORIENTATIONS,
    Option,
    PhraseSettings,
    PhraseTable,
    PhraseTrie,
    Spans,
    build_phrases,
)

__all__ = [
    "ORIENTATIONS",
    "Option",
    "PhraseSettings",
    "PhraseTable",
    "PhraseTrie",
    "Spans",
    "build_phrases",
]

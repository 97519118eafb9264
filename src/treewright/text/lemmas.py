"""The dictionary form of an English word, by LemmInflect's lexicon."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

_PARTS = {
    "NNS": ("NOUN",),
    "VBD": ("VERB",),
    "VBG": ("VERB",),
    "VBN": ("VERB",),
    "VBZ": ("VERB",),
    "JJR": ("ADJ",),
    "JJS": ("ADJ",),
    # Few adverbs are compared by endings; "bigger" is in the lexicon as an adjective only.
    "RBR": ("ADV", "ADJ"),
    "RBS": ("ADV", "ADJ"),
}
"""Tags of inflected words, and the parts of speech under which the lexicon may have them."""

_IRREGULAR = {
    "MD": {"ca": "can", "wo": "will", "sha": "shall", "'ll": "will", "'d": "would"},
    "RB": {"n't": "not"},
    "VBD": {"'d": "have"},
    "VBP": {"am": "be", "'m": "be", "are": "be", "'re": "be", "'ve": "have", "ai": "be"},
    "JJR": {"more": "more", "less": "less"},
    "JJS": {"most": "most", "least": "least"},
    "RBR": {"more": "more", "less": "less"},
    "RBS": {"most": "most", "least": "least"},
}
"""Short forms, and words of degree that are not forms of another word in use."""


@lru_cache(maxsize=1 << 16)
def lemma(word: str, tag: str) -> str:
    """Return the lemma of a word with a Penn tag, in lower case; names stay as they are.

    >>> lemma("threw", "VBD"), lemma("Passes", "NNS"), lemma("Lakers", "NNPS")
    ('throw', 'pass', 'Lakers')
    """
    if tag.startswith("NNP"):
        return word
    small = word.lower().replace("’", "'")
    known = _IRREGULAR.get(tag, {}).get(small)
    if known is not None:
        return known
    parts = _PARTS.get(tag)
    return _look_up(small, parts) if parts and small else small


def _look_up(word: str, parts: tuple[str, ...]) -> str:
    lexicon = _lexicon()
    for part in parts:
        if found := lexicon.getAllLemmas(word, part).get(part):
            return str(found[0])
    guessed = lexicon.getAllLemmasOOV(word, parts[-1]).get(parts[-1])
    return str(guessed[0] or word) if guessed else word


@cache
def _lexicon() -> Any:
    # Imported late: reading the lexicon takes a third of a second.
    from lemminflect.core.Lemmatizer import Lemmatizer

    return Lemmatizer()

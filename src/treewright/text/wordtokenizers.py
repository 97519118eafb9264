"""Tokenisers by language: text → words as models of strings learn them, and back.

Unlike `tokenize`, whose tokens lie in the user's string, these may change characters: quotation
marks and dashes of all shapes become plain ones, so a model meets each word in one spelling.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from treewright.errors import UsageError, choose, how_to_install
from treewright.text.joining import join_words
from treewright.text.tokenizer import tokenize

MOSES = (
    *("ca", "cs", "de", "el", "es", "et", "fi", "fr", "ga", "hu", "is"),
    *("it", "lt", "lv", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv"),
)
"""Languages of Europe whose abbreviations the Moses tokeniser knows."""
LANGUAGES = ("en", "zh", "whitespace", *MOSES)


class WordTokenizer(Protocol):
    """Splits text of one language into words, and writes words as text."""

    def tokenize(self, text: str) -> list[str]:
        """Return the words of a sentence, none of which is empty or holds white space."""
        ...

    def detokenize(self, words: Sequence[str]) -> str:
        """Write words as a person would."""
        ...


def word_tokenizer(language: str) -> WordTokenizer:
    """Return the tokeniser of a language, one of `LANGUAGES`."""
    choose(language, LANGUAGES, "language of a tokeniser")
    if language == "en":
        return EnglishWords()
    if language == "whitespace":
        return WhitespaceWords()
    if language == "zh":
        from treewright.text.chinese import ChineseWords

        return ChineseWords()
    return MosesWords(language)


class WhitespaceWords:
    """Words are what white space separates; for text that is tokenised already."""

    def tokenize(self, text: str) -> list[str]:
        """Split a text at white space."""
        return text.split()

    def detokenize(self, words: Sequence[str]) -> str:
        """Join words with spaces."""
        return " ".join(words)


PLAIN = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("–‐‑−", "-"),
        "—": " - ",
        "…": "...",
        "|": "/",
    }
)
"""One shape for each mark; `|` separates columns in phrase tables."""
_DOUBLED = re.compile("''")
_BEFORE_STOP = re.compile(r'"([,.]+)(?![.,\w])')
_INNER = re.compile(r"(?<=[A-Za-z])([/&$])(?=[A-Za-z]|\Z)")
_CLITICS = frozenset({"s", "m", "d", "re", "ve", "ll"})


class EnglishWords:
    """Penn words (`do n't`, `it 's`, `can not`) with plain marks.

    As in American print, and in what Moses prepares, commas and full stops stand before a closing
    quotation mark. Words joined by `/` and `&` are words of their own, and so is `$`.
    """

    def tokenize(self, text: str) -> list[str]:
        """Return the words of a sentence."""
        plain = _BEFORE_STOP.sub(r'\1"', _DOUBLED.sub('"', text.translate(PLAIN)))
        words: list[str] = []
        for token in tokenize(plain):
            if "://" in token.text or "@" in token.text:
                words.append(token.text)
            else:
                words += _INNER.sub(r" \1 ", token.text).split()
        return words

    def detokenize(self, words: Sequence[str]) -> str:
        """Write words as a person would."""
        return join_words(_with_sides(_with_clitics(words)))


def _with_clitics(words: Sequence[str]) -> list[str]:
    """Join clitics that were cut twice, as in text that had a space before them: `it ' s`."""
    whole: list[str] = []
    for word in words:
        if whole and whole[-1] == "'" and word in _CLITICS and len(whole) > 1:
            whole[-1] += word
        elif whole and (whole[-1], word) == ("n", "'t"):
            whole[-1] = "n't"
        else:
            whole.append(word)
    return whole


def _with_sides(words: Sequence[str]) -> list[str]:
    """Tell opening single quotation marks from closing ones and from the plural's apostrophe."""
    sided = list(words)
    is_open = False
    for place, word in enumerate(words):
        if word != "'":
            continue
        before = words[place - 1] if place else ""
        if is_open:
            is_open = False
        elif not before.endswith(("s", "S")) and "'" in words[place + 1 :]:
            is_open = True
            sided[place] = "`"
    return sided


class MosesWords:
    """Punctuation normalised and text tokenised as Moses does for a language; nothing escaped."""

    def __init__(self, language: str) -> None:
        try:
            import sacremoses
        except ImportError:
            raise UsageError(
                f"splitting {language!r} into words needs sacremoses; {how_to_install('moses')}"
            ) from None
        self._normalizer = sacremoses.MosesPunctNormalizer(language)
        self._tokenizer = sacremoses.MosesTokenizer(language)
        self._detokenizer = sacremoses.MosesDetokenizer(language)

    def tokenize(self, text: str) -> list[str]:
        """Return the words of a sentence."""
        plain = self._normalizer.normalize(text.replace("|", "/"))
        words = self._tokenizer.tokenize(plain, escape=False)
        return [part for word in words for part in word.split()]

    def detokenize(self, words: Sequence[str]) -> str:
        """Write words as a person would."""
        return str(self._detokenizer.detokenize(list(words), unescape=False))

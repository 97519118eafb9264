"""Chinese words by jieba, Latin words and numbers in between by themselves."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator, Sequence

from treewright.errors import UsageError, how_to_install

_PLAIN = str.maketrans({**dict.fromkeys("“”„", '"'), **dict.fromkeys("‘’", "'"), "|": "/"})
_FOREIGN = re.compile(
    r"""
    (?: [A-Za-z]\. ){2,}                                # U.S.
  | [A-Za-zÀ-ɏ]+ (?: [.\-'&@] [A-Za-zÀ-ɏ]+ )*          # if-then, HowMuch.net
  | \d+ (?: [.,] \d+ )* %?                              # 1,000, 0.1%
    """,
    re.VERBOSE,
)
_WIDE = re.compile(
    "[\u2e80-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u2014\u2026\u00b7\u201c\u201d]"
)
_OPENING, _CLOSING = frozenset("([{</"), frozenset(")]}>,.;:?!%/")


class ChineseWords:
    """Jieba's words (accurate mode, with its model of new words)."""

    def __init__(self) -> None:
        try:
            with warnings.catch_warnings():
                # Its source has escapes that newer Pythons warn about.
                warnings.simplefilter("ignore")
                import jieba
        except ImportError:
            raise UsageError(
                f"splitting Chinese into words needs jieba; {how_to_install('zh')}"
            ) from None
        jieba.setLogLevel(logging.WARNING)
        self._jieba = jieba.Tokenizer()

    def tokenize(self, text: str) -> list[str]:
        """Return the words of a sentence."""
        return [word for piece in _pieces(text.translate(_PLAIN)) for word in self._cut(piece)]

    def _cut(self, piece: str) -> Iterator[str]:
        if _FOREIGN.fullmatch(piece):
            yield piece
            return
        for word in self._jieba.cut(piece):
            yield from word.split()

    def detokenize(self, words: Sequence[str]) -> str:
        """Write words without spaces, except between words of Latin script; quotation marks, which
        are taken to open and close in turn, are those of Chinese print.
        """
        parts: list[str] = []
        last, opens = "", True
        for word in words:
            if word == '"':
                word, opens = "“" if opens else "”", not opens
            glued = not last or _WIDE.match(word) or _WIDE.match(last[-1])
            if not (glued or last in _OPENING or word in _CLOSING):
                parts.append(" ")
            parts.append(word)
            last = word
        return "".join(parts)


def _pieces(text: str) -> Iterator[str]:
    """Cut a text before and after what is not Chinese."""
    end = 0
    for found in _FOREIGN.finditer(text):
        if found.start() > end:
            yield text[end : found.start()]
        yield found[0]
        end = found.end()
    if end < len(text):
        yield text[end:]

"""Penn words → readable text, for when there is no user's string to cut from."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.text.characters import is_word
from treewright.text.contractions import is_clitic
from treewright.trees import unescape

_QUOTES = {"``": '"', "''": '"', "`": "'", "\\*": "*"}
_OPENING = frozenset({"``", "`", "(", "[", "{", "“", "‘", "«", "$", "£", "€", "¥"})
_CLOSING = frozenset(
    {"''", "'", ")", "]", "}", "”", "’", "»", "%", ",", ".", ";", ":", "?", "!", "...", "…"}
)
_FUSED = frozenset(
    {("can", "not"), ("gon", "na"), ("wan", "na"), ("got", "ta"), ("gim", "me"), ("lem", "me")}
    | {("'t", "is"), ("'t", "was")}
)


def join_words(words: Sequence[str]) -> str:
    """Write Penn words as a person would: escapes undone, contractions and punctuation attached.

    Directed quotes become straight ones, straight ones are taken to open and close in turn, and the
    full stop that treebanks add after a final abbreviation is left out.
    """
    parts: list[str] = []
    last = ""
    attach = True
    open_quotes = False
    for given in words:
        word = unescape(given).replace("\\/", "/")
        opens = word in _OPENING or (word[-1:] == "$" and word[:-1].isupper())
        closes = word in _CLOSING or is_clitic(word)
        if word == '"':
            opens, closes = not open_quotes, open_quotes
            open_quotes = not open_quotes
        if word == "." and last[-1:] == "." and is_word(last):
            continue
        if last == "#":
            attach = word[:1].isdigit()
        if not (attach or closes or (last.lower(), word.lower()) in _FUSED):
            parts.append(" ")
        parts.append(_QUOTES.get(word, word))
        attach, last = opens, word
    return "".join(parts)

"""Preparing a text: its sentences, and which of them must be parsed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treewright.compression.candidates import has_words
from treewright.compression.fitting import staying
from treewright.compression.request import Request, Text
from treewright.errors import DataError
from treewright.text import Sentence, Token, split_sentences


class Prepared(NamedTuple):
    """A text and its sentences, with whether each stays unchanged and whether it is parsed."""

    source: str
    sentences: tuple[Sentence, ...]
    stays: list[bool]
    reads: list[bool]

    def to_read(self) -> list[Sentence]:
        """Return the sentences to be parsed."""
        return [s for s, reads in zip(self.sentences, self.reads, strict=True) if reads]


def prepare(text: Text, request: Request) -> Prepared | DataError:
    """Split a text into sentences; those that must stay unchanged are not parsed."""
    if isinstance(text, str):
        source, sentences = text, tuple(split_sentences(text))
    else:
        try:
            source, sentences = _from_tokens(text)
        except DataError as error:
            return error
    stays = staying(source, sentences, request.limit)
    reads = [
        has_words(sentence) and (request.parses_all or not stay)
        for sentence, stay in zip(sentences, stays, strict=True)
    ]
    return Prepared(source, sentences, stays, reads)


def _from_tokens(words: Sequence[str]) -> tuple[str, tuple[Sentence, ...]]:
    """Make one sentence from tokens, with spaces between them."""
    if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
        raise DataError(f"a text is a string, or a sequence of strings; found {words!r:.60}")
    tokens: list[Token] = []
    start = 0
    for word in words:
        if word.split() != [word]:
            raise DataError(f"the token {word!r} is empty or holds white space")
        tokens.append(Token(word, start, start + len(word)))
        start += len(word) + 1
    source = " ".join(words)
    return source, (Sentence(source, tuple(tokens)),) if tokens else ()

"""Preparing a text: its sentences, and which of them must be parsed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treewright.compression.candidates import has_words
from treewright.compression.fitting import Measure, staying
from treewright.compression.prose import Prose
from treewright.compression.request import Request, Text
from treewright.errors import DataError
from treewright.text import Kind, Sentence, Token, kind_of, split_kinds, split_sentences


class Prepared(NamedTuple):
    """A text and its sentences, with whether each stays unchanged and whether it is parsed.

    `left` is the kind of those that stay because they are not English prose.
    """

    source: str
    sentences: tuple[Sentence, ...]
    stays: list[bool]
    reads: list[bool]
    left: list[Kind | None]
    measure: Measure | None = None
    strict: bool = False

    def to_read(self) -> list[Sentence]:
        """Return the sentences to be parsed."""
        return [s for s, reads in zip(self.sentences, self.reads, strict=True) if reads]


def prepare(text: Text, request: Request) -> Prepared | DataError:
    """Split a text into sentences; those that must stay unchanged are not parsed."""
    try:
        source, found = _split(text, request.language)
        sentences = tuple([sentence for sentence, _ in found])
        prose = text if isinstance(text, Prose) else Prose(text=source)
        stays = staying(source, sentences, request.limit, prose.measure)
    except DataError as error:
        return error
    reads: list[bool] = []
    left: list[Kind | None] = []
    for (sentence, kind), stay in zip(found, stays, strict=True):
        english = kind is Kind.ENGLISH
        may_change = english and has_words(sentence) and not prose.is_fixed(sentence)
        read_anyway = request.parses_all or bool(request.drop)
        reads.append(may_change and (read_anyway or not stay))
        left.append(None if english or stay else kind)
    return Prepared(source, sentences, stays, reads, left, prose.measure, prose.strict)


def _split(text: Text, language: str) -> tuple[str, list[tuple[Sentence, Kind]]]:
    """Return a text and its sentences with their kinds, all English if any language will do."""
    if isinstance(text, Prose):
        source, found = _split(text.text, language)
        return source, [*text.bind(found)]
    if isinstance(text, str):
        if language != "any":
            return text, split_kinds(text)
        return text, [(sentence, Kind.ENGLISH) for sentence in split_sentences(text)]
    source, sentences = _from_tokens(text)
    kind = Kind.ENGLISH if language == "any" else kind_of(source)
    return source, [(sentence, kind) for sentence in sentences]


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

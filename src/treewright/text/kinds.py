"""What kind of text each part of a text is: English prose, another language, code, or a table."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from treewright.text.code import code_lines
from treewright.text.languages import is_foreign
from treewright.text.sentences import split_sentences
from treewright.text.tables import table_lines
from treewright.text.tokenizer import scan
from treewright.text.tokens import Sentence, Token


class Kind(StrEnum):
    """English prose, or why a text is not that."""

    ENGLISH = "english"
    FOREIGN = "foreign"
    CODE = "code"
    TABLE = "table"

    @property
    def described(self) -> str:
        """The kind in words that may follow a number."""
        return "in another language" if self is Kind.FOREIGN else str(self)


class Block(NamedTuple):
    """Neighbouring lines of code or of a table, and where they are in the text."""

    start: int
    end: int
    kind: Kind


_BREAK = re.compile(r"\r\n|[\r\n]")


def kind_of(text: str) -> Kind:
    """Return the kind of a sentence or of a few lines; what is in doubt is English prose."""
    blocks = find_blocks(text)
    if blocks and not _masked(text, blocks).strip():
        return blocks[0].kind
    return Kind.FOREIGN if is_foreign(text) else Kind.ENGLISH


def find_blocks(text: str) -> list[Block]:
    """Find the lines of code and of tables, in order; fences belong to the code between them."""
    lines = _BREAK.split(text)
    tables = table_lines(lines)
    codes = code_lines(lines)
    if True not in codes and True not in tables:
        return []
    blocks: list[Block] = []
    start = 0
    breaks = [match.end() for match in _BREAK.finditer(text)]
    for line, is_code, is_table, after in zip(
        lines, codes, tables, [*breaks, len(text)], strict=True
    ):
        if is_code or is_table:
            kind = Kind.CODE if is_code else Kind.TABLE
            end = start + len(line)
            if blocks and blocks[-1].kind is kind and not text[blocks[-1].end : start].strip():
                blocks[-1] = blocks[-1]._replace(end=end)
            else:
                blocks.append(Block(start, end, kind))
        start = after
    return blocks


def split_kinds(text: str) -> list[tuple[Sentence, Kind]]:
    """Find the sentences of a text as `split_sentences` does, each with its kind.

    A block of code or a table counts as one sentence, and always ends the one before.
    """
    blocks = find_blocks(text)
    prose = _masked(text, blocks) if blocks else text
    found = [(Sentence(text, each.tokens), _language(each)) for each in split_sentences(prose)]
    for start, end, kind in blocks:
        tokens = [Token(t.text, t.start + start, t.end + start) for t in scan(text[start:end])]
        if tokens:
            found.append((Sentence(text, tuple(tokens)), kind))
    return sorted(found, key=lambda each: each[0].start)


def _language(sentence: Sentence) -> Kind:
    return Kind.FOREIGN if is_foreign(sentence.detokenize()) else Kind.ENGLISH


def _masked(text: str, blocks: list[Block]) -> str:
    """Return the text with line breaks in place of blocks, so that positions stay the same."""
    parts: list[str] = []
    place = 0
    for start, end, _ in blocks:
        parts += [text[place:start], "\n" * (end - start)]
        place = end
    return "".join([*parts, text[place:]])

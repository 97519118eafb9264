"""Text to harvest from, cut into partitions, and read as sentences with tags and trees.

A file has one sentence a line, plain or compressed by gzip: tokens; tokens with tags, `word_TAG`;
or bracketed trees. Its first line decides. Text without tags is tagged by the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from treewright.corpora import MAX_SENTENCE, check_size
from treewright.engine import Partition
from treewright.errors import DataError, ParseError
from treewright.files import check_text, open_text
from treewright.parsing import Parser, open_parser, parse_each, tag_each
from treewright.trees import Tree, TreeTable, parse_tree

SENTENCES = 5_000
"""Sentences of a partition."""
TOKENS, TAGGED, TREES = "tokens", "tagged", "trees"
_TAGGED = re.compile(r"\S+_[A-Z$.,:`'#-]+")


class Lines(NamedTuple):
    """A partition: lines of a file from line `first` on, and in which form they are."""

    path: str
    first: int
    form: str
    lines: tuple[str, ...]


class Read(NamedTuple):
    """A sentence with its tags, and the table of its tree if it has one."""

    words: Sequence[str]
    tags: Sequence[str]
    table: TreeTable | None


def partitions(paths: Sequence[str | Path], size: int = SENTENCES) -> Iterator[Partition[Lines]]:
    """Cut files into partitions; the first line of a file decides on its form."""
    for path in paths:
        form = ""
        with open_text(path) as handle:
            first = 1
            while lines := tuple([line.rstrip("\n") for line in islice(handle, size)]):
                form = form or _form(lines)
                where = f"{path}:{first}-{first + len(lines) - 1}"
                yield Partition(where, Lines(str(path), first, form or TOKENS, lines))
                first += len(lines)


def _form(lines: Sequence[str]) -> str:
    """The form of a file, by the first of its lines that is not empty."""
    line = next((line for line in lines if line.strip()), "")
    if line.startswith("(") and not line.startswith("( "):
        return TREES
    if line and all(map(_TAGGED.fullmatch, line.split())):
        return TAGGED
    return TOKENS if line else ""


@dataclass
class Reader:
    """Reads partitions; the parser is opened where the work is done."""

    parser: str = "embedded"
    with_trees: bool = False
    _opened: Parser | None = field(default=None, init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        return {"parser": self.parser, "with_trees": self.with_trees, "_opened": None}

    def read(self, part: Lines) -> list[Read | DataError]:
        """Return the sentences of a partition, with an error in place of each bad line."""
        if part.form == TAGGED and self.with_trees:
            raise DataError(
                "tokens with tags, but these settings need trees: give tokens alone, which are "
                "parsed, or bracketed trees",
                where=part.path,
            )
        found: list[Read | DataError] = []
        plain = []
        for number, line in enumerate(part.lines, start=part.first):
            try:
                check_text(line, part.path, number)
                words = line.split()
                check_size(words, MAX_SENTENCE, what="the line", where=f"{part.path}:{number}")
                if part.form == TREES and words:
                    found.append(_of_tree(parse_tree(line, where=part.path, line=number)))
                elif part.form == TAGGED and words:
                    found.append(_of_tagged(words, f"{part.path}:{number}"))
                elif words:
                    plain.append(words)
            except DataError as error:
                found.append(error)
        return found + self._annotated(plain)

    def _annotated(self, sentences: list[list[str]]) -> list[Read | DataError]:
        if not sentences:
            return []
        if self._opened is None:
            self._opened = open_parser(self.parser)
        if not self.with_trees:
            tagged = tag_each(self._opened, sentences)
            return [Read(words, tags, None) for words, tags in zip(sentences, tagged, strict=True)]
        trees = parse_each(self._opened, sentences)
        return [_of_tree(tree) if isinstance(tree, Tree) else tree for tree in trees]


def _of_tree(tree: Tree) -> Read:
    leaves = list(tree.preterminals())
    words = [leaf.word or "" for leaf in leaves]
    return Read(words, [leaf.label for leaf in leaves], TreeTable(tree))


def _of_tagged(tokens: Sequence[str], where: str) -> Read:
    pairs = [token.rpartition("_") for token in tokens]
    bad = next((word + tag for word, _, tag in pairs if not word or not tag), None)
    if bad is not None:
        raise ParseError(f"expected word_TAG, found {bad!r}", where=where)
    return Read([word for word, _, _ in pairs], [tag for _, _, tag in pairs], None)


def check_not_empty(count: int, paths: Sequence[str | Path]) -> None:
    """Raise a `DataError` if there was nothing to harvest."""
    if not count:
        raise DataError(
            "no phrases in it; expected tokenised sentences, one a line, with phrases that match "
            "the pattern",
            where=", ".join(map(str, paths)),
        )

"""Trees of parallel text, from a file or a parser, checked against the words they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path

from treewright.corpora import Words
from treewright.errors import DataError, Problems
from treewright.files import atomic_write
from treewright.parsing import Parser
from treewright.progress import Progress
from treewright.translation.ghkm.files import scan_tree_lines
from treewright.trees import Tree, format_tree, unescape, with_words

BATCH = 256
"""How many sentences are parsed at a time."""


def read_line_trees(
    path: str | Path, sentences: Sequence[Words], problems: Problems, *, own: bool = False
) -> Iterator[Tree | None]:
    """Stream the tree of each sentence from a file with a line for each; `None` for a bad one.

    Brackets may be escaped. A file of another length is an error, whatever `problems` allows. So
    that no pair is reported twice, nothing is said of a sentence without words, nor, if training
    made the trees by its `own` parser, of an empty line.
    """
    pairs = zip_longest(scan_tree_lines(path), sentences)
    for number, (scanned, words) in enumerate(pairs, start=1):
        if scanned is None or words is None:
            raise DataError(
                f"{number - 1 if scanned is None else 'more than ' + str(number - 1)} lines; "
                f"expected {len(sentences)}, a tree for each sentence",
                where=str(path),
            )
        where, tree = scanned
        if not words:
            yield None
        elif isinstance(tree, DataError):
            if not own:
                problems.add(tree)
            yield None
        elif (error := _mismatch(tree, words, where)) is not None:
            problems.add(error)
            yield None
        else:
            yield with_words(tree, words)


def _mismatch(tree: Tree, words: Words, where: str) -> DataError | None:
    """Say where the words of a tree and of its sentence part, if they do."""
    for place, (found, wanted) in enumerate(zip_longest(tree.words(), words), start=1):
        if found is None or wanted is None or found not in (wanted, unescape(wanted)):
            return DataError(
                f"word {place} of the tree is {found!r}, that of the sentence {wanted!r}; expected "
                "the same words, so parse the tokenised text",
                where=where,
            )
    return None


def write_trees(
    path: Path,
    text: str,
    sentences: Sequence[Words],
    parser: Parser,
    problems: Problems,
    progress: Progress,
) -> None:
    """Parse the sentences of a text into a file, an empty line for what cannot be parsed."""
    tracked = iter(progress.track(sentences, "Parsing", total=len(sentences)))
    with atomic_write(path) as handle:
        number = 0
        while batch := list(islice(tracked, BATCH)):
            for tree in _parsed(batch, parser, problems, text, number):
                handle.write(("" if tree is None else format_tree(tree)) + "\n")
            number += len(batch)


def _parsed(
    batch: Sequence[Words], parser: Parser, problems: Problems, text: str, number: int
) -> list[Tree | None]:
    """Parse sentences together, and one by one if one of them is bad."""
    kept = [words for words in batch if words]
    try:
        found = iter(parser.parse(kept))
        return [next(found) if words else None for words in batch]
    except DataError as error:
        if len(batch) == 1:
            problems.add(DataError(error.message, where=f"{text}:{number + 1}"))
            return [None]
    trees: list[Tree | None] = []
    for place, words in enumerate(batch):
        trees += _parsed([words], parser, problems, text, number + place)
    return trees

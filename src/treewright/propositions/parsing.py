"""From sentences to what they say, parsed in batches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from treewright.errors import DataError, Problems
from treewright.parsing import Parser, parse_each
from treewright.propositions.gathering import Found, read_tree
from treewright.propositions.instances import SHAPES
from treewright.propositions.reading import Passage

_BATCH = 500


def read_all(
    passages: Iterable[Passage],
    parser: Parser,
    problems: Problems,
    shapes: Collection[str] = SHAPES,
) -> Iterator[tuple[Passage, Found]]:
    """Yield sentences with what they say; those that cannot be parsed are reported and skipped."""
    batch: list[Passage] = []
    for passage in passages:
        batch.append(passage)
        if len(batch) == _BATCH:
            yield from _read(batch, parser, problems, shapes)
            batch = []
    yield from _read(batch, parser, problems, shapes)


def _read(
    batch: list[Passage], parser: Parser, problems: Problems, shapes: Collection[str]
) -> Iterator[tuple[Passage, Found]]:
    if not batch:
        return
    trees = parse_each(parser, [passage.words for passage in batch])
    for passage, tree in zip(batch, trees, strict=True):
        if isinstance(tree, DataError):
            problems.add(DataError(tree.message, where=passage.where))
        else:
            yield passage, read_tree(tree, shapes)

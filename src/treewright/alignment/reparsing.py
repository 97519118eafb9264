"""Pairs over the trees of another parser: what a model sees in use is what it should learn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.parsing import Parser, parse_each
from treewright.trees import Tree, prune_to

BATCH = 256
"""Sentences that are parsed together."""


def reparse(
    pairs: Iterable[Pair], parser: Parser, *, problems: Problems | None = None
) -> Iterator[Pair]:
    """Yield aligned pairs with new trees: the source as parsed, the target as what is left of it.

    Only for targets that delete: their words are those of the source that are aligned.
    """
    problems = problems or Problems(strict=True)
    batch: list[Pair] = []
    for pair in pairs:
        batch.append(pair)
        if len(batch) == BATCH:
            yield from _reparse(batch, parser, problems)
            batch = []
    yield from _reparse(batch, parser, problems)


def _reparse(pairs: list[Pair], parser: Parser, problems: Problems) -> Iterator[Pair]:
    sources = list({pair.source: None for pair in pairs})
    trees = parse_each(parser, [tree.words() for tree in sources]) if sources else []
    of_source = dict(zip(sources, trees, strict=True))
    for pair in pairs:
        try:
            yield _over(pair, of_source[pair.source])
        except DataError as error:
            problems.add(DataError(error.message, where=pair.id))


def _over(pair: Pair, source: Tree | DataError) -> Pair:
    if isinstance(source, DataError):
        raise source
    if pair.alignment is None:
        raise DataError("the pair has no word alignment; align it first")
    places = sorted(i for i, _ in pair.alignment)
    target = prune_to(source, places)
    if target is None or len(places) != len(pair.target.words()):
        raise DataError("the target is not what is left of the source when words are deleted")
    return replace(
        pair, source=source, target=target, alignment=tuple([(i, j) for j, i in enumerate(places)])
    )

"""Pairs with trees from another parser, so that a model learns from what it will see in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.parsing import Parser, parse_each
from treewright.trees import Tree, prune_to

BATCH = 256
"""Sentences parsed together."""


def reparse(
    pairs: Iterable[Pair], parser: Parser, *, problems: Problems | None = None
) -> Iterator[Pair]:
    """Yield aligned pairs with new trees: the source as parsed, the target as what is left of it.

    Only for targets that delete: their words are those of the source that are aligned.
    """
    return _changed(pairs, parser, problems or Problems(strict=True), _over)


def reparse_sources(
    pairs: Iterable[Pair], parser: Parser, *, problems: Problems | None = None
) -> Iterator[Pair]:
    """Yield pairs with new sources and unchanged targets: pairs to score a model on."""
    return _changed(pairs, parser, problems or Problems(strict=True), _beside)


def _changed(
    pairs: Iterable[Pair],
    parser: Parser,
    problems: Problems,
    change: Callable[[Pair, Tree], Pair],
) -> Iterator[Pair]:
    stream = iter(pairs)
    while batch := list(islice(stream, BATCH)):
        sources = list({pair.source: None for pair in batch})
        trees = parse_each(parser, [tree.words() for tree in sources])
        of_source = dict(zip(sources, trees, strict=True))
        for pair in batch:
            tree = of_source[pair.source]
            try:
                if isinstance(tree, DataError):
                    raise tree
                changed = change(pair, tree)
            except DataError as error:
                problems.add(DataError(error.message, where=pair.id))
            else:
                yield changed


def _over(pair: Pair, source: Tree) -> Pair:
    if pair.alignment is None:
        raise DataError("the pair has no word alignment; align it first")
    places = sorted({i for i, _ in pair.alignment})
    target = prune_to(source, places)
    words = pair.source.words()
    if target is None or pair.target_words != tuple([words[i] for i in places]):
        raise DataError("the target is not what is left of the source when words are deleted")
    return replace(
        pair, source=source, target=target, alignment=tuple([(i, j) for j, i in enumerate(places)])
    )


def _beside(pair: Pair, source: Tree) -> Pair:
    return replace(pair, source=source)

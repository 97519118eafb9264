"""Pairs of plain text → records of trees: sources are parsed and targets found in them.

A target's tokens must be a subsequence of its source's. People who shorten a text also tidy it, so
two things may differ: the case of the first word, and the final full stop. If a target occurs in
its source in several ways, the trees decide, as for corpora of trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from treewright.alignment.extractive import align_extractive, candidates
from treewright.corpora import MAX_WORDS, Record, TextPair, first_unmatched
from treewright.engine import Engine, in_partitions, loaded_once, map_objects
from treewright.errors import DataError, Problems
from treewright.parsing import Parser, fit_words, open_parser, parse_each
from treewright.text import CLOSERS, STRAIGHT, is_word, tokenize
from treewright.trees import Tree, prune_to

BATCH = 256
"""Pairs parsed together."""
PARTITION = 4 * BATCH
"""Pairs of a partition."""
_STOPS = frozenset({".", "!", "?", "...", "…"})

Words = tuple[str, ...]


@dataclass(frozen=True)
class _Target:
    """The words of a target, and of its source where they count as the same."""

    source: Words
    words: Words
    places: tuple[int, ...] | None
    """Where they are in the source, if that is unambiguous."""


@dataclass(frozen=True)
class _Given:
    pair: TextPair
    words: Words
    targets: tuple[_Target, ...]


def parse_texts(
    pairs: Iterable[TextPair | DataError], parser: Parser, *, problems: Problems | None = None
) -> Iterator[Record]:
    """Yield a record for each pair; pairs with a target that does more than delete are problems."""
    problems = problems or Problems(strict=True)
    batch: list[_Given] = []
    for pair in pairs:
        try:
            if isinstance(pair, DataError):
                raise pair
            batch.append(_tokenised(pair))
        except DataError as error:
            problems.add(error)
        if len(batch) == BATCH:
            yield from _records(batch, parser, problems)
            batch = []
    yield from _records(batch, parser, problems)


def parse_texts_on(
    engine: Engine,
    pairs: Iterable[TextPair | DataError],
    parser: str,
    *,
    problems: Problems | None = None,
) -> Iterator[Record]:
    """Do what `parse_texts` does by partitions, each process with a parser that it opens itself."""
    problems = problems or Problems(strict=True)
    partitions = in_partitions(pairs, PARTITION, lambda pair: pair.where)
    for results in map_objects(engine, _Parsing(parser), partitions, problems):
        yield from problems.good(results)


@dataclass(frozen=True)
class _Parsing:
    """The work on a partition."""

    parser: str

    def __call__(self, pairs: Sequence[TextPair | DataError]) -> list[Record | DataError]:
        opened = loaded_once(partial(open_parser, self.parser))
        results: list[Record | DataError] = []
        problems = Problems(report=results.append)
        for record in parse_texts(pairs, opened, problems=problems):
            results.append(record)  # errors come between records
        return results


def _tokenised(pair: TextPair) -> _Given:
    words = _words(pair.source, "the source", pair.where)
    targets = []
    for number, text in enumerate(pair.targets):
        what = "the target" if len(pair.targets) == 1 else f"target {number}"
        found = find_target(words, _words(text, what, pair.where))
        if isinstance(found, DataError):
            raise DataError(f"{what} {found.message}", where=pair.where)
        targets.append(found)
    return _Given(pair, words, tuple(targets))


def _words(text: str, what: str, where: str) -> Words:
    words = tuple([token.text for token in tokenize(text)])
    if not any(map(is_word, words)):
        raise DataError(f"{what} has no words", where=where)
    if len(words) > MAX_WORDS:
        raise DataError(
            f"{what} has {len(words)} words, the limit is {MAX_WORDS}; split it into sentences",
            where=where,
        )
    return words


def find_target(source: Words, target: Words) -> _Target | DataError:
    """Find a target among the words of its source, or name a word that is not there."""
    first = next(word for word in target if is_word(word)).casefold()
    plain = _plain(source, first)
    for words in _endings(target):
        found = candidates(plain, _plain(words, first))
        if found is not None:
            alone = all(len(places) == 1 for places in found)
            places = tuple([column[0] for column in found]) if alone else None
            return _Target(plain, _plain(words, first), places)
    place = first_unmatched(plain, _plain(target, first))
    assert place is not None, "what embeds has candidates"
    return DataError(
        f"is not what is left of the source when words are deleted: word {place + 1}, "
        f"{target[place]!r}, is not in the source, or not at this position"
    )


def _plain(words: Sequence[str], first: str) -> Words:
    """Write every word that equals the target's first one, apart from case, in the same way."""
    return tuple([first if word.casefold() == first else word for word in words])


def _endings(target: Words) -> Iterator[Words]:
    """Yield a target unchanged, and with a different final full stop than the source has."""
    yield target
    place = len(target) - 1
    while place > 0 and (target[place] in CLOSERS or target[place] in STRAIGHT):
        place -= 1
    if place > 0 and target[place] in _STOPS:
        before, behind = target[:place], target[place + 1 :]
        # In the middle of the source an abbreviation keeps its full stop: `Corp.`
        yield (*before[:-1], before[-1] + target[place], *behind)
        yield before + behind


def _records(batch: Sequence[_Given], parser: Parser, problems: Problems) -> Iterator[Record]:
    """Parse the sources, and those targets whose positions are ambiguous."""
    asked = [given.words for given in batch]
    asked += [target.words for given in batch for target in given.targets if not target.places]
    asked = list(dict.fromkeys(asked))
    trees = dict(zip(asked, parse_each(parser, asked), strict=True)) if asked else {}
    for given in batch:
        try:
            yield _record(given, trees)
        except DataError as error:
            # A parser knows only the position in its batch.
            problems.add(DataError(error.message, where=given.pair.where))


def _record(given: _Given, trees: dict[Words, Tree | DataError]) -> Record:
    source = _parsed(trees[given.words])
    targets = []
    for target in given.targets:
        places = target.places
        if not places:
            alike = fit_words(source, target.source)
            own = _parsed(trees[target.words])
            places = tuple([i for i, _ in align_extractive(alike, own)])
        pruned = prune_to(source, places)
        assert pruned is not None, "a target has words"
        targets.append(pruned)
    return Record(given.pair.id, source, tuple(targets))


def _parsed(tree: Tree | DataError) -> Tree:
    if isinstance(tree, DataError):
        raise tree
    return tree

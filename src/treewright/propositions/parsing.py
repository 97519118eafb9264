"""From sentences to what they say and to their propositions, in batches, here or on an engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from treewright.engine import Engine, in_partitions, loaded_once, map_objects
from treewright.errors import DataError, Problems
from treewright.parsing import open_parser, parse_each
from treewright.progress import SILENT, Progress
from treewright.propositions.gathering import NOTHING, Found, Gathered, read_tree
from treewright.propositions.instances import SHAPES
from treewright.propositions.model import PropositionModel
from treewright.propositions.reading import Passage, read_passages
from treewright.trees import Tree

_BATCH = 500
_PARTITION = 2000
"""Sentences that a process works on at once."""


def read_all(
    passages: Iterable[Passage],
    parser: str,
    problems: Problems,
    shapes: Sequence[str] = SHAPES,
    engine: Engine | None = None,
) -> Iterator[tuple[Passage, Found]]:
    """Yield sentences with what they say; those that cannot be parsed are reported and skipped.

    On an engine, each process opens the parser itself.
    """
    work = _Reading(parser, tuple(shapes))
    if engine is None:
        done: Iterable[list[tuple[Passage, Found | DataError]]] = map(work, _batches(passages))
    else:
        partitions = in_partitions(passages, _PARTITION, lambda passage: passage.where)
        done = map_objects(engine, work, partitions, problems)
    for results in done:
        for passage, found in results:
            if isinstance(found, DataError):
                problems.add(DataError(found.message, where=passage.where))
            else:
                yield passage, found


def _batches(passages: Iterable[Passage]) -> Iterator[list[Passage]]:
    rest = iter(passages)
    while batch := list(islice(rest, _BATCH)):
        yield batch


@dataclass(frozen=True)
class _Reading:
    """The work on a batch."""

    parser: str
    shapes: tuple[str, ...]

    def __call__(self, passages: Sequence[Passage]) -> list[tuple[Passage, Found | DataError]]:
        opened = loaded_once(partial(open_parser, self.parser))
        trees = iter(parse_each(opened, [one.words for one in passages if one.words]))
        return [
            (passage, self._found(next(trees)) if passage.words else NOTHING)
            for passage in passages
        ]

    def _found(self, tree: Tree | DataError) -> Found | DataError:
        return tree if isinstance(tree, DataError) else read_tree(tree, self.shapes)


def gather_files(
    paths: Iterable[str],
    parser: str,
    problems: Problems,
    *,
    shapes: Sequence[str] = SHAPES,
    raw: bool = False,
    engine: Engine | None = None,
    progress: Progress = SILENT,
) -> Gathered:
    """Gather what the sentences of files say."""
    gathered = Gathered()
    for path in paths:
        passages = progress.track(read_passages(path, problems, raw=raw), f"Reading {path}")
        for passage, found in read_all(passages, parser, problems, shapes, engine):
            if passage.words:
                gathered.add(passage.id, passage.text, found, passage.spans)
    return gathered


def label_passages(
    model: PropositionModel,
    passages: Iterable[Passage],
    parser: str,
    problems: Problems,
    *,
    number: int = 1,
    full: bool = False,
    engine: Engine | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the propositions of each sentence as rows for JSON Lines; with `full`, also what and
    where their parts are.
    """
    for passage, found in read_all(passages, parser, problems, model.shapes, engine):
        rows = []
        for instance in found.instances:
            best = model.propositions(instance, number)
            row: dict[str, Any] = {
                "instance": list(best[0].words),
                "classes": list(best[0].classes),
                "at": [[first + 1, last + 1] for first, last in instance.at],
                "known": list(best[0].known),
                "logprob": best[0].log_prob,
            }
            if number > 1:
                row["others"] = [
                    {"classes": list(one.classes), "logprob": one.log_prob} for one in best[1:]
                ]
            if full:
                row |= {
                    "shape": instance.shape,
                    "kinds": list(instance.kinds),
                    "characters": [
                        [passage.spans[first][0], passage.spans[last][1]]
                        for first, last in instance.at
                    ],
                    "nodes": list(instance.nodes),
                }
            rows.append(row)
        yield {"id": passage.id, "propositions": rows}

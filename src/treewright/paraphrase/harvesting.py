"""The plan of a harvest: sentences → phrases and their contexts → counts, run by an engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from treewright.arrays import Bools
from treewright.engine import COUNT, Columns, Engine
from treewright.errors import DataError, Problems
from treewright.paraphrase.antonyms import MARK, evidence, learned
from treewright.paraphrase.contexts import Contexts, Sentence
from treewright.paraphrase.phrases import VERBS, phrase_of, tag_pattern
from treewright.paraphrase.reading import Lines, Reader, check_not_empty, partitions
from treewright.paraphrase.settings import HarvestSettings
from treewright.paraphrase.space import Space, SpaceBuilder, row_of
from treewright.paraphrase.types import syntactic_type

SCHEMA = {"context": str, "row": str}
OCCURRENCE, PROBLEM = "", "\x01"
"""Contexts that are none: under the first, phrases themselves are counted; the second holds what is
wrong with a line. Those that start with `MARK` hold evidence.
"""


@dataclass
class Counting:
    """The task of one partition: each phrase with each of its contexts."""

    settings: HarvestSettings
    reader: Reader

    def __call__(self, part: Lines) -> Columns:
        """Return contexts and what they are contexts of."""
        contexts, rows = [], []
        described = Contexts(self.settings)
        for read in self.reader.read(part):
            if isinstance(read, DataError):
                contexts.append(PROBLEM)
                rows.append(str(read))
                continue
            sentence = Sentence.of(read)
            for kind, verbs in evidence(read.words, read.tags):
                contexts.append(kind)
                rows.append(verbs)
            for start, end in spans(sentence, self.settings):
                phrase = phrase_of(read.words[start:end], read.tags[start:end])
                found = described.of(sentence, start, end, start + phrase.main)
                contexts.append(OCCURRENCE)
                rows.append(record_of(sentence, start, end))
                contexts.extend(found)
                rows.extend([row_of(phrase, self.settings)] * len(found))
        return {"context": np.array(contexts, object), "row": np.array(rows, object)}


def spans(sentence: Sentence, settings: HarvestSettings) -> Iterator[tuple[int, int]]:
    """Yield start and end of the phrases of a sentence."""
    if settings.category:
        yield from _constituents(sentence, settings)
        return
    tags = sentence.tags
    for first, last in tag_pattern(settings.pattern).matches(tags):
        if settings.runs == "maximal":
            if last - first <= settings.max_length and _is_phrase(tags[first:last], settings):
                yield first, last
            continue
        for start in range(first, last):
            for end in range(start + 1, min(last, start + settings.max_length) + 1):
                if _is_phrase(tags[start:end], settings):
                    yield start, end


def _is_phrase(tags: Sequence[str], settings: HarvestSettings) -> bool:
    """Whether tags hold a verb, if the pattern is one of verbs."""
    return "VB" not in settings.pattern or not VERBS.isdisjoint(tags)


def _constituents(sentence: Sentence, settings: HarvestSettings) -> Iterator[tuple[int, int]]:
    table = sentence.table
    assert table is not None
    for node, label in enumerate(table.labels):
        start, end = table.left[node], table.right[node]
        if label == settings.category and end - start <= settings.max_length:
            yield start, end


def record_of(sentence: Sentence, start: int, end: int) -> str:
    """Write down a phrase with its tags, and with its syntactic type where there is a tree."""
    kind = "" if sentence.table is None else syntactic_type(sentence.table, start, end)
    words = " ".join(sentence.words[start:end]).lower()
    return f"{words}\t{' '.join(sentence.tags[start:end])}\t{kind}"


def harvest(
    paths: Sequence[str | Path],
    settings: HarvestSettings,
    engine: Engine,
    *,
    parser: str = "embedded",
    problems: Problems | None = None,
) -> Space:
    """Count the phrases of files and their contexts."""
    problems = Problems(strict=True) if problems is None else problems
    task = Counting(settings, Reader(parser, with_trees=settings.needs_trees))
    mapped = engine.map_partitions(task, partitions(paths), SCHEMA, problems)
    counts = engine.count_by_key(mapped, ("context", "row"))
    builder = SpaceBuilder(settings)
    said: list[tuple[str, str, int]] = []
    for batch in counts.batches():
        rest = _without_evidence(_without_problems(batch, problems), said)
        builder.add(rest["context"], rest["row"], rest[COUNT])
    space = replace(builder.build(), antonyms=learned(said))
    check_not_empty(len(space.phrases), paths)
    return space


def _without_problems(batch: Columns, problems: Problems) -> Columns:
    bad = batch["context"] == PROBLEM
    for message in batch["row"][bad]:
        where, _, text = str(message).partition(": ")
        problems.add(DataError(text, where=where))
    return _rows(batch, ~bad) if bad.any() else batch


def _without_evidence(batch: Columns, said: list[tuple[str, str, int]]) -> Columns:
    is_said = np.array([context.startswith(MARK) for context in batch["context"]], bool)
    if not is_said.any():
        return batch
    found = _rows(batch, is_said)
    said += zip(found["context"], found["row"], found[COUNT].tolist(), strict=True)
    return _rows(batch, ~is_said)


def _rows(batch: Columns, which: Bools) -> Columns:
    return {name: values[which] for name, values in batch.items()}

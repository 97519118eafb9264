"""Rules counted by an engine: the same as `extraction`, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treewright.arrays import Longs, starts
from treewright.engine import COUNT, Columns, Engine, Partition, Table, cut_by_key
from treewright.errors import Problems
from treewright.translation.ghkm._kernels import Limits
from treewright.translation.ghkm._rule_kernels import Keys
from treewright.translation.ghkm.occurrences import Occurrences, counted, extraction
from treewright.translation.ghkm.packing import Batch

KEYS = ("source", "target", "alignment")
SCHEMA = {**dict.fromkeys(KEYS, int), "record": bytes, "times": int}
_MEMORY = 64 << 20
_TOP = np.uint64(1 << 63)


@dataclass(frozen=True)
class Extracting:
    """The task of one batch of pairs: its occurrences, each counted once."""

    limits: Limits

    def __call__(self, batch: Batch) -> Columns:
        """Return the keys, the record and the number of each occurrence."""
        with extraction([batch], self.limits, memory=_MEMORY) as runs:
            parts = [_columns(found) for found in runs.chunks()]
        return {name: np.concatenate([part[name] for part in parts]) for name in SCHEMA}


@dataclass(frozen=True, eq=False)
class CountedRuns:
    """What an engine counted, in ascending order of the keys."""

    table: Table

    def chunks(self) -> Iterator[Occurrences]:
        """Those with the same source come together. At least one chunk comes."""
        is_empty = True
        for batch in cut_by_key(self.table.batches(), KEYS[:1]):
            is_empty = False
            yield _occurrences(batch)
        if is_empty:
            nothing = {
                name: np.empty(0, object if name == "record" else np.int64) for name in SCHEMA
            }
            yield _occurrences({**nothing, COUNT: nothing["times"]})


def count_rules(
    batches: Iterable[Batch], limits: Limits, engine: Engine, problems: Problems
) -> CountedRuns:
    """Extract the rules of all pairs, and count them."""
    parts = (Partition(f"batch {n} of pairs", batch) for n, batch in enumerate(batches, start=1))
    mapped = engine.map_partitions(Extracting(limits), parts, SCHEMA, problems)
    return CountedRuns(engine.count_by_key(mapped, (*KEYS, "record"), "times"))


def _columns(found: Occurrences) -> Columns:
    records = np.empty(found.times.size, object)
    bounds = found.start.tolist()
    for place, (begin, end) in enumerate(pairwise(bounds)):
        records[place] = found.numbers[begin:end].tobytes()
    keys = {name: _signed(key) for name, key in zip(KEYS, found[:3], strict=True)}
    return {**keys, "record": records, "times": found.times}


def _occurrences(columns: Columns) -> Occurrences:
    records = columns["record"].tolist()
    numbers = np.frombuffer(b"".join(records), np.int32)
    start = starts([len(record) // numbers.itemsize for record in records])
    keys = [_unsigned(columns[name]) for name in KEYS]
    times = columns[COUNT].astype(np.int64)
    is_minimal = numbers[start[:-1] + 1] == 0
    return counted(Occurrences._make([*keys, times, is_minimal, start, numbers]))


def _signed(keys: Keys) -> Longs:
    """Keys as numbers with a sign, in the same order."""
    return (np.asarray(keys) ^ _TOP).view(np.int64)


def _unsigned(keys: Longs) -> Keys:
    return np.ascontiguousarray(keys, np.int64).view(np.uint64) ^ _TOP

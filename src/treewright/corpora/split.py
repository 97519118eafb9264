"""Splitting a corpus into parts, the same way every time.

There are three methods. `contiguous` cuts the file in order; `shuffled` distributes its records at
random by seed; `hashed` looks only at each record's id, so a record stays in its part when others
are added. Lines are written as they were read, including unknown fields.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf
from pathlib import Path

from treewright.corpora.jsonl import good_lines, scan_lines
from treewright.corpora.pair import Record
from treewright.errors import Problems, UsageError, choose
from treewright.files import atomic_write
from treewright.randomness import generator

METHODS = ("contiguous", "shuffled", "hashed")

Share = int | float | None
"""How much a part gets: a number of records, a fraction of them (a float), or the rest (None)."""


@dataclass(frozen=True, slots=True)
class Split:
    """How many records each part got, and how many no part asked for."""

    written: dict[str, int]
    left_out: int


def split_corpus(
    path: str | Path,
    parts: Mapping[str, Share],
    *,
    method: str = "contiguous",
    seed: int = 0,
    problems: Problems | None = None,
) -> Split:
    """Write the good records of a corpus into the files that `parts` names.

    All files appear together at the end, or none does. Fractions and shuffling need the number of
    records first, so the corpus is then read twice.
    """
    choose(method, METHODS, "method")
    if not parts:
        raise UsageError("no parts to split into; name at least one file and its share")
    problems = problems or Problems(strict=True)
    bounds, place = _plan(path, list(parts.values()), method, seed)
    counts = [0] * (len(parts) + 1)
    with ExitStack() as stack:
        handles = [stack.enter_context(atomic_write(name)) for name in parts]
        for number, line in enumerate(good_lines(path, problems)):
            assert isinstance(line.record, Record)
            part = bisect_right(bounds, place(number, line.record))
            counts[part] += 1
            if part < len(parts):
                handles[part].write(line.text + "\n")
        if method == "contiguous" and sum(counts) < bounds[-1] < inf:
            raise UsageError(f"the parts ask for {bounds[-1]} records, {path} has {sum(counts)}")
    return Split(dict(zip(parts, counts, strict=False)), counts[-1])


def _plan(
    path: str | Path, shares: Sequence[Share], method: str, seed: int
) -> tuple[Sequence[float], Callable[[int, Record], float]]:
    """Return the parts' upper bounds, and the function that positions a record among them."""
    _check_shares(shares)
    if method == "hashed":
        return _hash_bounds(shares), lambda _, record: id_fraction(record.id, seed)
    if method == "contiguous" and not _needs_total(shares):
        return _bounds(shares, None), lambda number, _: number
    total = _count(path)
    if method == "contiguous":
        return _bounds(shares, total), lambda number, _: number
    places = generator(seed).permutation(total).tolist()
    return _bounds(shares, total), lambda number, _: places[number]


def id_fraction(name: str, seed: int = 0) -> float:
    """Map an id to a fixed number in [0, 1)."""
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def _needs_total(shares: Sequence[Share]) -> bool:
    return any(isinstance(share, float) for share in shares) or None in shares[:-1]


def _count(path: str | Path) -> int:
    if str(path) == "-":
        raise UsageError(
            "standard input cannot be read twice; save it to a file, give numbers of records in "
            "order, or split by 'hashed'"
        )
    lines = scan_lines(path)
    return sum(isinstance(line.record, Record) for line in lines)


def _bounds(shares: Sequence[Share], total: int | None) -> list[float]:
    """Return, for each part, the position after its last record."""
    if total is None:
        return list(accumulate(inf if s is None else s for s in shares))
    fixed = sum(share for share in shares if type(share) is int)
    fractions = [share for share in shares if isinstance(share, float)]
    cuts = [round(total * f) for f in accumulate(fractions, initial=0.0)]
    sizes = iter([after - before for before, after in pairwise(cuts)])
    rest = total - fixed - cuts[-1]
    if rest < 0:
        raise UsageError(f"the parts ask for {total - rest} records, there are {total}")
    return list(
        accumulate(
            rest if share is None else next(sizes) if isinstance(share, float) else share
            for share in shares
        )
    )


def _hash_bounds(shares: Sequence[Share]) -> list[float]:
    if any(type(share) is int for share in shares):
        raise UsageError("'hashed' gives each part a fraction such as 0.1, not a number of records")
    rest = 1.0 - sum(share for share in shares if share is not None)
    bounds = list(accumulate(rest if share is None else share for share in shares))
    # Sums like 0.8 + 0.1 + 0.1 fall short of 1 by a rounding error, which must not lose a record.
    return [1.0 if abs(bound - 1.0) < 1e-9 else bound for bound in bounds]


def _check_shares(shares: Sequence[Share]) -> None:
    if sum(share is None for share in shares) > 1:
        raise UsageError("only one part can get the rest")
    for share in shares:
        if share is not None and not (share >= 0 and (type(share) is int or share <= 1)):
            raise UsageError(f"a share is a number of records or a fraction up to 1.0, not {share}")
    if sum(share for share in shares if isinstance(share, float)) > 1 + 1e-9:
        raise UsageError("the fractions add up to more than 1")

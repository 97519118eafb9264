"""Plain twins of the deletion model's kernels, on Python's own whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

from treewright.pruning.deletion import Evidence

MASK = (1 << 64) - 1


def mix(key: int, value: int) -> int:
    key = ((key ^ value) * 0x9E3779B97F4A7C15) & MASK
    return key ^ (key >> 29)


def known(evidence: Evidence, i: int, j: int, t: int) -> int:
    """Return what a template knows of two kept tokens together."""
    kind = evidence.kind[t]
    if kind == 0:
        return int(j == i + 1)
    if kind == 1:
        gap = j - i - 1
        return gap if gap <= 4 else 5 if gap <= 6 else 6 if gap <= 10 else 7
    return 1 if evidence.governor[j] == i else 2 if evidence.governor[i] == j else 0


def arc_slot(evidence: Evidence, i: int, j: int, t: int, shift: int) -> int:
    left, right = int(evidence.left[i, t]), int(evidence.right[j, t])
    return mix(mix(left, right), known(evidence, i, j, t)) >> shift


def features(evidence: Evidence, path: Sequence[bool], shift: int) -> dict[int, float]:
    """Return the value of every slot for a compression, from the definition."""
    kept = [p for p, keep in enumerate(path) if keep]
    values: dict[int, float] = {}
    for i, j in pairwise(kept):
        slots = [(arc_slot(evidence, i, j, t, shift), 1.0) for t in range(evidence.left.shape[1])]
        for low, high, key, sign in items(evidence):
            if i < low and high < j:
                slots.append((key >> shift, sign))
        for slot, value in slots:
            values[slot] = values.get(slot, 0.0) + value
    return {slot: value for slot, value in values.items() if value}


def items(evidence: Evidence) -> list[tuple[int, int, int, float]]:
    columns = (evidence.low, evidence.high, evidence.key, evidence.sign)
    return list(zip(*[column.tolist() for column in columns], strict=True))


def score(evidence: Evidence, path: Sequence[bool], weights: Any, shift: int) -> float:
    found = features(evidence, path, shift)
    return float(sum(value * weights[slot] for slot, value in found.items()))


def paths(tokens: int) -> Iterator[tuple[bool, ...]]:
    """Yield every way to keep at least one token, with start and end."""
    for kept in product((False, True), repeat=tokens):
        if any(kept):
            yield (True, *kept, True)

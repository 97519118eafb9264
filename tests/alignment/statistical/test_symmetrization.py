"""Symmetrization against a plain twin on sets of links."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from treewright.alignment.statistical.symmetrization import SYMMETRIZATIONS, symmetrize
from treewright.errors import UsageError

Links = set[tuple[int, int]]


def choices(forward: np.ndarray, reverse: np.ndarray) -> tuple[Links, Links]:
    first, second = set(), set()
    if not forward.size:
        return first, second
    for j, column in enumerate(forward.T):
        i = int(np.argmax(column))
        if column[i] > 1 - column.sum():
            first.add((i, j))
    for i, row in enumerate(reverse):
        j = int(np.argmax(row))
        if row[j] > 1 - row.sum():
            second.add((i, j))
    return first, second


def grown(first: Links, second: Links, *, final: bool) -> Links:
    """Grow by the definition: as long as a choice beside a link has a word without any."""
    links = first & second
    while True:
        before = len(links)
        for i, j in product(range(9), range(9)):
            if (i, j) not in links:
                continue
            for di, dj in product((-1, 0, 1), (-1, 0, 1)):
                a, b = i + di, j + dj
                alone = all(x != a for x, _ in links) or all(y != b for _, y in links)
                if (a, b) in first | second and alone:
                    links = links | {(a, b)}
        if len(links) == before:
            break
    if final:
        for chosen in (first, second):
            for a, b in sorted(chosen):
                if all(x != a and y != b for x, y in links):
                    links = links | {(a, b)}
    return links


def twin(forward: np.ndarray, reverse: np.ndarray, method: str, threshold: float) -> Links:
    first, second = choices(forward, reverse)
    return {
        "posterior": {
            (int(i), int(j)) for i, j in np.argwhere(forward + reverse > np.float32(2 * threshold))
        },
        "intersection": first & second,
        "union": first | second,
        "grow-diag": grown(first, second, final=False),
        "grow-diag-final-and": grown(first, second, final=True),
        "forward": first,
        "reverse": second,
    }[method]


@pytest.mark.parametrize("method", SYMMETRIZATIONS)
def test_every_method_equals_its_definition(method: str) -> None:
    rng = np.random.default_rng(7)
    sizes = rng.integers(0, 9, size=(60, 2))
    pairs = []
    for rows, columns in sizes:
        # Sparse matrices, whose columns and rows sum to at most one, as those of aligners do.
        raw = rng.random((2, rows, columns)).astype(np.float32) ** 6 + np.float32(1e-4)
        raw += 2 * rng.random((rows, columns)).astype(np.float32) ** 6
        none = rng.random() * 0.5
        forward = raw[0] / (raw[0].sum(axis=0, keepdims=True) + none)
        reverse = raw[1] / (raw[1].sum(axis=1, keepdims=True) + none)
        pairs.append((forward.astype(np.float32), reverse.astype(np.float32)))
    found = symmetrize(
        np.concatenate([forward.ravel() for forward, _ in pairs]),
        np.concatenate([reverse.ravel() for _, reverse in pairs]),
        sizes[:, 0].copy(),
        sizes[:, 1].copy(),
        method=method,
        threshold=0.25,
    )
    expected = [tuple(sorted(twin(*pair, method, 0.25))) for pair in pairs]
    assert list(found) == expected
    assert sum(map(len, expected)) > 50


def test_an_unknown_method_lists_the_known_ones() -> None:
    empty = np.zeros(0, np.float32)
    none = np.zeros(0, np.int64)
    with pytest.raises(UsageError, match=r"unknown symmetrization 'grow'; .*grow-diag, "):
        symmetrize(empty, empty, none, none, method="grow", threshold=0.5)

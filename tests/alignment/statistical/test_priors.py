"""Priors from letters: against plain twins, and on words that show what they are for."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from treewright.alignment.statistical.priors import Priors, parts_of
from treewright.corpora import Vocabulary

SOURCE = ["parlement", "gouvernement", "chat", "3", "国家", "国家队", "家", "parlementaire"]
TARGET = ["parliament", "government", "chat", "3", "nation", "national", "home", "cat"]
SLOTS = np.array(list(product(range(8), range(8))), np.int32)


def priors() -> Priors:
    return Priors((Vocabulary(SOURCE), Vocabulary(TARGET)))


def by_parts(count: np.ndarray) -> np.ndarray:
    return priors().relatives(SLOTS, count).expect(SLOTS, count)


def common(a: str, b: str) -> int:
    """Return the length of the longest common subsequence."""
    if not a or not b:
        return 0
    if a[-1] == b[-1]:
        return common(a[:-1], b[:-1]) + 1
    return max(common(a[:-1], b), common(a, b[:-1]))


def alike(a: str, b: str) -> float:
    if a == b:
        return 1.0
    if min(len(a), len(b)) < 4:
        return 0.0
    return max(0.0, 4 * common(a, b) / (len(a) + len(b)) - 1) ** 2


def test_resemblance_equals_its_definition() -> None:
    short = [(s, t) for s, t in SLOTS.tolist() if len(SOURCE[s]) + len(TARGET[t]) < 20]
    found = dict(zip(map(tuple, SLOTS.tolist()), priors().alike(SLOTS).tolist(), strict=True))
    for s, t in short:
        assert found[s, t] == pytest.approx(alike(SOURCE[s], TARGET[t]), abs=1e-6)
    assert found[0, 0] > 0.4
    assert found[3, 3] == found[2, 2] == 1
    assert found[2, 7] == 0


def test_only_the_first_letters_of_what_is_hardly_a_word_are_compared() -> None:
    source, target = ["ab" * 10_000, "a" * 40 + "b" * 5], ["ba" * 10_000, "a" * 40 + "c" * 9]
    slots = np.array([(0, 0), (1, 1)], np.int32)
    found = Priors((Vocabulary(source), Vocabulary(target))).alike(slots)
    assert found.tolist() == pytest.approx([(4 * 39 / 80 - 1) ** 2, 1.0])
    assert len(list(parts_of("".join(map(chr, range(0x4E00, 0x9E00)))))) == 40


def test_parts_of_words() -> None:
    words = ("国家国", "nations", "cat", "2024-05", "don't", "łódź")
    assert [list(parts_of(word)) for word in words] == [
        ["国", "家"],
        ["nati-"],
        ["cat"],
        ["2024-05"],
        ["don't"],
        ["łódź"],
    ]


def test_a_prior_by_parts_equals_its_definition() -> None:
    rng = np.random.default_rng(4)
    count = np.where(rng.random(len(SLOTS)) < 0.4, rng.random(len(SLOTS)) * 5, 0)
    linked = {(int(s), int(t)): float(n) for (s, t), n in zip(SLOTS, count, strict=True)}
    sides = (SOURCE, TARGET)
    words = [
        [sum(n for pair, n in linked.items() if pair[d] == w) for w in range(8)] for d in (0, 1)
    ]

    def mass(d: int, part: str) -> float:
        return sum(words[d][w] for w in range(8) if part in parts_of(sides[d][w]))

    found = by_parts(count)
    for slot, (s, t) in enumerate(SLOTS.tolist()):
        pairs = list(product(parts_of(SOURCE[s]), parts_of(TARGET[t])))
        expected = [0.0, 0.0]
        for a, b in pairs:
            other = sum(
                n
                for (u, v), n in linked.items()
                if (u, v) != (s, t) and a in parts_of(SOURCE[u]) and b in parts_of(TARGET[v])
            )
            for d, (own, part, far, far_part) in enumerate(
                [(words[0][s], a, words[1][t], b), (words[1][t], b, words[0][s], a)]
            ):
                share = min(1.0, (far + 0.5) / (mass(1 - d, far_part) + 1))
                expected[d] += other / (mass(d, part) - own + 2) * share / len(pairs)
        np.testing.assert_allclose(found[slot], expected, rtol=1e-4, atol=1e-6)


def test_a_relative_tells_what_a_new_word_means() -> None:
    """`国家队` is linked to nothing, but `国家` to `nation`, which begins as `national` does."""
    count = np.zeros(len(SLOTS))
    count[4 * 8 + 4] = 3.0
    found = by_parts(count)[:, 0].reshape(8, 8)
    assert found[5, 4] > found[5, 5] > 0
    assert found[6, 4] > 0
    assert np.count_nonzero(found[5]) == 2
    assert found[1].max() == 0

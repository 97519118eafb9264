"""`Neighbours`: probabilities, bonds and files, against counts in dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.modelfile import pack_array
from treewright.pruning.acceptance import Neighbours
from treewright.pruning.acceptance.neighbours import DISCOUNT, Table

from ...profiles import examples
from .test_kernels import log_p
from .toys import KNOWN_TAGS, KNOWN_WORDS, Tagged, random_sentences, toy_neighbours

FOLDER = "folder"
SMALL = ("DT", "NN")
few = examples(15)


def probabilities(table: Table) -> np.ndarray:
    """Return P(c | a, b) for all classes."""
    size = len(table.pair)
    return np.array(
        [
            [[np.exp(log_p(table, a, b, c)) for c in range(size)] for b in range(size)]
            for a in range(size)
        ]
    )


def naive(lines: Sequence[Sequence[int]], size: int, least: int) -> np.ndarray:
    """Return P(c | a, b) by the formulas, from lines of classes."""
    triples = Counter(
        triple
        for line in lines
        for triple in zip([0, 0, *line], [0, *line], [*line, 0], strict=False)
    )
    contexts = Counter((b, c) for _, b, c in triples)
    ends = Counter(c for _, c in contexts)
    total_ends = sum(ends.values()) + 0.5 * size
    found = np.zeros((size, size, size))
    for b in range(size):
        total = sum(n for (first, _), n in contexts.items() if first == b)
        kinds = sum(first == b for first, _ in contexts)
        pair = [(ends[c] + 0.5) / total_ends for c in range(size)]
        if total:
            pair = [
                (max(contexts[b, c] - DISCOUNT, 0.0) + DISCOUNT * kinds * pair[c]) / total
                for c in range(size)
            ]
        for a in range(size):
            seen = sum(triples[a, b, c] for c in range(size))
            share = [
                (triples[a, b, c] - DISCOUNT) / seen if triples[a, b, c] >= least else 0.0
                for c in range(size)
            ]
            found[a, b] = np.array(share) + (1.0 - sum(share)) * np.array(pair)
    return found


@few
@given(seed=st.integers(0, 10**6), number=st.integers(1, 60), least=st.integers(1, 3))
def test_probabilities_are_those_of_the_formulas(seed: int, number: int, least: int) -> None:
    sentences = random_sentences(seed, number)
    words = KNOWN_WORDS[:2]
    learned = Neighbours.count(sentences, words, SMALL, least=least)
    lines = [learned.classes(*sentence)[2:-2].tolist() for sentence in sentences]
    found = probabilities(learned.table)
    assert found == pytest.approx(naive(lines, 5, least), rel=1e-4)
    assert found.sum(axis=2) == pytest.approx(np.ones((5, 5)), abs=1e-4)


def test_probabilities_sum_to_one_in_every_context() -> None:
    found = probabilities(toy_neighbours().table)
    assert found.sum(axis=2) == pytest.approx(np.ones(found.shape[:2]), abs=1e-4)


def test_classes_are_frequent_words_then_tags_then_nouns() -> None:
    table = toy_neighbours().table
    neighbours = Neighbours(("the", "of"), ("DT", "NN", "RB"), table)
    found = neighbours.classes(["The", "dog", "now", "OF", "x"], ["NN", "NN", "RB", "IN", "FW"])
    assert found.tolist() == [0, 0, 4, 2, 3, 5, 2, 0, 0]


def test_frequent_words_are_learned_without_marks() -> None:
    sentences: list[Tagged] = [(["The", "dog", ",", "the", "<unk>"], ["DT", "NN", ",", "DT", "NN"])]
    learned = Neighbours.learn([*sentences * 3, (["Cat"], ["FW"])], num_words=2)
    assert learned.words == ("the", "dog")
    assert learned.tags == (",", "DT", "FW", "NN")


def bound(*pairs: tuple[str, str, str, int]) -> list[Tagged]:
    """Return sentences of two words, so many each: a word, its tag, and the next word."""
    return [
        ([word, next_], [tag, "IN" if next_ != "it" else "PRP"])
        for word, tag, next_, number in pairs
        for _ in range(number)
    ]


def test_bonds_are_shares_of_a_words_occurrences() -> None:
    learned = Neighbours.learn(
        bound(
            ("Belong", "VBP", "to", 15),
            ("belong", "VBP", "it", 5),
            ("see", "VB", "to", 3),
            ("see", "VB", "it", 17),
            ("rare", "JJ", "of", 19),
            ("often", "RB", "in", 30),
        )
    )
    assert learned.bonds == {("belong", "to"): 0.75}


def test_files_hold_half_precision() -> None:
    before = Neighbours(
        KNOWN_WORDS, KNOWN_TAGS, toy_neighbours().table, {("belong", "to"): 0.75, ("a", "b"): 0.2}
    )
    after = Neighbours.restore(before.as_dict(), dict(before.parts(FOLDER)), FOLDER)
    assert (after.words, after.tags, after.bonds) == (before.words, before.tags, before.bonds)
    assert (after.table.row == before.table.row).all()
    assert (after.table.classes == before.table.classes).all()
    assert probabilities(after.table) == pytest.approx(probabilities(before.table), rel=0.02)
    assert after.parts(FOLDER) == before.parts(FOLDER)


def packed(values: Sequence[float], kind: str) -> bytes:
    return pack_array(np.array(values, dtype=kind))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("pair", pack_array(np.zeros((2, 2), np.float16))),
        ("pair", b"nonsense"),
        ("lengths", packed([1], "u2")),
        ("lengths", packed([], "u2")),
        ("contexts", packed([10**6], "u4")),
        ("classes", packed([0], "u2")),
        ("classes", b""),
        ("values", packed([0.0], "f2")),
        ("rest", packed([], "f2")),
    ],
)
def test_damaged_parts_are_refused(name: str, part: bytes) -> None:
    neighbours = toy_neighbours()
    parts = {**neighbours.parts(FOLDER), f"{FOLDER}/{name}.npy": part}
    with pytest.raises((ValueError, IndexError, EOFError)):
        Neighbours.restore(neighbours.as_dict(), parts, FOLDER)


@pytest.mark.parametrize("number", [-1, 14, 60_000])
def test_classes_beyond_the_table_are_refused(number: int) -> None:
    neighbours = toy_neighbours()
    classes = neighbours.table.classes.copy()
    classes[3] = number
    parts = {**neighbours.parts(FOLDER), f"{FOLDER}/classes.npy": pack_array(classes)}
    with pytest.raises(ValueError, match="does not fit"):
        Neighbours.restore(neighbours.as_dict(), parts, FOLDER)


def test_more_words_than_the_table_are_refused() -> None:
    neighbours = toy_neighbours()
    values = {**neighbours.as_dict(), "words": [*KNOWN_WORDS, "more"]}
    with pytest.raises(ValueError, match="does not fit"):
        Neighbours.restore(values, dict(neighbours.parts(FOLDER)), FOLDER)

"""Tables: spans found in sentences, what is stored and read back, and damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.translation.phrases import plain
from tests.translation.phrases.test_building import HOUSE, build
from treewright.errors import ModelFileError
from treewright.modelfile import pack_array, unpack_array, write_model
from treewright.translation import PhraseTable

NAMES = [
    "keys",
    "children",
    "option_start",
    "target_start",
    "target_words",
    "features",
    "reordering",
    "link_start",
    "links",
    "counts",
]


@given(plain.corpora(), st.lists(st.sampled_from("abcd"), max_size=9), st.integers(1, 7))
def test_spans_are_those_whose_words_are_a_phrase(
    pairs: list[plain.Aligned], sentence: list[str], longest: int
) -> None:
    table = build(pairs, max_length=longest)
    phrases = {option.source for option in table}
    expected = [
        (i, j)
        for i in range(len(sentence))
        for j in range(i + 1, len(sentence) + 1)
        if tuple(sentence[i:j]) in phrases
    ]
    spans = table.spans(table.source.numbers(sentence))
    assert list(zip(spans.start.tolist(), spans.end.tolist(), strict=True)) == expected
    words = dict(table.phrases())
    for i, j, node in zip(*(column.tolist() for column in spans), strict=True):
        assert words[node] == tuple(sentence[i:j])
        assert node == table.trie.find(table.source.numbers(sentence[i:j]))


def test_spans_of_a_large_table_survive_collisions() -> None:
    words = [f"w{k}" for k in range(500)]
    text = " ".join(words)
    links = " ".join(f"{k}-{k}" for k in range(500))
    table = build([plain.aligned(f"{text} ||| {text} ||| {links}")])
    spans = table.spans(table.source.numbers(words))
    assert spans.start.size == sum(min(7, 500 - k) for k in range(500))
    assert table.trie.num_nodes == 1 + spans.start.size
    assert table.trie.depths().max() == 7


def test_a_table_is_read_back_as_it_was(tmp_path: Path) -> None:
    table = build(HOUSE, max_length=5)
    table.save(tmp_path / "phrases.model")
    again = PhraseTable.load(tmp_path / "phrases.model")
    assert again.parts() == table.parts()
    assert list(again) == list(table)
    assert again.metadata == table.metadata
    assert again.metadata["phrases"]["max_length"] == 5
    assert again.feature_names == ("p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)")


def test_an_unknown_phrase_has_no_options() -> None:
    table = build(HOUSE)
    assert table.options("") == []
    assert table.options("garten") == []
    assert table.options("haus das") == []


def damaged(change: Callable[[dict[str, np.ndarray]], None]) -> dict[str, bytes]:
    parts = build(HOUSE).parts()
    arrays = {name: unpack_array(parts[f"phrases/{name}.npy"]) for name in NAMES}
    change(arrays)
    return parts | {f"phrases/{name}.npy": pack_array(array) for name, array in arrays.items()}


def put(name: str, index: object, value: float) -> Callable[[dict[str, np.ndarray]], None]:
    def change(arrays: dict[str, np.ndarray]) -> None:
        arrays[name][index] = value  # type: ignore[index]

    return change


def shorten(name: str) -> Callable[[dict[str, np.ndarray]], None]:
    def change(arrays: dict[str, np.ndarray]) -> None:
        arrays[name] = arrays[name][:-1]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("target_words", 0, 10**6), "a target word has no name"),
        (put("target_words", 0, -1), "a target word has no name"),
        (put("target_start", 1, 10**6), "target phrases are not where"),
        (put("target_start", 1, 0), "a target phrase has no words"),
        (put("option_start", -1, 3), "options are not where"),
        (put("option_start", 1, 1), "the empty phrase has options"),
        (put("link_start", 1, 10**6), "links are not where"),
        (put("links", (0, 0), 6), "a link leads outside its phrases"),
        (put("features", (0, 0), np.nan), "a score is not a number"),
        (put("keys", slice(None), 5), "the trie is full"),
        (put("children", slice(None), 1), "a node of the trie is missing"),
        (shorten("features"), "features are missing"),
        (shorten("reordering"), "orientations are missing"),
        (shorten("counts"), "counts are missing"),
        (shorten("keys"), "keys without children"),
        (shorten("option_start"), "options are not where"),
    ],
)
def test_damage_is_noticed(
    change: Callable[[dict[str, np.ndarray]], None], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "phrases.model"
    write_model(path, kind="phrases", parts=damaged(change), metadata={})
    with pytest.raises(ModelFileError, match=f"phrases.model: damaged: .*{message}"):
        PhraseTable.load(path)


def test_missing_parts_and_circles_are_noticed() -> None:
    parts = build(HOUSE).parts()
    for name in parts:
        with pytest.raises(ValueError, match=f"{name} is missing"):
            PhraseTable.from_parts({other: parts[other] for other in parts if other != name})

    def circle(arrays: dict[str, np.ndarray]) -> None:
        taken = np.flatnonzero(arrays["keys"] >= 0)
        arrays["keys"][taken[0]] = arrays["children"][taken[0]] * 7

    with pytest.raises(ValueError, match="runs in a circle"):
        PhraseTable.from_parts(damaged(circle))
    with pytest.raises(ValueError, match="type float64, not float32"):
        PhraseTable.from_parts(parts | {"phrases/counts.npy": pack_array(np.zeros((3, 3)))})
    for bad, message in [(b"[]", "not an object"), (b"{}", "no names"), (b"{", "Expecting")]:
        with pytest.raises(ValueError, match=message):
            PhraseTable.from_parts(parts | {"phrases/table.json": bad})
    with pytest.raises(ValueError, match="a word twice"):
        PhraseTable.from_parts(parts | {"phrases/source.txt": b"das\ndas"})

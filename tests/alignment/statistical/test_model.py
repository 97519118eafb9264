"""A saved model knows what its text taught, and a damaged one is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from treewright.alignment import AlignmentModel, AlignmentSettings, Text, learn, model_of
from treewright.errors import ModelFileError

from .toys import toy_pairs


@pytest.fixture(scope="module")
def model() -> AlignmentModel:
    text = Text.of(zip(*toy_pairs(60), strict=True), lowercase=True)
    return model_of(learn(text, AlignmentSettings()), text, lowercase=True)


def test_counts_are_those_of_the_text(model: AlignmentModel) -> None:
    sources, targets = toy_pairs(60)
    counted = model.counted
    for side, words in enumerate((targets, sources)):
        chosen = counted.links[:, side].sum() / 1000 + counted.null[side, -1]
        assert chosen == pytest.approx(sum(map(len, words)), rel=1e-3)
        tokens = counted.fertility[side].sum()
        assert tokens == pytest.approx(sum(map(len, (sources, targets)[side])), rel=1e-4)


def test_saved_and_read_back_it_is_the_same(model: AlignmentModel, tmp_path: Path) -> None:
    path = tmp_path / "m"
    model.save(path, seed=0)
    again = AlignmentModel.load(path)
    assert again.words == model.words
    for field in dataclasses.fields(model.counted):
        np.testing.assert_array_equal(
            getattr(again.counted, field.name), getattr(model.counted, field.name)
        )


def test_new_words_are_aligned_by_what_is_left_for_them(model: AlignmentModel) -> None:
    pairs = [(["haus", "qwer", "alt"], ["old", "house", "tyui"])]
    (links,) = model.align(pairs, symmetrize="posterior", threshold=0.45)
    assert list(links) == [((0, 1), (1, 2), (2, 0))]


def test_a_word_that_is_there_twice_is_refused(model: AlignmentModel, tmp_path: Path) -> None:
    source, target = model.words
    AlignmentModel(((source[1], *source[1:]), target), model.counted).save(tmp_path / "m")
    with pytest.raises(ModelFileError, match=r"m: its parts .*: source\.txt has a word twice"):
        AlignmentModel.load(tmp_path / "m")


@pytest.mark.parametrize(
    "change",
    [
        {"pairs": np.full((1, 2), 99, np.int32), "links": np.ones((1, 2), np.int32)},
        {"links": np.ones((1, 2), np.int32)},
        {"null": np.zeros((2, 3), np.float32)},
        {"jump": np.full((2, 2, 1024), np.nan, np.float32)},
        {"fertility": np.zeros((2, 12, 8), np.float64)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_arrays_that_do_not_fit_are_refused(
    model: AlignmentModel, tmp_path: Path, change: dict[str, np.ndarray]
) -> None:
    broken = AlignmentModel(model.words, dataclasses.replace(model.counted, **change))
    broken.save(tmp_path / "m")
    with pytest.raises(ModelFileError, match="its parts cannot be read"):
        AlignmentModel.load(tmp_path / "m")

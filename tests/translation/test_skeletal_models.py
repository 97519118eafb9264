"""Phrase models that score skeletons: files, translators, several skeletons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.translation.toy import toy_model
from treewright.errors import UsageError
from treewright.lm import train_lm
from treewright.translation import (
    VARIANTS,
    Input,
    PhraseModel,
    SkeletalModel,
    SkeletonFinder,
    Translator,
)

SENTENCE = ["he", "has", "seen", "the", "small", "house"]
KEPT = np.array([True, True, True, False, False, True])


@pytest.fixture(scope="module")
def model() -> PhraseModel:
    text = ["er hat X haus gesehen", "sie sieht X garten", "X haus ist X", "er X haus"]
    lm = train_lm([line.split() for line in text], order=3)
    made = replace(
        toy_model(),
        skeletal=SkeletalModel(VARIANTS["full"], lm, "X"),
        finder=SkeletonFinder(rate=0.5),
    )
    return replace(made, weights=made.features.start())


def test_a_model_file_keeps_all_of_it(model: PhraseModel, tmp_path: Path) -> None:
    model.save(tmp_path / "m")
    loaded = PhraseModel.load(tmp_path / "m")
    assert loaded.finder == model.finder
    assert loaded.features == model.features
    first, again = (
        Translator(each)(SENTENCE, nbest=5, skeletons=[KEPT]) for each in (model, loaded)
    )
    assert first == again


def test_a_model_without_its_language_model_has_no_such_part(
    model: PhraseModel, tmp_path: Path
) -> None:
    use = VARIANTS["no-lm"]
    plain = replace(model, skeletal=SkeletalModel(use, None, "X"), finder=None)
    plain = replace(plain, weights=plain.features.start())
    plain.save(tmp_path / "m")
    loaded = PhraseModel.load(tmp_path / "m")
    assert loaded.skeletal is not None
    assert loaded.skeletal.use == use
    assert "skeleton lm" not in loaded.features.names
    with pytest.raises(UsageError, match="give those of the sentences"):
        Translator(loaded)(SENTENCE)


def test_a_translation_says_its_skeleton_and_what_it_added(model: PhraseModel) -> None:
    translator = Translator(model)
    [best] = translator.translate(Input(tuple(SENTENCE), skeletons=(KEPT,)), 1)
    assert best.skeleton == (0, 1, 2, 5)
    assert best.features["skeleton lm"] < 0
    total = sum(
        value * weight for value, weight in zip(best.features.values(), model.weights, strict=True)
    )
    assert best.score == pytest.approx(total)


def test_of_several_skeletons_the_one_with_the_best_translation_is_taken(
    model: PhraseModel,
) -> None:
    translator = Translator(model)
    several = [KEPT, np.ones(6, np.bool_), np.zeros(6, np.bool_)]
    alone = [translator(SENTENCE, skeletons=[kept])[0] for kept in several]
    [best] = translator(SENTENCE, skeletons=several)
    assert best == max(alone, key=lambda each: each.score)
    listed = translator(SENTENCE, nbest=10, skeletons=several)
    assert len({each.words for each in listed}) == len(listed)
    assert [each.score for each in listed] == sorted((each.score for each in listed), reverse=True)


def test_a_model_without_skeletons_takes_none() -> None:
    with pytest.raises(UsageError, match="leave them out"):
        Translator(toy_model())(SENTENCE, skeletons=[KEPT])

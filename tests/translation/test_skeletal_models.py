"""Phrase models that score skeletons: files, translators, several skeletons."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.translation.toy import toy_model
from treewright.errors import ModelFileError, UsageError
from treewright.lm import train_lm
from treewright.modelfile import read_model, write_model
from treewright.translation import (
    VARIANTS,
    Input,
    PhraseModel,
    SkeletalModel,
    SkeletonFinder,
    Translation,
    Translator,
)
from treewright.translation.training.text import given_skeletons

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


def of_the_whole(model: PhraseModel, translation: Translation) -> float:
    """Score a translation without its skeleton."""
    pairs = zip(translation.features.items(), model.weights, strict=True)
    return sum(value * weight for (name, value), weight in pairs if "skeleton" not in name)


def test_of_several_skeletons_the_one_with_the_best_translation_is_taken(
    model: PhraseModel,
) -> None:
    translator = Translator(model)
    several = [KEPT, np.ones(6, np.bool_), np.zeros(6, np.bool_)]
    alone = [translator(SENTENCE, skeletons=[kept])[0] for kept in several]
    [best] = translator(SENTENCE, skeletons=several)
    assert best == max(alone, key=lambda each: of_the_whole(model, each))
    listed = translator(SENTENCE, nbest=10, skeletons=several)
    assert len({each.words for each in listed}) == len(listed)
    ranks = [of_the_whole(model, each) for each in listed]
    assert ranks == sorted(ranks, reverse=True)


def test_a_model_without_skeletons_takes_none() -> None:
    with pytest.raises(UsageError, match="leave them out"):
        Translator(toy_model())(SENTENCE, skeletons=[KEPT])


@pytest.mark.parametrize(
    ("finder", "message"),
    [
        ({"model": "news", "rate": None, "parser": "embedded"}, "rate"),
        ({"model": "news", "rate": 7, "parser": "embedded"}, "rate must be above 0"),
        ({"model": "news", "rate": 0.5, "parser": "corenlp=example.org"}, "corenlp=example.org"),
        ({"model": 3, "rate": 0.5, "parser": "embedded"}, "model"),
    ],
)
def test_a_model_file_with_a_strange_finder_is_refused(
    model: PhraseModel, tmp_path: Path, finder: dict[str, object], message: str
) -> None:
    model.save(tmp_path / "m")
    parts, metadata = read_model(tmp_path / "m", kind="phrase")
    about = json.loads(bytes(parts["model.json"]))
    about["skeleton"]["finder"] = finder
    changed = {**parts, "model.json": json.dumps(about).encode()}
    write_model(tmp_path / "strange", kind="phrase", parts=changed, metadata=metadata)
    with pytest.raises(ModelFileError, match=message):
        PhraseModel.load(tmp_path / "strange")


def test_skeletons_of_lines_that_cannot_be_read_do_not_count(tmp_path: Path) -> None:
    text, skeletons = tmp_path / "text", tmp_path / "skeletons"
    text.write_bytes(b"a b c\n\xff b\nd e\n")
    skeletons.write_text("0 2\n0 1\n1\n")
    found = given_skeletons(str(skeletons), str(text), [["a", "b", "c"], ["d", "e"]], [0, 2])
    assert [each.tolist() for each in found] == [[True, False, True], [False, True]]

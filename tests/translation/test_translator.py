"""Sentences in, translations out: order, constraints, unknown words, files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.translation.toy import toy_model
from treewright.errors import DataError, ModelFileError, ParseError, Problems, UsageError
from treewright.modelfile import read_model, write_model
from treewright.translation import (
    Fixed,
    Input,
    PhraseModel,
    Search,
    Translation,
    Translator,
    by_risk,
    parse_marked,
)


@pytest.fixture(scope="module")
def model() -> PhraseModel:
    return toy_model()


@pytest.fixture(scope="module")
def translator(model: PhraseModel) -> Translator:
    return Translator(model)


def best(translator: Translator, sentence: str, **how: object) -> str:
    return " ".join(translator(sentence.split(), **how)[0].words)


def test_unseen_combinations_are_translated(translator: Translator) -> None:
    assert best(translator, "the garden is small") == "der garten ist klein"
    assert best(translator, "He has seen the house") == "er hat das haus gesehen"


def test_steps_cover_the_source_once_and_spell_the_translation(translator: Translator) -> None:
    sentence = ["she", "has", "seen", "the", "small", "garden"]
    for translation in translator(sentence, nbest=20):
        covered = sorted(i for step in translation.steps for i in range(step.start, step.end))
        assert covered == list(range(len(sentence)))
        assert translation.words == tuple(w for step in translation.steps for w in step.words)
        named = translator.model.features.named(translator.model.weights)
        total = sum(named[name] * value for name, value in translation.features.items())
        assert translation.score == pytest.approx(total)


def test_n_best_translations_differ_and_fall(translator: Translator) -> None:
    found = translator(["the", "house", "is", "big"], nbest=10)
    assert len({item.words for item in found}) == len(found) == 10
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)


def test_an_unknown_word_is_copied_or_dropped(model: PhraseModel, translator: Translator) -> None:
    assert "zeppelin" in best(translator, "the zeppelin is big")
    dropping = Translator(model, Search(unknown="drop"))
    assert best(dropping, "the zeppelin") == "das"
    [step] = translator(["zeppelin"])[0].steps
    assert step.origin == "copied"


def test_a_given_translation_is_used_as_it_is(translator: Translator) -> None:
    fixed = (Fixed(1, 2, ("Hütte", "am", "See")),)
    assert best(translator, "the house is big", fixed=fixed).endswith("Hütte am See ist groß")
    with pytest.raises(UsageError, match="overlap"):
        translator(["the", "house"], fixed=(Fixed(0, 2, ("x",)), Fixed(1, 2, ("y",))))
    with pytest.raises(UsageError, match="has 2 words"):
        translator(["the", "house"], fixed=(Fixed(1, 3, ("x",)),))


def test_marks_name_spans_and_their_translations() -> None:
    words, fixed = parse_marked('the <np translation="Haus &amp; Hof">old house</np> is &lt;')
    assert words == ["the", "old", "house", "is", "<"]
    assert fixed == (Fixed(1, 3, ("Haus", "&", "Hof")),)
    assert parse_marked("no marks 3 < 4") == (["no", "marks", "3", "<", "4"], ())


@pytest.mark.parametrize(
    "line",
    [
        '<a translation="x">b',
        "b</a>",
        '<a translation="x"></a>',
        '<a translation="x">b</c>',
        "<a>b</a>",
        '<a translation="x"><b translation="y">c</b></a>',
    ],
)
def test_marks_that_do_not_match_are_an_error(line: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_marked(line, where="f:3")
    assert caught.value.where == "f:3"


def test_a_stream_keeps_its_order_and_survives_bad_lines(translator: Translator) -> None:
    lines = ["the house is big", "", "x " * 501, "she sees the house"] * 3
    inputs = [Input(tuple(line.split()), where=f"f:{n}") for n, line in enumerate(lines, 1)]
    single, double = [], []
    for jobs, out in ((1, single), (2, double)):
        problems = Problems()
        for _, found in translator.stream(inputs, jobs=jobs, problems=problems):
            out.append(" ".join(found[0].words) if found else "")
        assert [error.where for error in problems.errors] == ["f:3", "f:7", "f:11"]
    assert single == double
    assert single[:4] == ["das haus ist groß", "", "", "sie sieht das haus"]
    with pytest.raises(DataError, match="501 words"):
        list(translator.stream(inputs))


def test_a_model_file_gives_the_same_translations(model: PhraseModel, tmp_path: Path) -> None:
    path = tmp_path / "toy.model"
    model.save(path)
    loaded = PhraseModel.load(path)
    assert np.array_equal(loaded.weights, model.weights)
    sentence = ["he", "has", "seen", "the", "small", "garden"]
    assert Translator(loaded)(sentence, nbest=5) == Translator(model)(sentence, nbest=5)


def test_a_damaged_model_file_is_an_error(model: PhraseModel, tmp_path: Path) -> None:
    path = tmp_path / "toy.model"
    model.save(path)
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(ModelFileError):
        PhraseModel.load(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"weights": {"lm": float("nan")}},
        {"weights": {"lm": float("inf")}},
        {"search": {"stack": 1.5}},
        {"search": {"stack": None}},
        {"search": {"width": 3}},
    ],
)
def test_a_model_file_with_impossible_values_is_an_error(
    model: PhraseModel, tmp_path: Path, changed: dict[str, dict[str, object]]
) -> None:
    path = tmp_path / "toy.model"
    model.save(path)
    parts, metadata = read_model(path, kind="phrase")
    about = json.loads(parts["model.json"])
    for name, values in changed.items():
        about[name] |= values
    parts["model.json"] = json.dumps(about).encode()
    write_model(path, kind="phrase", parts=parts, metadata=metadata)
    with pytest.raises(ModelFileError):
        PhraseModel.load(path)


def test_a_model_file_with_unknown_languages_is_an_error(
    model: PhraseModel, tmp_path: Path
) -> None:
    path = tmp_path / "toy.model"
    for languages in (7, ["en"], ["en", "xx"]):
        replace(model, metadata={"languages": languages}).save(path)
        with pytest.raises(ModelFileError):
            PhraseModel.load(path)


def test_the_least_risky_translation_is_like_the_others() -> None:
    items = [
        Translation(tuple(words.split()), score, {}, ())
        for words, score in [("x y z w", -1.0), ("a b c d", -1.1), ("a b c e", -1.2)]
    ]
    assert by_risk(items)[0].words == ("a", "b", "c", "d")
    assert by_risk(items[:1]) == items[:1]


@pytest.mark.parametrize(
    "settings", [{"stack": -1}, {"per_span": 0}, {"unknown": "x"}, {"threshold": float("nan")}]
)
def test_settings_out_of_range_are_an_error(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Search(**settings)

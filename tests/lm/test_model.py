from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.lm.test_estimation import TEXT
from treewright.errors import ModelFileError
from treewright.lm import LanguageModel, open_lm, train_lm
from treewright.modelfile import pack_array, write_model


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return train_lm(TEXT, 3)


def test_a_saved_model_comes_back(tmp_path: Path, model: LanguageModel) -> None:
    model.save(tmp_path / "m.lm")
    again = LanguageModel.load(tmp_path / "m.lm")
    assert (again.order, again.metadata, again.start) == (3, model.metadata, model.start)
    assert again.vocabulary.words == model.vocabulary.words
    assert np.array_equal(again.arrays, model.arrays)
    again.save(tmp_path / "n.lm")
    assert (tmp_path / "m.lm").read_bytes() == (tmp_path / "n.lm").read_bytes()


def test_a_large_model_is_mapped_and_scores_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    text = [[f"w{n}" for n in rng.integers(300, size=12)] for _ in range(1500)]
    model = train_lm(text, 4)
    model.save(tmp_path / "m.lm")
    again = LanguageModel.load(tmp_path / "m.lm")
    assert again.arrays.base is not None
    assert np.array_equal(again.score(text[0]), model.score(text[0]))


def test_a_model_is_recognised_by_its_contents(tmp_path: Path, model: LanguageModel) -> None:
    model.save(tmp_path / "m")
    model.write_arpa(tmp_path / "a")
    for name in ("m", "a"):
        assert open_lm(tmp_path / name).score(["the"]) == pytest.approx(model.score(["the"]))


@pytest.mark.parametrize(
    ("field", "node", "value"),
    [
        ("first", 4, 10**6),
        ("first", 4, 0),
        ("word", 30, -1),
        ("word", 3, 0),
        ("suffix", 30, 30),
        ("state", 30, 10**6),
    ],
)
def test_nodes_that_would_lead_astray_are_rejected(
    tmp_path: Path, model: LanguageModel, field: str, node: int, value: float
) -> None:
    nodes = model.arrays.copy()
    nodes[field][node] = value
    parts = {**model.parts(), "nodes.npy": pack_array(nodes)}
    write_model(tmp_path / "m.lm", kind="lm", parts=parts, metadata={})
    with pytest.raises(ModelFileError, match=r"m\.lm: .* do not fit together.*; train it again"):
        LanguageModel.load(tmp_path / "m.lm")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        *[("log_prob", value, "not greater than 0") for value in (np.nan, 5, np.inf)],
        *[("back_off", value, "a finite number") for value in (np.nan, np.inf, -np.inf)],
    ],
)
def test_numbers_that_the_reader_of_arpa_files_rejects_are_rejected(
    model: LanguageModel, field: str, value: float, message: str
) -> None:
    nodes = model.arrays.copy()
    nodes[field][30] = value
    with pytest.raises(ModelFileError, match=f"x: .*{message}.*; train it again"):
        LanguageModel.from_parts({**model.parts(), "nodes.npy": pack_array(nodes)}, where="x")


@pytest.mark.parametrize(
    "about",
    [
        *[f'{{"order": {order}, "metadata": {{}}}}' for order in ("Infinity", "2", "7", "3.0")],
        "[" * 200_000,
        "[]",
    ],
    ids=lambda about: about[:20],
)
def test_a_description_that_makes_no_sense_is_rejected(model: LanguageModel, about: str) -> None:
    with pytest.raises(ModelFileError, match=r"x: .* cannot be read \(.*\); train it again"):
        LanguageModel.from_parts({**model.parts(), "lm.json": about.encode()}, where="x")


def test_a_model_with_another_vocabulary_is_rejected(model: LanguageModel) -> None:
    parts = model.parts()
    words = parts["words.txt"].replace(b"<s>", b"cat")
    with pytest.raises(ModelFileError, match="cannot be read"):
        LanguageModel.from_parts({**parts, "words.txt": words}, where="x")
    with pytest.raises(ModelFileError, match="cannot be read"):
        LanguageModel.from_parts({**parts, "words.txt": parts["words.txt"] + b"\nmore"})

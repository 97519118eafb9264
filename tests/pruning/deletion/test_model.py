from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright.errors import ModelFileError
from treewright.modelfile import read_model, write_model
from treewright.pruning.deletion import DeletionModel, templates
from treewright.pruning.deletion.model import KIND

from .toys import DOG, toy_model


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    model = toy_model(1)
    model.save(tmp_path / "m")
    loaded = DeletionModel.load(tmp_path / "m")
    assert (loaded.bits, len(loaded), loaded.metadata) == (model.bits, len(model), model.metadata)
    assert (loaded.weights == model.weights).all()
    assert (loaded.forest(DOG).weights == model.forest(DOG).weights).all()
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def test_only_weights_that_are_not_0_are_kept() -> None:
    weights = np.zeros(1 << 10)
    weights[[3, 700]] = 0.25, -1.5
    model = DeletionModel.of(weights, {})
    assert (model.bits, model.slots.tolist(), model.values.tolist()) == (10, [3, 700], [0.25, -1.5])
    assert (model.weights == weights).all()


def array(values: Any, dtype: str) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.array(values, dtype=dtype))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("form.json", b"{", "cannot be read"),
        ("form.json", b'{"bits": 99, "features": ""}', "bits 99; 1 to 26 expected"),
        ("form.json", b'{"bits": true, "features": ""}', "bits True"),
        ("form.json", b"[]", "cannot be read"),
        ("slots.npy", b"", "cannot be read"),
        ("slots.npy", b"nonsense", "cannot be read"),
        ("slots.npy", array([1, 2], "<i8"), "hold int64 and float32"),
        ("slots.npy", array([1, 2], "<i4"), "slots of shape"),
        ("values.npy", array([[1.0]], "<f4"), "slots of shape"),
    ],
)
def test_damaged_parts_are_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    toy_model(1).save(tmp_path / "m")
    parts, metadata = read_model(tmp_path / "m", kind=KIND)
    write_model(tmp_path / "m", kind=KIND, parts={**parts, name: content}, metadata=metadata)
    with pytest.raises(ModelFileError, match=message):
        DeletionModel.load(tmp_path / "m")


@pytest.mark.parametrize(
    ("slots", "values", "message"),
    [
        ([5, 3], [1.0, 1.0], "must ascend"),
        ([3, 3], [1.0, 1.0], "must ascend"),
        ([-1, 3], [1.0, 1.0], "must ascend"),
        ([3, 1 << 12], [1.0, 1.0], "must ascend from 0 to below 4096"),
        ([3, 5], [1.0, np.nan], "not a number"),
        ([3, 5], [1.0, np.inf], "not a number"),
    ],
)
def test_slots_that_would_mislead_kernels_are_refused(
    slots: list[int], values: list[float], message: str, tmp_path: Path
) -> None:
    model = DeletionModel(12, np.array(slots, np.int32), np.array(values, np.float32))
    model.save(tmp_path / "m")
    with pytest.raises(ModelFileError, match=message):
        DeletionModel.load(tmp_path / "m")


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    toy_model(1).save(tmp_path / "m")
    parts, metadata = read_model(tmp_path / "m", kind=KIND)
    buffer = io.BytesIO()
    np.save(buffer, np.array([{}], dtype=object), allow_pickle=True)
    write_model(
        tmp_path / "m",
        kind=KIND,
        parts={**parts, "slots.npy": buffer.getvalue()},
        metadata=metadata,
    )
    with pytest.raises(ModelFileError, match="Object arrays cannot be loaded"):
        DeletionModel.load(tmp_path / "m")


def test_weights_of_other_features_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy_model(1).save(tmp_path / "m")
    monkeypatch.setattr(templates, "TORN", ())
    with pytest.raises(ModelFileError, match="features that this version does not have"):
        DeletionModel.load(tmp_path / "m")

"""The parser's file: 8 bits a weight, the same bytes each time, refused where it does not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from treewright.errors import ModelFileError
from treewright.modelfile import pack_array, read_model, write_model
from treewright.parsing.embedded.arrays import Coded
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.parser import EmbeddedParser
from treewright.parsing.embedded.weights import KIND, Weights, shapes

from .toys import SENTENCES, inventory, random_weights


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a parser's file."""
    found = tmp_path / "p.tw"
    random_weights(style="news", trace=[{"epoch": 1}]).write(found)
    return found


def test_a_file_gives_the_weights_back_to_half_a_step(path: Path) -> None:
    weights, again = random_weights(), Weights.read(path)
    assert again.inventory == weights.inventory
    assert again.metadata == {"style": "news", "trace": [{"epoch": 1}]}
    assert set(again.arrays) == set(weights.arrays)
    for name, array in weights.arrays.items():
        found = again.arrays[name]
        assert (found.shape, found.dtype) == (array.shape, np.float32)
        if array.ndim == 1:
            assert (found == array).all()
            continue
        step = np.abs(array).max(axis=1, keepdims=True) / 127
        assert (np.abs(found - array) <= 0.5001 * step).all()


def test_the_same_weights_give_the_same_bytes(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tw"
    random_weights(style="news", trace=[{"epoch": 1}]).write(other)
    assert other.read_bytes() == path.read_bytes()
    random_weights(1).write(other)
    assert other.read_bytes() != path.read_bytes()


def test_rounding_twice_is_rounding_once(path: Path, tmp_path: Path) -> None:
    once = Weights.read(path)
    once.write(tmp_path / "twice.tw")
    twice = Weights.read(tmp_path / "twice.tw")
    assert (tmp_path / "twice.tw").read_bytes() == path.read_bytes()
    for name, array in once.arrays.items():
        assert (twice.arrays[name] == array).all()


def test_rows_of_nothing_stay_nothing() -> None:
    zeros = Coded.of(np.zeros((2, 3), np.float32))
    assert (zeros.scales > 0).all()
    assert not zeros.matrix().any()


def test_shapes_follow_the_inventory() -> None:
    wanted = shapes(inventory(), 4, 5, 6)
    assert wanted["words"] == (len(inventory().words), 4)
    assert wanted["label_bias"] == (len(inventory().labels) - 1,)
    assert wanted["upper_backward_input"] == (20, 10)
    assert len(wanted) == 22


@pytest.mark.parametrize("widths", [(2001, 5, 6), (4, 1001, 6), (4, 5, 2001)])
def test_what_is_too_wide_for_exact_products_is_rejected(widths: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="the most for exact products is 2000"):
        shapes(inventory(), *widths)


def refusal(path: Path) -> str:
    with pytest.raises(ModelFileError) as caught:
        Weights.read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_a_damaged_file(path: Path) -> None:
    content = path.read_bytes()
    for damaged in (b"", b"hello", content[: len(content) // 2]):
        path.write_bytes(damaged)
        assert refusal(path).startswith("not a whole model file")
    path.write_bytes(content[:2000] + bytes([content[2000] ^ 255]) + content[2001:])
    assert refusal(path)
    path.unlink()
    assert refusal(path) == "cannot read it: No such file or directory"


def test_a_file_of_another_kind(path: Path) -> None:
    parts, metadata = read_model(path, kind=KIND)
    write_model(path, kind="rules", parts=parts, metadata=metadata)
    assert refusal(path) == "this is a model of rules; a parser is needed"


def without_last_word(parts: dict[str, bytes]) -> None:
    known = inventory()
    parts["inventory.json"] = replace(known, words=known.words[:-1]).to_json()


def without(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda parts: parts.__delitem__(name) or None


def instead(name: str, part: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda parts: parts.update({name: part})


MISFITS: dict[str, Callable[[dict[str, bytes]], None]] = {
    "fewer words": without_last_word,
    "no symbols": without("inventory.json"),
    "no codes": without("words.codes.npy"),
    "no scales": without("words.scales.npy"),
    "no bias": without("tags_bias.npy"),
    "not JSON": instead("inventory.json", b"{"),
    "a list of symbols": instead("inventory.json", b"[1, 2]"),
    "unknown symbols": instead("inventory.json", b'{"colours": []}'),
    "not an array": instead("tags_bias.npy", b"hello"),
    "too long a bias": instead("tags_bias.npy", pack_array(np.zeros(99, np.float32))),
    "fewer scales": instead("words.scales.npy", pack_array(np.zeros(2, np.float32))),
    "a scale for all": instead("words.scales.npy", pack_array(np.float32(1))),
    "codes in a row": instead("words.codes.npy", pack_array(np.zeros(9, np.int8))),
    "a number for a bias": instead("start_bias.npy", pack_array(np.float32(1))),
    "numbers for symbols": instead(
        "inventory.json", b'{"words": [], "tags": [1], "labels": ["", 2], "treebanks": []}'
    ),
    "no number": instead("tags_bias.npy", pack_array(np.full(3, np.nan, np.float32))),
    "a bias of text": instead("label_bias.npy", pack_array(np.array(["a"] * 5))),
}


@pytest.mark.parametrize("name", MISFITS)
def test_parts_that_do_not_fit(name: str, path: Path) -> None:
    parts, metadata = read_model(path, kind=KIND)
    MISFITS[name](parts)
    write_model(path, kind=KIND, parts=parts, metadata=metadata)
    message = refusal(path)
    assert message.startswith("the parts of this parser do not fit together (")
    assert message.endswith("); train it again")


def test_what_does_not_fit_is_named(path: Path) -> None:
    weights = random_weights()
    narrow = {**weights.arrays, "start_weight": weights.arrays["start_weight"][:, :-1]}
    Weights(weights.inventory, narrow).write(path)
    assert "start_weight is (6, 9), expected (6, 10)" in refusal(path)


def test_an_inventory_need_not_have_counts(path: Path) -> None:
    assert Weights.read(path).inventory == Inventory.from_json(inventory().to_json())


@pytest.mark.parametrize("threshold", [1.5, "high", None])
def test_a_threshold_that_is_no_probability_is_refused(tmp_path: Path, threshold: object) -> None:
    random_weights(threshold=threshold).write(tmp_path / "p.tw")
    with pytest.raises(ModelFileError, match="do not fit together"):
        Weights.read(tmp_path / "p.tw")


def test_the_threshold_of_the_file_decides_what_is_kept(tmp_path: Path) -> None:
    counts = []
    for threshold in (0.05, 0.5, 0.95):
        random_weights(scale=0.3, threshold=threshold).write(tmp_path / "p.tw")
        trees = EmbeddedParser.load(tmp_path / "p.tw").parse(SENTENCES)
        counts.append(sum(len(list(tree.nodes())) for tree in trees))
    assert counts[0] > counts[1] >= counts[2]

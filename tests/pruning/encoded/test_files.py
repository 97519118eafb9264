"""Model files whose prices a network sets."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from treewright.errors import ModelFileError
from treewright.modelfile import pack_array, read_model, write_model
from treewright.pruning import Model
from treewright.pruning.encoded.pruning import EncodedPruning

from ...parsing.embedded.toys import TREES, inventory
from .toys import LABELS, model_of, prices_of, random_pruning

Change = Callable[[dict[str, bytes]], object]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "m.tw"
    model_of(random_pruning()).save(found)
    return found


def test_a_model_survives_its_file(path: Path, tmp_path: Path) -> None:
    pruning = Model.load(path).pruning
    assert isinstance(pruning, EncodedPruning) and pruning.open
    assert pruning.network.labels == LABELS
    assert pruning.network.inventory == inventory()
    # What 8 bits hold of a weight they hold again.
    Model.load(path).save(tmp_path / "again.tw")
    again = Model.load(tmp_path / "again.tw").pruning
    assert isinstance(again, EncodedPruning)
    for tree in TREES:
        before, after = prices_of(pruning, tree), prices_of(again, tree)
        assert after.gaps.tolist() == pytest.approx(before.gaps.tolist(), abs=1e-4)
        assert after.drops is not None and before.drops is not None
        assert after.drops.tolist() == pytest.approx(before.drops.tolist(), abs=1e-4)


def test_prices_lose_little_in_a_file(path: Path) -> None:
    loaded, pruning = Model.load(path).pruning, random_pruning()
    assert isinstance(loaded, EncodedPruning)
    for tree in TREES:
        before, after = prices_of(pruning, tree).gaps, prices_of(loaded, tree).gaps
        assert np.abs(after - before).max(initial=0.0) < 0.2


def test_the_same_network_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    model_of(random_pruning()).save(tmp_path / "b.tw")
    assert (tmp_path / "b.tw").read_bytes() == path.read_bytes()
    model_of(random_pruning(1)).save(tmp_path / "b.tw")
    assert (tmp_path / "b.tw").read_bytes() != path.read_bytes()


def test_its_parts(path: Path) -> None:
    parts, _ = read_model(path, kind="network")
    expected = {"kind": "network", "labels": list(LABELS)}
    assert json.loads(parts["pruning.json"]) == expected
    own = {name for name in parts if name.startswith("pruning/")}
    assert {"pruning/inventory.json", "pruning/words.codes.npy", "pruning/gap_bias.npy"} <= own
    others = {name for name in parts if not name.startswith("rules/")} - own
    assert others == {"unseen.json", "pruning.json"}


def without(name: str) -> Change:
    return lambda parts: parts.pop(f"pruning/{name}")


def instead(name: str, part: bytes) -> Change:
    return lambda parts: parts.update({f"pruning/{name}": part})


def labels(*names: object) -> Change:
    part = json.dumps({"kind": "network", "labels": names}).encode()
    return lambda parts: parts.update({"pruning.json": part})


def numbers(*shape: int, value: float = 0.0) -> bytes:
    return pack_array(np.full(shape, value, np.float32))


MISFITS: dict[str, tuple[Change, str]] = {
    "no symbols": (without("inventory.json"), "inventory.json"),
    "symbols that are not JSON": (instead("inventory.json", b"{"), "Expecting"),
    "a list of symbols": (instead("inventory.json", b"[1]"), "."),
    "fewer words": (
        instead("inventory.json", replace(inventory(), words=("<unknown>",)).to_json()),
        "words is",
    ),
    "no treebank": (
        lambda parts: parts.update(
            {
                "pruning/inventory.json": replace(inventory(), treebanks=()).to_json(),
                "pruning/treebanks.codes.npy": pack_array(np.zeros((0, 4), np.int8)),
                "pruning/treebanks.scales.npy": numbers(0),
            }
        ),
        "no treebank",
    ),
    "no codes": (without("gap_left.codes.npy"), "gap_left"),
    "no scales": (without("token.scales.npy"), "token.scales"),
    "no bias": (without("node_bias.npy"), "node_bias"),
    "no output": (without("gap_out.npy"), "gap_out"),
    "no output of regret": (without("regret_out.npy"), "regret_out"),
    "no bias of regret": (without("regret_bias.npy"), "regret_bias"),
    "an empty bias of regret": (instead("regret_bias.npy", numbers(0)), "regret_"),
    "regret of another width": (instead("regret_out.npy", numbers(2)), "regret_out is"),
    "a clash that is not a number": (
        instead("clash_out.npy", numbers(5, value=np.nan)),
        "clash_out has values",
    ),
    "not an array": (instead("node_bias.npy", b"hello"), "magic"),
    "too long a bias": (instead("token_bias.npy", numbers(2)), "token_bias is"),
    "a number for a bias": (instead("gap_bias.npy", numbers()), "."),
    "a number for a matrix": (instead("token.codes.npy", pack_array(np.int8(1))), "."),
    "a number for a scale": (instead("token.scales.npy", numbers()), "."),
    "codes in a row": (instead("words.codes.npy", pack_array(np.zeros(9, np.int8))), "."),
    "no number": (instead("gap_out_bias.npy", numbers(1, value=np.nan)), "not numbers"),
    "text": (instead("gap_out_bias.npy", pack_array(np.array(["a"]))), "could not convert"),
    "fewer labels": (labels(*LABELS[:-1]), "label is"),
    "a label twice": (labels(*LABELS[:-1], LABELS[-2]), "differ"),
    "other labels": (labels(*reversed(LABELS)), "begin with <unknown>"),
    "a list for a label": (labels(*LABELS[:-1], []), "unhashable"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_parts_that_do_not_fit_are_refused(name: str, path: Path) -> None:
    change, message = MISFITS[name]
    parts, metadata = read_model(path, kind="network")
    change(parts)
    write_model(path, kind="network", parts=parts, metadata=metadata)
    with pytest.raises(ModelFileError, match=message) as caught:
        Model.load(path)
    assert "its parts cannot be read" in str(caught.value)
    assert "\n" not in str(caught.value)

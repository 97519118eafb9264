"""`GapPruning`: its prices are sums of weights; its file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import ModelFileError
from treewright.grammar import FlatUnseen, Grammar
from treewright.modelfile import pack_array, read_model, write_model
from treewright.pruning import Model, StepPruning
from treewright.pruning.features import attributes, templates
from treewright.pruning.features.keys import KeyMaker
from treewright.pruning.features.pruning import GapPruning
from treewright.pruning.features.surroundings import Surroundings
from treewright.trees import Tree, TreeTable

from ..grammar.strategies import quick, trees
from .test_attributes import SENTENCE, look_around
from .test_features import naive_key
from .test_gaps import gaps_of


def naive_features(name: str, tree: Surroundings) -> list[int]:
    """The keys of one template at every node, gap or token."""
    for lines, known in (
        (templates.DROP, attributes.NODE),
        (templates.GAP, attributes.GAP),
        (templates.LOST, attributes.TOKEN),
    ):
        if name in lines:
            columns = [[int(v) for v in known[part](tree)] for part in lines[name]]
            if known is attributes.TOKEN:
                columns = [column[1:-1] for column in columns]
            size = (tree.size, len(tree.gaps.parent), len(tree.tag) - 2)[
                [templates.DROP, templates.GAP, templates.LOST].index(lines)
            ]
            return [naive_key(name, [column[i] for column in columns]) for i in range(size)]
    raise AssertionError(name)


def weighted(tree: Tree, seed: int = 0, chosen: Sequence[str] | None = None) -> GapPruning:
    """Random weights for half of the features of a tree, and for some that it has not."""
    rng = np.random.default_rng(seed)
    maker = KeyMaker.of(chosen)
    present = np.unique(np.concatenate([part.ravel() for part in maker(look_around(tree))]))
    others = rng.integers(1, 1 << 64, 9, dtype=np.uint64)
    keys = np.concatenate([present[rng.random(len(present)) < 0.5], others])
    weights = rng.normal(size=len(keys)).astype(np.float32).astype(np.float64)
    return GapPruning(keys, weights, maker.names)


@quick
@given(tree=trees(), chosen=st.sets(st.sampled_from(list(templates.KNOWN)), max_size=5))
def test_prices_are_sums_of_weights(tree: Tree, chosen: set[str]) -> None:
    names = sorted(chosen)
    pruning = weighted(tree, chosen=names)
    by_key = dict(zip(pruning.keys.tolist(), pruning.weights.tolist(), strict=True))
    around = look_around(tree)
    found = pruning.prices(TreeTable(tree), around.gaps)
    sums = {name: [by_key.get(key, 0.0) for key in naive_features(name, around)] for name in names}
    lost = [
        sum(sums[name][token] for name in names if name in templates.LOST)
        for token in range(len(tree.words()))
    ]
    drops = [
        sum(sums[name][x] for name in names if name in templates.DROP)
        + sum(lost[around.first[x] - 1 : around.last[x]])
        for x in range(around.size)
    ]
    between = [
        sum(sums[name][gap] for name in names if name in templates.GAP)
        for gap in range(len(around.gaps.parent))
    ]
    assert found.drops is not None
    assert found.drops.tolist() == pytest.approx(drops, abs=1e-9)
    assert found.gaps.tolist() == pytest.approx(between, abs=1e-9)


def test_some_prices_are_not_zero() -> None:
    prices = weighted(SENTENCE).prices(TreeTable(SENTENCE), gaps_of(SENTENCE))
    assert prices.drops is not None
    assert prices.drops.all() and prices.gaps.all()


def test_without_weights_nothing_has_a_price() -> None:
    nothing = GapPruning(np.empty(0, dtype=np.uint64), np.empty(0))
    prices = nothing.prices(TreeTable(SENTENCE), gaps_of(SENTENCE))
    assert prices.drops is not None
    assert not prices.drops.any() and not prices.gaps.any()


# The model file.


def model_of(pruning: GapPruning) -> Model:
    unseen = FlatUnseen({}, {}, (0.0, 0.0))
    return Model(Grammar.from_counts({}), unseen, {"learner": "test"}, pruning)


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    pruning = weighted(SENTENCE)
    model_of(pruning).save(tmp_path / "a")
    loaded = Model.load(tmp_path / "a")
    loaded.save(tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == (tmp_path / "a").read_bytes()
    assert isinstance(loaded.pruning, GapPruning)
    assert (loaded.pruning.templates, loaded.pruning.open) == (pruning.templates, pruning.open)
    before, after = (
        part.prices(TreeTable(SENTENCE), gaps_of(SENTENCE)) for part in (pruning, loaded.pruning)
    )
    assert (before.gaps == after.gaps).all() and (before.drops == after.drops).all()


def test_the_order_of_features_leaves_no_trace(tmp_path: Path) -> None:
    pruning = weighted(SENTENCE)
    turned = GapPruning(pruning.keys[::-1], pruning.weights[::-1], pruning.templates)
    model_of(pruning).save(tmp_path / "a")
    model_of(turned).save(tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == (tmp_path / "a").read_bytes()


KEYS, WEIGHTS, VALUES = "pruning/keys.npy", "pruning/weights.npy", "pruning.json"
TWO = np.array([3, 5], dtype=np.uint64)


def described(**changes: object) -> bytes:
    return json.dumps({"kind": "features", "templates": [], "open": True, **changes}).encode()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({KEYS: b""}, "EOF"),
        ({KEYS: b"nonsense"}, "magic"),
        ({KEYS: b"PK\x03\x04"}, "magic|EOF"),
        ({WEIGHTS: pack_array(np.ones(2))[:-1]}, "EOF"),
        ({KEYS: pack_array(TWO[::-1])}, "ascending 64-bit"),
        ({KEYS: pack_array(TWO[[0, 0]])}, "ascending 64-bit"),
        ({KEYS: pack_array(TWO.astype(np.int64))}, "ascending 64-bit"),
        ({KEYS: pack_array(TWO.reshape(1, 2))}, "ascending 64-bit"),
        ({KEYS: pack_array(np.array([0, 3], dtype=np.uint64))}, "above 0"),
        ({WEIGHTS: pack_array(np.ones(3))}, "a weight each"),
        ({WEIGHTS: pack_array(np.array(["a", "b"]))}, "a weight each"),
        ({WEIGHTS: pack_array(np.ones(2, dtype=np.complex128))}, "a weight each"),
        ({WEIGHTS: pack_array(np.array([1.0, np.nan]))}, "finite"),
        ({WEIGHTS: pack_array(np.array([1.0, np.inf]))}, "finite"),
        ({VALUES: described(templates=["drop", "later"])}, "unknown here: later; upgrade"),
        ({VALUES: described(templates=["drop", "drop"])}, "occurs twice"),
        ({VALUES: described(templates=[[]])}, "unhashable"),
        ({VALUES: described(templates=7)}, "not iterable"),
        ({VALUES: b'{"kind": "features", "templates": []}'}, "open"),
        ({VALUES: described(open="yes")}, "open"),
    ],
)
def test_damage_is_named(parts: dict[str, bytes], message: str, tmp_path: Path) -> None:
    model_of(GapPruning(TWO, np.array([1.0, -1.0]), ())).save(tmp_path / "model")
    whole, metadata = read_model(tmp_path / "model", kind="linear")
    assert set(parts) <= set(whole)
    write_model(tmp_path / "bad", kind="linear", parts={**whole, **parts}, metadata=metadata)
    with pytest.raises(ModelFileError, match=message):
        Model.load(tmp_path / "bad")


@pytest.mark.parametrize("name", [KEYS, WEIGHTS])
def test_a_missing_part_is_named(name: str, tmp_path: Path) -> None:
    model_of(GapPruning(TWO, np.array([1.0, -1.0]), ())).save(tmp_path / "model")
    parts, metadata = read_model(tmp_path / "model", kind="linear")
    del parts[name]
    write_model(tmp_path / "bad", kind="linear", parts=parts, metadata=metadata)
    with pytest.raises(ModelFileError, match=name):
        Model.load(tmp_path / "bad")


def test_other_prunings_have_no_arrays(tmp_path: Path) -> None:
    Model(Grammar.from_counts({}), None, {}, StepPruning({})).save(tmp_path / "model")
    parts, _ = read_model(tmp_path / "model", kind="rules")
    assert not {KEYS, WEIGHTS} & set(parts)
    assert isinstance(Model.load(tmp_path / "model").pruning, StepPruning)

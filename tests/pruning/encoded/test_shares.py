"""Networks that price otherwise where only a share of the words may stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from treewright.errors import ModelFileError
from treewright.modelfile import pack_array, read_model, write_model
from treewright.pruning import Model, Pruner
from treewright.pruning.encoded import EncodedPruning, PriceNetwork
from treewright.pruning.encoded.network import SHARES, TIGHTENED
from treewright.trees import Tree

from ...parsing.embedded.toys import TREES, inventory
from .toys import LABELS, model_of, prices_of, random_network, random_pruning

KNOWN = (0.25, 0.5)


def with_shares(seed: int = 0) -> PriceNetwork:
    random = np.random.default_rng(seed + 100)
    network = random_network(seed)
    rows = {
        f"{layer}_{SHARES}": random.normal(
            0.0, 1.0, (len(KNOWN), *network.arrays[f"{layer}_bias"].shape)
        ).astype(np.float32)
        for layer in TIGHTENED
    }
    arrays = {**network.arrays, SHARES: np.array(KNOWN, dtype=np.float32), **rows}
    return PriceNetwork(inventory(), LABELS, arrays)


def biased(network: PriceNetwork, weights: tuple[float, float, float]) -> EncodedPruning:
    """A network made from the start with a weighted mean of the biases of 0.25, 0.5 and 1."""
    arrays = dict(network.arrays)
    for layer in TIGHTENED:
        rows = [*arrays[f"{layer}_{SHARES}"], arrays[f"{layer}_bias"]]
        mean = sum(weight * row for weight, row in zip(weights, rows, strict=True))
        arrays[f"{layer}_bias"] = np.asarray(mean, dtype=np.float32)
    return EncodedPruning(PriceNetwork(inventory(), LABELS, arrays))


def everything(pruning: EncodedPruning, tree: Tree) -> list[float]:
    prices = prices_of(pruning, tree)
    told = (prices.surprises, prices.regrets, prices.clashes)
    columns = (prices.gaps, prices.drops, prices.seams, *told)
    return np.concatenate([np.ravel(c) for c in columns if c is not None]).tolist()


@pytest.mark.parametrize(
    ("share", "weights"),
    [
        (1.0, (0.0, 0.0, 1.0)),
        (0.75, (0.0, 0.5, 0.5)),
        (0.5, (0.0, 1.0, 0.0)),
        (0.3, (0.8, 0.2, 0.0)),
        (0.25, (1.0, 0.0, 0.0)),
        (0.05, (1.0, 0.0, 0.0)),
    ],
)
def test_prices_lie_between_those_of_the_shares_around(
    share: float, weights: tuple[float, float, float]
) -> None:
    network = with_shares()
    made, expected = EncodedPruning(network).at(share), biased(network, weights)
    for tree in TREES:
        assert everything(made, tree) == pytest.approx(everything(expected, tree), abs=1e-5)


def test_sentences_that_were_read_need_not_be_read_again() -> None:
    pruning = EncodedPruning(with_shares(), states=np.zeros((3, 10), np.int16))
    assert pruning.at(0.5).states is pruning.states
    assert pruning.at(0.5).network.encoder is pruning.network.encoder


def test_without_a_limit_or_shares_nothing_changes() -> None:
    plain, pruning = random_pruning(), EncodedPruning(with_shares())
    assert plain.at(0.5) is plain
    assert pruning.at(1.0) is pruning
    for each in (plain, pruning):
        engine = Pruner.of(model_of(each))
        assert engine.at(1.0) is engine


def test_an_engine_prices_for_the_share() -> None:
    network = with_shares()
    engine = Pruner.of(model_of(EncodedPruning(network)))
    other = Pruner.of(model_of(biased(network, (0.0, 1.0, 0.0))))
    changed = 0
    for tree in TREES:
        found = engine.at(0.5).forest(tree).weights
        assert found.tolist() == pytest.approx(other.forest(tree).weights.tolist(), abs=1e-5)
        changed += found.tolist() != engine.forest(tree).weights.tolist()
    assert changed


def test_shares_survive_the_file(tmp_path: Path) -> None:
    pruning = EncodedPruning(with_shares())
    model_of(pruning).save(tmp_path / "m.tw")
    loaded = Model.load(tmp_path / "m.tw").pruning
    assert isinstance(loaded, EncodedPruning)
    assert loaded.network.arrays[SHARES].tolist() == list(KNOWN)
    for tree in TREES:
        before, after = everything(pruning.at(0.4), tree), everything(loaded.at(0.4), tree)
        assert after == pytest.approx(before, abs=0.3)


def shares(*values: float) -> Callable[[dict[str, bytes]], None]:
    packed = pack_array(np.array(values, dtype=np.float32))
    return lambda parts: parts.update({f"pruning/{SHARES}.npy": packed})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (shares(), "shares must rise"),
        (shares(0.5, 0.25), "shares must rise"),
        (shares(0.5, 1.0), "shares must rise"),
        (shares(0.0, 0.5), "shares must rise"),
        (shares(0.2, np.nan), "shares must rise"),
        (shares(0.2, 0.4, 0.6), "node_shares is"),
        (lambda parts: parts.pop("pruning/gap_shares.codes.npy"), "gap_shares"),
    ],
)
def test_shares_that_do_not_fit_are_refused(
    change: Callable[[dict[str, bytes]], object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "m.tw"
    model_of(EncodedPruning(with_shares())).save(path)
    parts, metadata = read_model(path, kind="network")
    change(parts)
    write_model(path, kind="network", parts=parts, metadata=metadata)
    with pytest.raises(ModelFileError, match=message):
        Model.load(path)

from __future__ import annotations

import copy
import pickle

import pytest

from treewright.forest import Derivation

LEAF = Derivation(3)
TREE = Derivation(0, [Derivation(1, [LEAF]), Derivation(2), LEAF])


def tower(height: int) -> Derivation:
    derivation = Derivation(0)
    for _ in range(height):
        derivation = Derivation(1, [derivation, derivation])
    return derivation


def test_edges_come_in_preorder() -> None:
    assert list(TREE.edges()) == [0, 1, 3, 2, 3]


def test_score_counts_every_place() -> None:
    assert TREE.score([1.0, 10.0, 100.0, 1000.0]) == 2111.0


def test_fold_goes_from_the_leaves_to_the_root() -> None:
    text = TREE.fold(lambda edge, parts: f"{edge}({' '.join(parts)})" if parts else str(edge))
    assert text == "0(1(3) 2 3)"


def test_equal_by_value() -> None:
    same = Derivation(0, (Derivation(1, (Derivation(3),)), Derivation(2), Derivation(3)))
    assert same == TREE
    assert hash(same) == hash(TREE)
    assert len({same, TREE}) == 1
    assert Derivation(0, [Derivation(2), LEAF]) != Derivation(0, [LEAF, Derivation(2)])
    assert Derivation(0, [LEAF]) != Derivation(0)
    assert TREE != "derivation"
    assert repr(TREE) == "Derivation(edge=0, children=3)"


def test_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable; cannot set edge"):
        TREE.edge = 4
    with pytest.raises(AttributeError, match="immutable; cannot delete edge"):
        del TREE.edge


def test_pickles_and_copies() -> None:
    for twin in (pickle.loads(pickle.dumps(TREE)), copy.deepcopy(TREE)):
        assert twin == TREE
        assert hash(twin) == hash(TREE)


def test_shared_parts_cost_only_once() -> None:
    """A tower of 2^5000 leaves is handled through its 5001 distinct parts."""
    high = tower(5000)
    assert high.fold(lambda _, sizes: 1 + sum(sizes)) == 2**5001 - 1
    assert high == tower(5000)
    assert high != tower(4999)
    assert pickle.loads(pickle.dumps(high)) == high

"""A parser too small to know anything, to start from; and corpora of one rule each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from treewright.alignment import align_pair
from treewright.corpora import Pair
from treewright.learning.neural import NeuralCRF, learner
from treewright.pruning import Model, Pruner
from treewright.pruning.acceptance import join_neighbours
from treewright.trees import Tree, parse_tree, prune_to

from ...parsing.embedded.toys import random_weights

SMALL: dict[str, Any] = {"node": 6, "gap": 4, "seam": 4, "tokens": 40, "rate": 0.02, "dropout": 0.1}


def start_small(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let training start from a toy parser in the place of the shipped one."""
    path = folder / "start.tw"
    random_weights(scale=0.3, style="news").write(path)
    monkeypatch.setattr(learner, "SHIPPED", path)


def small(**settings: Any) -> NeuralCRF:
    return NeuralCRF(**{**SMALL, **settings})


def sentences() -> list[Tree]:
    """Sentences with an adverb, before the verb or behind it."""
    shapes = [
        "(ROOT (S (NP (DT the) (NN {})) (ADVP (RB {})) (VP (VBZ {})) (. .)))",
        "(ROOT (S (NP (DT a) (NN {})) (VP (ADVP (RB {})) (VBZ {})) (. .)))",
    ]
    words = product(["cat", "dog", "bird"], ["now", "often"], ["sleeps", "sees"])
    return [parse_tree(shape.format(*chosen)) for chosen in words for shape in shapes]


def without_adverbs(tree: Tree) -> list[int]:
    return [i for i, leaf in enumerate(tree.preterminals()) if leaf.label != "RB"]


def everything(tree: Tree) -> list[int]:
    return list(range(len(tree.words())))


def pruned(tree: Tree, places: Sequence[int], name: str = "0") -> Pair:
    target = prune_to(tree, places)
    assert target is not None
    return align_pair(Pair(name, tree, target))


def adverbs_go() -> list[Pair]:
    """Every adverb goes, and nothing else."""
    return [pruned(tree, without_adverbs(tree), str(i)) for i, tree in enumerate(sentences())]


def rewritten(model: Model, tree: Tree) -> tuple[str, ...]:
    """The words of a model's best output."""
    best = join_neighbours(Pruner.of(model).forest(tree)).best()
    assert best is not None
    return best.tree.words()

"""Trees to compress, and models whose weights are whole numbers, so that sums are exact."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from treewright.pruning.deletion import DeletionModel
from treewright.trees import parse_tree

from ...trees.strategies import trees

BITS = 12
SHIFT = 64 - BITS
DOG = parse_tree(
    "(ROOT (S (NP (DT the) (JJ big) (NN dog)) (VP (VBZ barks) (ADVP (RB loudly))) (. .)))"
)
few = st.sampled_from(["NP", "VP", "DT", "NN", "VBZ", ",", "dog"])
small_trees = trees(few).filter(lambda tree: len(tree.words()) <= 7)


def whole_weights(seed: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return small whole weights, most of them not 0."""
    return np.random.default_rng(seed).integers(-3, 4, 1 << BITS).astype(np.float64)


def toy_model(seed: int) -> DeletionModel:
    """Return a model with whole weights."""
    return DeletionModel.of(whole_weights(seed), {"objective": 0.0})

"""A toy treebank, and parsers too small to be good at anything."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from treewright.parsing.embedded.arrays import Array, Arrays, pack_arrays, unpack_arrays
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.weights import Weights, shapes
from treewright.trees import parse_tree

TEXTS = [
    "(ROOT (S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (DT a) (NN bird))) (. .)))",
    "(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ sleeps)) (. .)))",
    "(ROOT (S (NP (PRP she)) (VP (VBZ sees) (NP (NP (DT the) (NN dog)) (PP (IN in)"
    " (NP (DT the) (NN garden))))) (. .)))",
    "(ROOT (S (NP (DT the) (NN bird)) (VP (VBZ sleeps) (PP (IN in) (NP (DT a) (NN tree)))) (. .)))",
    "(ROOT (NP (NP (DT a) (NN cat)) (PP (IN in) (NP (DT the) (NN tree)))))",
    "(ROOT (S (`` ``) (NP (PRP she)) (VP (VBZ sleeps)) ('' '') (. .)))",
    "(ROOT (S (VP (VB see) (NP (DT the) (NN garden)))))",
    "(ROOT (UH yes))",
]
TREES = [parse_tree(text) for text in TEXTS]
SENTENCES = [tree.words() for tree in TREES]
SIMPLE = TREES[:6]
"""Those whose every span has one label, which is what few trees can teach."""


@cache
def inventory() -> Inventory:
    """Return the symbols of the toy trees, in the styles of two treebanks."""
    return Inventory.collect(TREES, ["news", "web"], min_word=1, min_label=1)


def random_weights(seed: int = 0, scale: float = 1.0, **metadata: Any) -> Weights:
    """Return the weights of a parser that is sure of what it says, and wrong."""
    random = np.random.default_rng(seed)
    arrays = {
        name: random.normal(0.0, scale, shape).astype(np.float32)
        for name, shape in shapes(inventory(), word=4, hidden=5, span=6).items()
    }
    arrays["label_weight"] *= 3
    return Weights(inventory(), in_eight_bits(arrays), metadata)


def in_eight_bits(arrays: Mapping[str, Array]) -> Arrays:
    """Return what a file keeps of arrays, which is all that products at run time use."""
    return unpack_arrays(pack_arrays(arrays))

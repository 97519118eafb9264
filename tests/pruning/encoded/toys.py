"""Networks of random weights, too small to be good at anything."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from treewright.grammar import FlatUnseen, Grammar
from treewright.parsing.embedded.weights import encoder_shapes
from treewright.pruning import Model
from treewright.pruning.encoded.network import (
    CLASH,
    REGRET,
    SEAM,
    SURPRISE,
    PriceNetwork,
    head_shapes,
)
from treewright.pruning.encoded.places import SPECIAL
from treewright.pruning.encoded.pruning import EncodedPruning
from treewright.pruning.gaps import Prices
from treewright.trees import Tree, TreeTable

from ...parsing.embedded.toys import in_eight_bits, inventory
from ..test_gaps import gaps_of

LABELS = (*SPECIAL, "S", "NP", "VP", "N")
"""What the networks know; trees of `strategies` have a label more."""
NUMBERS = {label: number for number, label in enumerate(LABELS)}


ALL = {SEAM: 4, SURPRISE: 3, CLASH: 5}
"""The widths of the layers that look at neighbours."""


def random_network(seed: int = 0, seams: Mapping[str, int] = ALL, regret: int = 4) -> PriceNetwork:
    """Return a network over the toy parser's words, with some of the layers that are optional."""
    random = np.random.default_rng(seed)
    nodes = {"node": 3, **({REGRET: regret} if regret else {})}
    heads = head_shapes(len(LABELS), 10, nodes, 2, seams)
    shapes = {**encoder_shapes(inventory(), 4, 5), **heads}
    arrays = {
        name: random.normal(0.0, 1.0, shape).astype(np.float32) for name, shape in shapes.items()
    }
    return PriceNetwork(inventory(), LABELS, in_eight_bits(arrays))


def random_pruning(
    seed: int = 0, seams: Mapping[str, int] = ALL, regret: int = 4
) -> EncodedPruning:
    return EncodedPruning(random_network(seed, seams, regret))


def model_of(pruning: EncodedPruning) -> Model:
    unseen = FlatUnseen({}, {}, (0.0, 0.0))
    return Model(Grammar.from_counts({}), unseen, {"learner": "test"}, pruning)


def prices_of(pruning: EncodedPruning, tree: Tree) -> Prices:
    return pruning.prices(TreeTable(tree), gaps_of(tree))

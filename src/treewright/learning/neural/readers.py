"""`ReaderLearner`: what readers mind, learned by the estimate and by two layers of the network.

The estimate of `AcceptanceLearner` knows a loss by its label, its first word and where it stood.
The network's states know what it says. So two layers over them have a say in the same product:

    log P(acceptable) = Σ_losses log σ(w · φ(loss) - regret(loss))
                        + Σ_seams log σ(u · ψ(seam) - clash(seam))

Weights and layers are trained together. The encoder stays that of the model, whose prices do not
change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treewright.errors import DataError
from treewright.learning.acceptance import Example
from treewright.learning.checks import check_number, check_whole
from treewright.learning.neural.learner import as_stored, use_torch
from treewright.pruning.acceptance import Neighbours
from treewright.pruning.encoded import CLASH, REGRET, EncodedPruning, PriceNetwork


@dataclass(kw_only=True)
class ReaderLearner:
    """Trains an estimate with both layers.

    `penalty` and `least` mean the same as in `AcceptanceLearner`; `decay` keeps the layers small.
    After `fit`: `pruning_`, `acceptance_`, and `losses_`, one per epoch.
    """

    width: int = 64
    epochs: int = 6
    rate: float = 1e-3
    decay: float = 0.1
    dropout: float = 0.5
    penalty: float = 10.0
    least: int = 3
    batch: int = 64
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("width", "epochs", "batch", "least"):
            check_whole(name, getattr(self, name))
        check_number("rate", self.rate, above=0.0)
        for name in ("decay", "penalty"):
            check_number(name, getattr(self, name), least=0.0)
        check_number("dropout", self.dropout, least=0.0, below=1.0)
        check_whole("seed", self.seed, least=0)

    def fit(
        self,
        pruning: EncodedPruning,
        examples: Sequence[Example],
        neighbours: Neighbours,
        grammar: Mapping[str, float],
    ) -> ReaderLearner:
        """Learn from examples; layers that the network has are replaced."""
        use_torch()
        from treewright.learning.neural.reader_layers import Rows, export_layers, train_layers

        if not any(each.losses for each in examples):
            raise DataError("there is no loss to learn from")
        network = pruning.network
        rows = Rows.of(network, examples, self.least)
        layers, self.losses_ = train_layers(self, network, rows)
        arrays = without_layers(pruning).network.arrays
        exact = PriceNetwork(network.inventory, network.labels, {**arrays, **export_layers(layers)})
        self.pruning_ = as_stored(EncodedPruning(exact))
        self.acceptance_ = rows.estimate(layers, neighbours, grammar)
        return self


def without_layers(pruning: EncodedPruning) -> EncodedPruning:
    """Return the pruning without what it has learned from readers."""
    network = pruning.network
    layers = (f"{REGRET}_", f"{CLASH}_")
    arrays = {name: a for name, a in network.arrays.items() if not name.startswith(layers)}
    return EncodedPruning(PriceNetwork(network.inventory, network.labels, arrays))

"""Networks in training as files, so that what several models begin with is trained once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from treewright.learning.neural.examples import NeuralData
from treewright.learning.neural.learner import NeuralCRF
from treewright.modelfile import read_model, write_model

if TYPE_CHECKING:
    from treewright.learning.neural.network import PruningNetwork

KIND = "pruning-network"


def write_network(path: str | Path, network: PruningNetwork) -> None:
    """Write the weights in full precision."""
    from treewright.parsing.embedded.training.storage import network_parts

    write_model(path, kind=KIND, parts=network_parts(network), metadata={})


def read_network(path: str | Path, learner: NeuralCRF, data: NeuralData) -> PruningNetwork:
    """Return the network that a learner with the same settings and data has left."""
    from treewright.parsing.embedded.training.storage import fill_network

    parts, _ = read_model(path, kind=KIND)
    network = learner.begin(data)
    fill_network(network, parts)
    return network

"""The layer of surprises as torch trains it; `PriceNetwork.neighbours` computes the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn.functional import smooth_l1_loss

from treewright.learning.neural.network import embedding
from treewright.parsing.embedded import Array, decode
from treewright.parsing.embedded.training.export import to_array
from treewright.pruning.encoded import (
    DISTANCES,
    SURPRISE,
    PriceNetwork,
    distances,
    number_labels,
)
from treewright.trees import TreeTable

if TYPE_CHECKING:
    from treewright.learning.neural.surprise import Seam, SurpriseLearner

Read = Sequence[tuple[TreeTable, Sequence["Seam"]]]
"""Sentences and their seams."""

LEAST, MOST = -4.0, 12.0
"""Where surprises are cut off: what is beyond differs in nothing that matters."""
_SLACK = 2.0
"""Nats up to which an error counts by its square, so that rare words do not rule."""
_AT_ONCE = 256


class Seams(NamedTuple):
    """All seams in rows: the states and labels of both sides, their distance, the surprise."""

    left: torch.Tensor
    right: torch.Tensor
    left_label: torch.Tensor
    right_label: torch.Tensor
    distance: torch.Tensor
    rise: torch.Tensor

    def take(self, rows: torch.Tensor) -> Seams:
        """Return some of the rows."""
        return Seams(*[column[rows] for column in self])


class SurpriseLayer(nn.Module):
    """`out · relu(left h[i] + right h[j] + labels + distance)`, over given states."""

    def __init__(self, network: PriceNetwork, width: int, dropout: float) -> None:
        super().__init__()
        state = 2 * network.encoder.size
        self.left = nn.Linear(state, width)
        self.right = nn.Linear(state, width, bias=False)
        self.left_label = embedding(len(network.labels), width)
        self.right_label = embedding(len(network.labels), width)
        self.distance = embedding(DISTANCES, width)
        self.out = nn.Linear(width, 1)
        self.drop = nn.Dropout(dropout)

    def forward(self, seams: Seams) -> torch.Tensor:
        """Return the surprise of every seam."""
        hidden = self.left(self.drop(seams.left)) + self.right(self.drop(seams.right))
        hidden = hidden + self.left_label(seams.left_label) + self.distance(seams.distance)
        hidden = torch.relu(hidden + self.right_label(seams.right_label))
        surprise: torch.Tensor = self.out(self.drop(hidden))[:, 0]
        return surprise


def train_layer(
    settings: SurpriseLearner, network: PriceNetwork, read: Read
) -> tuple[SurpriseLayer, list[float]]:
    """Return a trained layer over the network's states, and the loss of each epoch."""
    torch.manual_seed(settings.seed)
    layer = SurpriseLayer(network, settings.width, settings.dropout)
    seams = lay_out(network, read)
    size, batch = len(seams.rise), settings.batch
    optimiser = torch.optim.AdamW(layer.parameters(), lr=settings.rate, weight_decay=settings.decay)
    steps = settings.epochs * -(-size // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=steps)
    losses = []
    for _ in range(settings.epochs):
        total = 0.0
        for rows in torch.randperm(size).split(batch):
            part = seams.take(rows)
            loss = smooth_l1_loss(layer(part), part.rise, beta=_SLACK)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item() * len(rows)
        losses.append(total / size)
    layer.eval()
    return layer, losses


def lay_out(network: PriceNetwork, read: Read) -> Seams:
    """Let the network read the sentences, and put the states at their seams into rows."""
    columns: list[list[NDArray[np.generic]]] = [[] for _ in Seams._fields]
    for first in range(0, len(read), _AT_ONCE):
        part = read[first : first + _AT_ONCE]
        states = network.encoder.batch_states([source.words for source, _ in part], 0)
        for (source, seams), own in zip(part, states, strict=True):
            left, right = np.array([seam[:2] for seam in seams]).T
            labels = number_labels(source, network.numbers)[source.leaves].astype(np.int64)
            # The first state is that of the start of the sentence.
            found = (
                *(decode(own[left + 1]), decode(own[right + 1]), labels[left], labels[right]),
                distances(right - left),
                np.clip([seam[2] for seam in seams], LEAST, MOST).astype(np.float32),
            )
            for column, values in zip(columns, found, strict=True):
                column.append(values)
    return Seams(*[torch.from_numpy(np.concatenate(column)) for column in columns])


def export_layer(layer: SurpriseLayer) -> dict[str, Array]:
    """Return the layer's arrays as a network has them."""
    arrays = {
        "left": layer.left.weight,
        "right": layer.right.weight,
        "left_label": layer.left_label.weight,
        "right_label": layer.right_label.weight,
        "distance": layer.distance.weight,
        "bias": layer.left.bias,
        "out": layer.out.weight[0],
        "out_bias": layer.out.bias,
    }
    return {f"{SURPRISE}_{name}": to_array(array) for name, array in arrays.items()}

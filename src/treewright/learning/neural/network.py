"""The network as torch trains it; `treewright.pruning.encoded.network` computes the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from treewright.learning.neural.examples import Example, Source, View
from treewright.parsing.embedded import Inventory
from treewright.parsing.embedded.training.context import Context
from treewright.parsing.embedded.training.network import Encoder, StateNetwork
from treewright.parsing.embedded.training.settings import Sizes
from treewright.pruning.encoded import DISTANCES, KINDS, Places, distances, measures

NODE_STATES = {"head": "head", "parent": "parent_head", "first": "first", "last": "last"}
"""Matrices of nodes, and the position each is applied at."""
SEAM_SIDES = ("seam_left", "seam_right")


class Scores(NamedTuple):
    """The prices of all nodes and of all gaps of examples, and the scores of pairs of neighbours.

    The pairs of a sentence are those of its tokens and both ends, row by row.
    """

    drops: torch.Tensor
    gaps: torch.Tensor
    seams: torch.Tensor


class PruningNetwork(StateNetwork):
    """Prices of dropping nodes and of gaps, and scores of neighbours, in one of several styles.

    With the `context` of a pretrained transformer, it is a teacher. If `seam` is 0, neighbours have
    no scores.
    """

    def __init__(
        self,
        inventory: Inventory,
        sizes: Sizes,
        *,
        labels: int,
        styles: int,
        node: int,
        gap: int,
        seam: int,
        dropout: float,
        context: Context | None = None,
    ) -> None:
        super().__init__(inventory, sizes, dropout=dropout, context=context)
        self.encoder = Encoder(inventory)
        state = 2 * sizes.hidden
        self.node_states, self.node_tables = node_layers(state, labels, node)
        self.node_length = nn.Linear(2, node)
        self.node_style = embedding(styles, node)
        self.node_out = nn.Linear(node, 1)
        self.token = nn.Linear(state, 1)
        self.token_style = nn.Embedding(styles, 1)
        nn.init.zeros_(self.token_style.weight)
        self.gap_states = nn.ModuleDict(
            {name: nn.Linear(state, gap, bias=False) for name in ("gap_left", "gap_right")}
        )
        self.gap_tables = nn.ModuleDict(
            {
                "gap_left_label": embedding(labels, gap),
                "gap_right_label": embedding(labels, gap),
                "gap_label": embedding(labels, gap),
                "gap_kind": embedding(KINDS, gap),
            }
        )
        self.gap_style = embedding(styles, gap)
        self.gap_out = nn.Linear(gap, 1)
        self.seam = seam
        if not seam:
            return
        self.seam_states = nn.ModuleDict(
            {name: nn.Linear(state, seam, bias=False) for name in SEAM_SIDES}
        )
        self.seam_labels = nn.ModuleDict({name: embedding(labels, seam) for name in SEAM_SIDES})
        self.seam_distance = embedding(DISTANCES, seam)
        self.seam_style = embedding(styles, seam)
        self.seam_out = nn.Linear(seam, 1)

    def forward(self, examples: Sequence[Example], views: Sequence[View]) -> Scores:
        """Score examples, longest first, given the views of their sources."""
        return self.score(self.read([example.source for example in examples]), examples, views)

    def read(self, sources: Sequence[Source]) -> torch.Tensor:
        """Return the states of all words, longest sentence first; they do not depend on style."""
        sentences = [source.words for source in sources]
        return self.states(self.encoder.number(sentences, [0] * len(sentences)))

    def score(
        self, states: torch.Tensor, examples: Sequence[Example], views: Sequence[View]
    ) -> Scores:
        """Score examples, given the states of their words."""
        width = states.shape[1]
        places = _joined([view.places for view in views], width)
        style = torch.tensor([example.style for example in examples])
        flat = self._drop(states).flatten(0, 1)
        return Scores(
            self._drops(flat, places, style, _owners([len(view.places.head) for view in views])),
            self._gaps(flat, places, style, _owners([len(view.places.gap_kind) for view in views])),
            self._seams(flat, examples, style.repeat_interleave(width)),
        )

    def _drops(
        self,
        states: torch.Tensor,
        places: dict[str, torch.Tensor],
        style: torch.Tensor,
        owners: torch.Tensor,
    ) -> torch.Tensor:
        hidden = self.node_length(places["measures"]) + self.node_style(style)[owners]
        for name, place in NODE_STATES.items():
            hidden = hidden + self.node_states[name](states).index_select(0, places[place])
        for name, table in self.node_tables.items():
            hidden = hidden + table(places[name])
        own = self.node_out(self._thin(torch.relu(hidden), owners))[:, 0]
        sums = nn.functional.pad(self.token(states)[:, 0].cumsum(0), (1, 0))
        length = (places["last"] - places["first"] + 1).float()
        tokens = sums.index_select(0, places["last"] + 1) - sums.index_select(0, places["first"])
        return own + tokens + length * self.token_style(style)[owners, 0]

    def _gaps(
        self,
        states: torch.Tensor,
        places: dict[str, torch.Tensor],
        style: torch.Tensor,
        owners: torch.Tensor,
    ) -> torch.Tensor:
        hidden = self.gap_style(style)[owners]
        for name, projection in self.gap_states.items():
            hidden = hidden + projection(states).index_select(0, places[name])
        for name, table in self.gap_tables.items():
            hidden = hidden + table(places[name])
        own: torch.Tensor = self.gap_out(self._thin(torch.relu(hidden), owners))[:, 0]
        return own

    def _seams(
        self, states: torch.Tensor, examples: Sequence[Example], style: torch.Tensor
    ) -> torch.Tensor:
        owners = _owners([len(pairs_of(len(example))[0]) for example in examples])
        if not self.seam:
            return torch.zeros(len(owners))
        pairs = _neighbours(examples, len(states) // len(examples))
        sides = [
            self.seam_states[name](states) + self.seam_labels[name](pairs["label"])
            for name in SEAM_SIDES
        ]
        hidden = (sides[0] + self.seam_style(style)).index_select(0, pairs["left"])
        hidden = hidden + sides[1].index_select(0, pairs["right"])
        hidden = hidden + self.seam_distance(pairs["distance"])
        own: torch.Tensor = self.seam_out(self._thin(torch.relu(hidden), owners))[:, 0]
        return own

    def _thin(self, hidden: torch.Tensor, owners: torch.Tensor) -> torch.Tensor:
        """Drop the same units in all rows of a sentence; to draw for each row takes longer."""
        if not self.training or not self.dropout:
            return hidden
        sentences = int(owners[-1]) + 1
        kept = torch.rand(sentences, hidden.shape[1]) >= self.dropout
        return hidden * (kept / (1 - self.dropout))[owners]


def _owners(sizes: Sequence[int]) -> torch.Tensor:
    """Return the sentence of every row, given how many rows each has."""
    return torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))


_PLACED = ("head", "parent_head", "first", "last", "gap_left", "gap_right")
"""Fields that are positions of words, and shift with the sentence in a batch."""


def _joined(several: Sequence[Places], width: int) -> dict[str, torch.Tensor]:
    """Put the positions of sentences one after another, `width` tokens each."""
    joined = {}
    for name in Places._fields:
        parts = [
            getattr(places, name) + (number * width if name in _PLACED else 0)
            for number, places in enumerate(several)
        ]
        joined[name] = torch.from_numpy(np.concatenate(parts))
    joined["measures"] = torch.from_numpy(np.concatenate([measures(p) for p in several]))
    return joined


def _neighbours(examples: Sequence[Example], width: int) -> dict[str, torch.Tensor]:
    """List the pairs of all sentences: their rows, how far apart they are, and labels of rows."""
    labels = np.zeros((len(examples), width), np.int64)
    lefts, rights = [], []
    for number, example in enumerate(examples):
        own = example.source.token_labels()
        labels[number, : len(own)] = own
        left, right = pairs_of(len(example))
        lefts.append(left + number * width)
        rights.append(right + number * width)
    left, right = np.concatenate(lefts), np.concatenate(rights)
    columns = {
        "left": left,
        "right": right,
        "distance": distances(right - left),
        "label": labels.ravel(),
    }
    return {name: torch.from_numpy(column) for name, column in columns.items()}


@cache
def pairs_of(length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows and the columns of all pairs of neighbours of a sentence."""
    left, right = np.triu_indices(length + 2, 1)
    return left, right


def node_layers(state: int, labels: int, width: int) -> tuple[nn.ModuleDict, nn.ModuleDict]:
    """Return what a node's words and its labels contribute to a layer."""
    states = nn.ModuleDict({name: nn.Linear(state, width, bias=False) for name in NODE_STATES})
    sizes = {"label": labels, "parent_label": labels, "is_head": 2}
    tables = nn.ModuleDict({name: embedding(rows, width) for name, rows in sizes.items()})
    return states, tables


def embedding(rows: int, width: int) -> nn.Embedding:
    """Return a table of vectors, small at first."""
    table = nn.Embedding(rows, width)
    nn.init.normal_(table.weight, std=0.05)
    return table

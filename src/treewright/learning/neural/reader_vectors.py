"""The layers of readers over the vectors of a transformer, in torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from treewright.learning.neural.reader_layers import (
    STATE_COLUMNS,
    ReaderLayers,
    Rows,
    fit_layers,
)
from treewright.parsing.embedded.training.context import Context
from treewright.pruning.encoded import PriceNetwork

if TYPE_CHECKING:
    from treewright.learning.neural.reader_teacher import ReaderTeacher

_ENCODER_DECAY = 0.01
_CLIP = 1.0
Ints = NDArray[np.int64]


class TaughtLayers(ReaderLayers):
    """Layers over a network's states and what a transformer says of the same words."""

    def __init__(
        self, network: PriceNetwork, rows: Rows, settings: ReaderTeacher, context: Context
    ) -> None:
        super().__init__(network, rows, settings.width, settings.dropout, settings.joined)
        self.context = context
        self.join = nn.Sequential(
            nn.LayerNorm(context.width), nn.Linear(context.width, settings.joined)
        )

    def read(self, rows: Rows, versions: Ints) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return the states of the sentences of these versions only, with their vectors."""
        starts = _starts(rows)
        read = sorted(
            {s for version in versions.tolist() for s in _sentences(rows, starts, version)}
        )
        words = [rows.sentences[sentence] for sentence in read]
        vectors = self.join(self.context(words, max(map(len, words)) + 2))
        moved = torch.zeros(len(rows.states), dtype=torch.long)
        states = []
        end = 0
        for row, sentence in enumerate(read):
            own = slice(int(starts[sentence]), int(starts[sentence + 1]))
            size = own.stop - own.start
            states.append(torch.cat([rows.states[own], vectors[row, :size]], 1))
            moved[own] = torch.arange(end, end + size)
            end += size
        return torch.cat(states), moved


def _starts(rows: Rows) -> Ints:
    """Return where the states of each sentence begin, and where the last ones end."""
    return np.cumsum([0, *(len(words) + 2 for words in rows.sentences)])


def _sentences(rows: Rows, starts: Ints, version: int) -> list[int]:
    """Return the sentences that a version shortens."""
    places = [
        columns[name][ends[version - 1] if version else 0 : ends[version]]
        for columns, ends in ((rows.losses, rows.loss_ends), (rows.seams, rows.seam_ends))
        for name in columns.keys() & STATE_COLUMNS
    ]
    found: list[int] = np.unique(
        np.searchsorted(starts, torch.cat(places).numpy(), "right") - 1
    ).tolist()
    return found


def _by_text(rows: Rows) -> list[torch.Tensor]:
    """Return the versions of each text: those that shorten the same sentence first of all."""
    starts = _starts(rows)
    texts: dict[int, list[int]] = {}
    for version in range(len(rows.accepted)):
        sentences = _sentences(rows, starts, version)
        if sentences:
            texts.setdefault(sentences[0], []).append(version)
    return [torch.tensor(versions) for versions in texts.values()]


def _together(texts: Sequence[torch.Tensor], size: int) -> Iterator[torch.Tensor]:
    rest = iter(texts)
    while part := list(islice(rest, size)):
        yield torch.cat(part)


def train_taught(
    settings: ReaderTeacher, encoder: str | Path, network: PriceNetwork, rows: Rows
) -> tuple[TaughtLayers, list[float]]:
    """Return trained layers, and the mean loss of each epoch."""
    torch.manual_seed(settings.seed)
    context = Context(encoder, settings.layers, half=True)
    layers = TaughtLayers(network, rows, settings, context)
    inside = {id(p) for p in context.parameters()}
    texts = _by_text(rows)
    return layers, fit_layers(
        layers,
        rows,
        settings,
        [
            (p, settings.encoder_rate, _ENCODER_DECAY)
            if id(p) in inside
            else (p, settings.rate, settings.decay)
            for p in layers.parameters()
        ],
        lambda: list(
            _together([texts[i] for i in torch.randperm(len(texts)).tolist()], settings.texts)
        ),
        _CLIP,
    )


def probabilities(layers: TaughtLayers, rows: Rows, together: int) -> list[float]:
    """Return the probability that each version is accepted."""
    found = torch.zeros(len(rows.accepted))
    with torch.no_grad():
        for versions in _together(_by_text(rows), together):
            found[versions] = layers(rows, versions.numpy()).exp()
    chances: list[float] = found.tolist()
    return chances

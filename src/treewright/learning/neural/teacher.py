"""`Teacher`: the same network over the vectors of a pretrained transformer, whose opinion of the
pairs a small network learns from.

A teacher finds several versions of a sentence good, and says how good each is; the pair has only
the one that somebody happened to choose. Nothing of the transformer is in the model that is taught.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.learning.checks import check_whole
from treewright.learning.neural.examples import Example, NeuralData, Source
from treewright.learning.neural.learner import NeuralCRF, use_torch
from treewright.progress import SILENT, Progress
from treewright.pruning.chains import sum_chains

if TYPE_CHECKING:
    from treewright.learning.neural.network import PruningNetwork

_TOKENS = 1500
"""Tokens looked at together."""


@dataclass(frozen=True, kw_only=True)
class Teacher:
    """Fits a network with a transformer to pairs.

    `rate` is the peak of the learning rate, `encoder_rate` that of the transformer, of which the
    first `layers` are used, in bfloat16; `node`, `gap` and `seam` are as in `NeuralCRF`.
    """

    layers: int = 8
    epochs: int = 1
    rate: float = 1e-3
    encoder_rate: float = 6e-5
    dropout: float = 0.3
    tokens: int = 800
    node: int = 256
    gap: int = 192
    seam: int = 64
    seed: int = 1

    def __post_init__(self) -> None:
        check_whole("layers", self.layers)
        self._learner()

    def _learner(self) -> NeuralCRF:
        shared = {field.name: getattr(self, field.name) for field in fields(self)}
        return NeuralCRF(**{name: value for name, value in shared.items() if name != "layers"})

    def fit(
        self, encoder: str | Path, data: NeuralData, *, progress: Progress = SILENT
    ) -> PruningNetwork:
        """Train from the parser's encoder and the transformer in the folder `encoder`."""
        use_torch()
        from treewright.learning.neural.training import train
        from treewright.parsing.embedded.training.context import Context

        learner = self._learner()
        network = learner.begin(data, Context(encoder, self.layers, half=True))
        train(network, data.examples, learner, progress=progress)
        return network


def ask(
    network: PruningNetwork, examples: Sequence[Example], *, progress: Progress = SILENT
) -> list[Example]:
    """Return examples with the opinions of a network, each in the example's own style.

    A sentence is read once for all its styles.
    """
    from treewright.parsing.embedded.training.examples import batches

    network.eval()
    styles: dict[int, list[int]] = {}
    sources: dict[int, Source] = {}
    for example in examples:
        sources.setdefault(id(example.source), example.source)
        styles.setdefault(id(example.source), []).append(example.style)
    found: dict[tuple[int, int], NDArray[np.float16]] = {}
    groups = batches(list(sources.values()), _TOKENS, None)
    for group in progress.track(groups, "asking the teacher", len(groups)):
        found.update(_opinions(network, group, styles))
    return [replace(e, opinion=found[id(e.source), e.style]) for e in examples]


def _opinions(
    network: PruningNetwork, sources: Sequence[Source], styles: Mapping[int, Sequence[int]]
) -> Iterator[tuple[tuple[int, int], NDArray[np.float16]]]:
    """Yield what a network makes of sources, longest first, in each of their styles."""
    import torch

    from treewright.learning.neural.network import pairs_of
    from treewright.learning.neural.training import each_part, values_of

    views = [source.view() for source in sources]
    nothing = np.zeros(0, np.int32)
    with torch.no_grad():
        states = network.read(sources)
    for style in sorted({style for source in sources for style in styles[id(source)]}):
        rows = [row for row, source in enumerate(sources) if style in styles[id(source)]]
        asked = [Example(sources[row], style, nothing) for row in rows]
        looked = [views[row] for row in rows]
        with torch.no_grad():
            values = values_of(network.score(states[rows], asked, looked))
        for example, view, own in zip(asked, looked, each_part(values, looked), strict=True):
            chances = sum_chains(own.weigh(view)).chances[pairs_of(len(example))]
            yield (id(example.source), style), chances.astype(np.float16)

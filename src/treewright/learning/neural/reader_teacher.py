"""`ReaderTeacher`: what readers mind, learned over a pretrained transformer, for others to learn.

Verdicts are few, and a small network's states do not tell everything that readers mind. The same
sums over losses and seams (`ReaderLearner`), over the vectors of a transformer beside these states,
tell much more. So a teacher learns from the verdicts, and is asked about many other versions; small
layers learn from both. Nothing of the transformer is in a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.errors import DataError
from treewright.learning.acceptance import Example
from treewright.learning.checks import check_number, check_whole
from treewright.learning.neural.learner import use_torch
from treewright.learning.neural.readers import without_layers
from treewright.pruning.encoded import EncodedPruning

if TYPE_CHECKING:
    from treewright.learning.neural.reader_layers import Rows
    from treewright.learning.neural.reader_vectors import TaughtLayers


@dataclass(kw_only=True)
class ReaderTeacher:
    """Fits layers over a transformer to verdicts, and then gives its opinion of other versions.

    `rate` is the peak of the learning rate, `encoder_rate` that of the transformer, of which the
    first `layers` are used, in bfloat16; of its vectors, `joined` numbers a word stand beside the
    network's states. `texts` are read together; the rest is as in `ReaderLearner`. After `fit`:
    `losses_`, one per epoch.
    """

    layers: int = 8
    joined: int = 256
    width: int = 96
    epochs: int = 3
    rate: float = 1e-3
    encoder_rate: float = 6e-5
    decay: float = 0.1
    dropout: float = 0.4
    penalty: float = 10.0
    least: int = 3
    texts: int = 40
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("layers", "joined", "width", "epochs", "texts", "least"):
            check_whole(name, getattr(self, name))
        for name in ("rate", "encoder_rate"):
            check_number(name, getattr(self, name), above=0.0)
        for name in ("decay", "penalty"):
            check_number(name, getattr(self, name), least=0.0)
        check_number("dropout", self.dropout, least=0.0, below=1.0)
        check_whole("seed", self.seed, least=0)

    def fit(
        self, encoder: str | Path, pruning: EncodedPruning, examples: Sequence[Example]
    ) -> ReaderTeacher:
        """Learn from examples, with the transformer in the folder `encoder` beside a network."""
        use_torch()
        from treewright.learning.neural.reader_layers import Rows
        from treewright.learning.neural.reader_vectors import train_taught

        if not any(each.losses for each in examples):
            raise DataError("there is no loss to learn from")
        self._network = without_layers(pruning).network
        self._rows: Rows = Rows.of(self._network, examples, self.least)
        self._layers: TaughtLayers
        self._layers, self.losses_ = train_taught(self, encoder, self._network, self._rows)
        return self

    def opinions(self, examples: Sequence[Example]) -> list[Example]:
        """Return examples with the probability that readers accept them in place of a verdict.

        Those in which nothing is lost are left out.
        """
        from treewright.learning.neural.reader_vectors import probabilities

        asked = [each for each in examples if each.losses or len(each.seams)]
        rows = self._rows.like(self._network, asked)
        chances = probabilities(self._layers, rows, self.texts)
        return [replace(each, accepted=chance) for each, chance in zip(asked, chances, strict=True)]

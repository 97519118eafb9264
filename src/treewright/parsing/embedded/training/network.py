"""The network as torch trains it: word vectors, a two-layer BiLSTM, scores of tags and spans.

`treewright.parsing.embedded.network` computes the same without torch. A teacher has one more input,
the vectors of a pretrained transformer; the rest is the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from treewright.parsing.embedded.inventory import END, START, Inventory
from treewright.parsing.embedded.training.context import Context
from treewright.parsing.embedded.training.examples import Example
from treewright.parsing.embedded.training.settings import Schedule, Sizes
from treewright.parsing.embedded.wordforms import BUCKETS


class Inputs(NamedTuple):
    """A batch of sentences, longest first, between start and end symbols."""

    words: torch.Tensor
    types: torch.Tensor
    spellings: torch.Tensor
    spelling_starts: torch.Tensor
    treebanks: torch.Tensor
    lengths: torch.Tensor
    starts: torch.Tensor
    """The row of each span's start among all positions between words; `ends` likewise."""
    ends: torch.Tensor
    sentences: list[tuple[str, ...]]


class Encoder:
    """Numbers the words of batches and remembers the spelling features of each word."""

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self._spellings: dict[str, list[int]] = {START: [], END: []}

    def batch(self, examples: list[Example], treebanks: list[int]) -> Inputs:
        """Number a batch whose sentences come longest first, and list their spans."""
        numbered = self.number([example.words for example in examples], treebanks)
        rows_i, rows_j = span_rows(numbered.lengths.numpy(), numbered.words.shape[1] - 1)
        return numbered._replace(starts=torch.from_numpy(rows_i), ends=torch.from_numpy(rows_j))

    def number(self, sentences: list[tuple[str, ...]], treebanks: list[int]) -> Inputs:
        """Number the words of a batch whose sentences come longest first, without any spans."""
        width = len(sentences[0]) + 2
        numbers: dict[str, int] = {}
        words = np.zeros((len(sentences), width), np.int64)
        types = np.zeros((len(sentences), width), np.int64)
        for row, sentence in enumerate(sentences):
            forms = [START, *(self.inventory.normal_form(word) for word in sentence), END]
            for column, form in enumerate(forms):
                words[row, column] = self.inventory.word(form)
                types[row, column] = numbers.setdefault(form, len(numbers))
        flat: list[int] = []
        starts: list[int] = []
        for form in numbers:
            if form not in self._spellings:
                self._spellings[form] = self.inventory.spelling(form)
            starts.append(len(flat))
            flat.extend(self._spellings[form])
        return Inputs(
            words=torch.from_numpy(words),
            types=torch.from_numpy(types),
            spellings=torch.tensor(flat, dtype=torch.int64),
            spelling_starts=torch.tensor(starts, dtype=torch.int64),
            treebanks=torch.tensor(treebanks),
            lengths=torch.tensor([len(sentence) for sentence in sentences]),
            starts=torch.empty(0, dtype=torch.int64),
            ends=torch.empty(0, dtype=torch.int64),
            sentences=sentences,
        )


def span_rows(lengths: np.ndarray, places: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the ends of all spans, given `places` positions per sentence."""
    starts, ends = [], []
    for sentence, n in enumerate(lengths.tolist()):
        i, j = np.triu_indices(n + 1, 1)
        starts.append(i + sentence * places)
        ends.append(j + sentence * places)
    return np.concatenate(starts), np.concatenate(ends)


class StateNetwork(nn.Module):
    """Words → states: vectors of words and spellings through a two-layer BiLSTM."""

    def __init__(
        self,
        inventory: Inventory,
        sizes: Sizes,
        *,
        dropout: float = Schedule.dropout,
        context: Context | None = None,
    ) -> None:
        super().__init__()
        self.sizes = sizes
        self.context = context
        self.words = nn.Embedding(len(inventory.words), sizes.word)
        self.spellings = nn.EmbeddingBag(BUCKETS, sizes.word, mode="sum")
        self.treebanks = nn.Embedding(len(inventory.treebanks), sizes.word)
        extra = context.width if context is not None else 0
        self.lstm = nn.LSTM(
            sizes.word + extra,
            sizes.hidden,
            num_layers=1,
            bidirectional=True,
            batch_first=True,
        )
        self.upper = nn.LSTM(
            2 * sizes.hidden, sizes.hidden, num_layers=1, bidirectional=True, batch_first=True
        )
        self.set_noise(inventory, dropout)

    def set_noise(self, inventory: Inventory, dropout: float) -> None:
        """Set how many units training drops, and how often it hides words by their count."""
        self.dropout = dropout
        # A word of count c is hidden in 0.8 / (0.8 + c) of its occurrences, so the vector of
        # unknown words learns from the rare ones; start and end symbols never are.
        counts = torch.tensor(inventory.counts or [10**9] * len(inventory.words)).float()
        counts[1:3] = 1e9
        self.register_buffer("unknown_rate", 0.8 / (0.8 + counts), persistent=False)

    def states(self, inputs: Inputs) -> torch.Tensor:
        """Return the upper layer's states, one row per token, between those of start and end."""
        vectors = self._vectors(inputs)
        states = self._run(self.lstm, vectors, inputs.lengths)
        return self._run(self.upper, self._drop(states), inputs.lengths)

    def _vectors(self, inputs: Inputs) -> torch.Tensor:
        words = inputs.words
        if self.training:
            unknown = torch.rand(words.shape) < self.unknown_rate[words]
            words = words.masked_fill(unknown, 0)
        spelled = self.spellings(inputs.spellings, inputs.spelling_starts)
        vectors = self.words(words) + spelled[inputs.types]
        vectors = vectors + self.treebanks(inputs.treebanks)[:, None, :]
        vectors = self._drop(vectors, self.dropout / 2)
        if self.context is None:
            return vectors
        seen = self.context(inputs.sentences, words.shape[1])
        return torch.cat([vectors, self._drop(seen)], dim=2)

    def _drop(self, states: torch.Tensor, rate: float | None = None) -> torch.Tensor:
        """Drop the same units at every token of a sentence."""
        rate = self.dropout if rate is None else rate
        if not self.training or not rate:
            return states
        kept = torch.rand(states.shape[0], 1, states.shape[2]) >= rate
        return states * kept / (1 - rate)

    def _run(self, lstm: nn.LSTM, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Read every sentence from both ends, and what fills up a row only after its sentence.

        Torch's own way to read sentences of several lengths from both ends takes twice the time.
        """
        width = vectors.shape[1]
        reverse = (lengths[:, None] + 1 - torch.arange(width)).clamp(min=0)
        forward = self._read(lstm, vectors, "")
        backward = _reorder(self._read(lstm, _reorder(vectors, reverse), "_reverse"), reverse)
        real = torch.arange(width) < lengths[:, None] + 2
        return torch.cat([forward, backward], dim=2) * real[:, :, None]

    def _read(self, lstm: nn.LSTM, vectors: torch.Tensor, suffix: str) -> torch.Tensor:
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        weights = [getattr(lstm, name + suffix) for name in names]
        start = vectors.new_zeros(1, len(vectors), lstm.hidden_size)
        states, _, _ = torch.lstm(
            vectors, (start, start), weights, True, 1, 0.0, self.training, False, True
        )
        return states


def _reorder(vectors: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    return vectors.gather(1, places[:, :, None].expand(-1, -1, vectors.shape[2]))


class SpanNetwork(StateNetwork):
    """Scores the tags of tokens and the labels of spans."""

    def __init__(
        self,
        inventory: Inventory,
        sizes: Sizes,
        *,
        dropout: float = Schedule.dropout,
        context: Context | None = None,
    ) -> None:
        super().__init__(inventory, sizes, dropout=dropout, context=context)
        self.tags = nn.Linear(2 * sizes.hidden, len(inventory.tags))
        self.span_start = nn.Linear(2 * sizes.hidden, sizes.span)
        self.span_end = nn.Linear(2 * sizes.hidden, sizes.span, bias=False)
        # Label 0, "no constituent", has the constant score 0.
        self.span_label = nn.Linear(sizes.span, len(inventory.labels) - 1)
        for table in (self.words, self.treebanks):
            nn.init.normal_(table.weight, std=0.1)
        nn.init.normal_(self.spellings.weight, std=0.05)

    def forward(self, inputs: Inputs) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores of tags (one row per token) and of labels (one row per span)."""
        states = self._drop(self.states(inputs))
        real = torch.arange(states.shape[1] - 2) < inputs.lengths[:, None]
        tags = self.tags(states[:, 1:-1][real])
        forward, backward = states.chunk(2, dim=2)
        between = torch.cat([forward[:, :-1], backward[:, 1:]], dim=2).flatten(0, 1)
        hidden = self.span_start(between).index_select(0, inputs.starts)
        hidden = torch.relu(hidden + self.span_end(between).index_select(0, inputs.ends))
        labels = self.span_label(self._drop(hidden[None], self.dropout / 2)[0])
        return tags, nn.functional.pad(labels, (1, 0))

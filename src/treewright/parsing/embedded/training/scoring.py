"""What a network in training predicts: the scores from which labels and trees are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch

from treewright.parsing.embedded._kernels import best_spans
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.parser import THRESHOLD
from treewright.parsing.embedded.training.examples import Example, batches
from treewright.parsing.embedded.training.network import Encoder, SpanNetwork
from treewright.progress import SILENT, Progress
from treewright.trees import Tree

_BATCH = 1500
"""Tokens processed together by the network."""


class Scored(NamedTuple):
    """A sentence by its position, with the scores of its tags and of its spans, one row each."""

    place: int
    tags: np.ndarray
    spans: np.ndarray


def score_sentences(
    network: SpanNetwork,
    inventory: Inventory,
    sentences: Sequence[Sequence[str]],
    treebank: str,
    progress: Progress = SILENT,
) -> Iterator[Scored]:
    """Yield the scores of sentences without dropout, those of similar length together."""
    number = inventory.treebank(treebank)
    weights = np.zeros(0, np.float32)
    empty = (np.zeros((0, 3), np.int32), weights, np.zeros((0, 2), np.int32), weights)
    examples = [Example(tuple(words), number, *empty) for words in sentences]
    place = {id(example): i for i, example in enumerate(examples)}
    encoder = Encoder(inventory)
    groups = batches(examples, _BATCH, None)
    network.eval()
    for group in progress.track(groups, f"parsing as {treebank}", total=len(groups)):
        with torch.no_grad():
            tags, spans = network(encoder.batch(group, [number] * len(group)))
        token = row = 0
        for example in group:
            n = len(example)
            rows = n * (n + 1) // 2
            yield Scored(
                place[id(example)],
                tags[token : token + n].numpy(),
                spans[row : row + rows].numpy(),
            )
            token += n
            row += rows


def parse_with(
    network: SpanNetwork, inventory: Inventory, sentences: Sequence[Sequence[str]], treebank: str
) -> list[Tree]:
    """Parse by a network in training, as the run-time parser would."""
    trees: dict[int, Tree] = {}
    for place, tags, scores in score_sentences(network, inventory, sentences, treebank):
        words = sentences[place]
        spans = np.empty((2 * len(words), 3), np.int32)
        count = best_spans(scores, len(words), np.float32(THRESHOLD), inventory.whole, spans)
        trees[place] = inventory.tree(words, tags.argmax(axis=1), spans[:count])
    return [trees[place] for place in range(len(sentences))]

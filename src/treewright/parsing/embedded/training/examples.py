"""Sentences to learn from: a gold tree, or the probabilities that a teacher gives to spans."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.pieces import group
from treewright.parsing.embedded.spans import spans_of
from treewright.trees import Tree

Item = TypeVar("Item", bound=Sized)


@dataclass(frozen=True)
class Example:
    """One sentence with what is to be predicted: weighted span labels and token tags.

    A gold tree has weights of 1. A teacher's weights are its marginal probabilities, which are all
    that the gradient of the cross-entropy between two tree distributions needs.
    """

    words: tuple[str, ...]
    treebank: int
    spans: NDArray[np.int32]
    """Rows of start, end, label."""
    span_weights: NDArray[np.float32]
    tags: NDArray[np.int32]
    """Rows of token, tag."""
    tag_weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words)


def gold_example(tree: Tree, treebank: int, inventory: Inventory) -> Example:
    """Make an example from a tree, leaving out unknown labels and tags."""
    spans = [(s.start, s.end, inventory.label(s.label)) for s in spans_of(tree)]
    spans = [span for span in spans if span[2]]
    numbers = [inventory.tag_numbers.get(leaf.label, -1) for leaf in tree.preterminals()]
    tags = [(place, number) for place, number in enumerate(numbers) if number >= 0]
    return Example(
        words=tree.words(),
        treebank=treebank,
        spans=np.array(spans, np.int32).reshape(-1, 3),
        span_weights=np.ones(len(spans), np.float32),
        tags=np.array(tags, np.int32).reshape(-1, 2),
        tag_weights=np.ones(len(tags), np.float32),
    )


def batches(
    examples: Sequence[Item], tokens: int, random: np.random.Generator | None
) -> list[list[Item]]:
    """Group sentences of similar length into batches of about `tokens` tokens, longest first
    inside.

    With `random`, the order of batches and of sentences of similar length is drawn from it.
    """
    lengths = np.array([len(example) for example in examples])
    # Lengths are blurred so that the batches of a sentence differ between epochs.
    keys = lengths + (random.uniform(0, 3, len(examples)) if random is not None else 0)
    order = np.argsort(keys, kind="stable").tolist()
    groups = [
        sorted((examples[place] for place in places), key=len, reverse=True)
        for places in group(order, lengths.tolist(), tokens)
    ]
    if random is not None:
        groups = [groups[int(place)] for place in random.permutation(len(groups))]
    return groups

"""A language model as one array of nodes, which kernels walk.

Nodes are n-grams: node 0 is the empty one, node `1 + w` the unigram of word `w`, and the n-grams of
each order follow those of the order below. Those that begin with the same n-gram stand together,
sorted by their last words: the children of node `x` are `nodes[x].first … nodes[x + 1].first - 1`.
The last node is a sentinel that ends the children of the one before it.

One record holds everything a step needs about a node, so a step touches little memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs

UNKNOWN, BEGIN, END = 0, 1, 2
"""The numbers of the words that every model has."""
MAX_ORDER = 6
SPECIAL = ("<unk>", "<s>", "</s>")

NODE = np.dtype(
    [
        ("first", np.int32),
        ("word", np.int32),
        ("suffix", np.int32),
        ("state", np.int32),
        ("log_prob", np.float32),
        ("back_off", np.float32),
    ]
)
"""A node: its first child, its last word, the n-gram without its first word, the context that it
leaves (see `leave_states`), and natural logarithms of its probability and its back-off weight.
"""

NgramArrays: TypeAlias = NDArray[np.void]
"""Records of `NODE`: everything that the kernels need of a model."""


@dataclass(frozen=True, eq=False)
class Level:
    """The n-grams of an order, sorted by (`parent`, `word`).

    `parent` and `suffix` are positions in the level below: the n-grams without the last and without
    the first word. Both are 0 for unigrams.
    """

    parent: Ints
    word: Ints
    suffix: Ints
    log_prob: Floats
    back_off: Floats

    def __len__(self) -> int:
        return self.word.size


def join_levels(levels: Sequence[Level]) -> NgramArrays:
    """Put the n-grams of all orders, from unigrams up, into one array."""
    start = np.cumsum([1, *map(len, levels)])
    nodes: NgramArrays = np.zeros(int(start[-1]) + 1, NODE)
    nodes["first"] = start[-1]
    nodes["first"][0] = 1
    for order, level in enumerate(levels):
        at = slice(start[order], start[order + 1])
        nodes["word"][at] = level.word
        nodes["log_prob"][at] = level.log_prob
        nodes["back_off"][at] = level.back_off
        if order:
            below = slice(start[order - 1], start[order])
            children = np.bincount(level.parent, minlength=len(levels[order - 1]))
            nodes["first"][below] = start[order] + np.cumsum(children) - children
            nodes["suffix"][at] = start[order - 1] + level.suffix
    leave_states(nodes, start)
    return nodes


def leave_states(nodes: NgramArrays, start: Longs) -> None:
    """Set which context matters after each n-gram: its longest suffix that can.

    An n-gram can matter if the model has a longer one that begins with it, or a back-off weight
    for it. Histories that leave the same context are indistinguishable to the model.
    """
    has_children = nodes["first"][1:] > nodes["first"][:-1]
    matters = has_children | (nodes["back_off"][:-1] != 0)
    for begin, end in itertools.pairwise(start):
        own = np.arange(begin, end, dtype=np.int32)
        shorter = nodes["state"][nodes["suffix"][begin:end]]
        nodes["state"][begin:end] = np.where(matters[begin:end], own, shorter)


def level_starts(nodes: NgramArrays) -> list[int]:
    """Return where each order starts, and the number of nodes."""
    starts, end = [1], nodes.size - 1
    while starts[-1] < end:
        starts.append(int(nodes["first"][starts[-1]]))
    return starts


def check_nodes(nodes: NgramArrays, num_words: int) -> None:
    """Raise a `ValueError` if a kernel could step out of the array or never end, or a number is
    no logarithm of a probability or a weight.
    """
    end = nodes.size - 1
    if nodes.dtype != NODE or nodes.ndim != 1 or end < 1 + num_words:
        raise ValueError("not the nodes of a language model")
    first, suffix, state, word = (nodes[name] for name in ("first", "suffix", "state", "word"))
    number = np.arange(end + 1)
    if (
        first[0] != 1
        or first[1] != 1 + num_words
        or first[end] != end
        or (np.diff(first) < 0).any()
        or (first[:-1] <= number[:-1]).any()
        or not np.array_equal(word[1 : 1 + num_words], number[:num_words])
        or word.min() < 0
        or word.max() >= num_words
        or (suffix[1:end] < 0).any()
        or (suffix[1:end] >= number[1:end]).any()
        or (state < 0).any()
        or (state >= end).any()
    ):
        raise ValueError("the nodes of the language model do not fit together")
    if not (nodes["log_prob"] <= 0).all():
        raise ValueError("a log-probability is a number not greater than 0")
    if not np.isfinite(nodes["back_off"]).all():
        raise ValueError("a back-off weight is a finite number")

"""The network that prices prunings, at run time: what `learning.neural` trains, without torch.

It reads the sentence with an encoder of the parser's kind, then looks at each node and gap:

    drop(x) = w · relu(A h[head of x] + B h[head of x's parent] + C h[first of x] + D h[last of x]
                       + labels of x and its parent + whether x is its head + length of x)
              + Σ_{tokens i of x} u · h[i]
    gap(g)  = v · relu(E h[left end] + F h[right end] + labels + kind)
    seam(i, j) = t · relu(G h[i] + H h[j] + labels of i and j + distance)

where `h` are the states of words. `surprise(i, j)` is a layer like `seam`: how much less expected
`j` is after `i` than it was in the source, as a language model found (`learning.neural.surprise`).
`regret(x)`, like the first term of `drop`, and `clash(i, j)`, like `seam`, are log-odds that
readers mind that `x` is gone, and that `i` and `j` became neighbours (`learning.neural.readers`).

The biases say what an editor does who has no limit. A network may have others for one who may keep
only a share of the words: then what must go first is another matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.parsing.embedded import (
    STATE,
    Array,
    Arrays,
    Codes,
    Factor,
    Inventory,
    check_shapes,
    encoder_shapes,
)
from treewright.pruning.encoded._kernels import (
    DISTANCES,
    GapTables,
    NodeTables,
    SeamTables,
    hidden_gaps,
    hidden_nodes,
    score_neighbours,
    sum_prices,
)
from treewright.pruning.encoded.places import KINDS, SPECIAL, Places
from treewright.pruning.gaps import Prices

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

if TYPE_CHECKING:
    from treewright.parsing.embedded import Encoder

SEEN = (
    *("node_head", "node_parent", "node_first", "node_last"),
    *("gap_left", "gap_right"),
    *("seam_left", "seam_right"),
    *("surprise_left", "surprise_right"),
    *("regret_head", "regret_parent", "regret_first", "regret_last"),
    *("clash_left", "clash_right"),
    "token",
)
"""Matrices over the states of words, which are all applied in one product, in the order in which
kernels look for them."""
SEAM, SURPRISE, CLASH = "seam", "surprise", "clash"
"""The layers that look at two tokens as neighbours; a network need not have them."""
REGRET = "regret"
"""The layer that says what readers think of a loss; a network need not have it."""
SHARES = "shares"
"""The shares of words for which there are biases of their own, in rising order, below 1."""
TIGHTENED = ("node", "gap", SEAM, "token")
"""The layers whose biases depend on them."""


class PriceNetwork:
    """The network's arrays by name, the words its encoder knows and the labels of its tables."""

    def __init__(
        self, inventory: Inventory, labels: tuple[str, ...], arrays: Mapping[str, Array]
    ) -> None:
        self.inventory = inventory
        self.labels = labels
        self.arrays = known = Arrays.of(arrays)
        self.numbers = {label: number for number, label in enumerate(labels)}
        self._lay_tables()
        seen = [name for name in SEEN if name in known]
        self._seen = Factor.of(known.stacked(seen), STATE)
        widths = [known.shape(name)[0] for name in seen]
        self._columns = {
            name: slice(end - width, end)
            for name, width, end in zip(seen, widths, accumulate(widths), strict=True)
        }
        self._tighter: dict[float, PriceNetwork] = {}

    def _lay_tables(self) -> None:
        """Lay out what the layers add to the states of words."""
        arrays = self.arrays
        # Part of a layer is none: what is missing is then reported.
        present = {name.partition("_")[0] for name in arrays}
        self._nodes = {
            layer: NodeTables(*[arrays[f"{layer}_{name}"] for name in NodeTables._fields])
            for layer in ("node", REGRET)
            if layer in present
        }
        self._gaps = GapTables(*[arrays[f"gap_{name}"] for name in GapTables._fields])
        self._seams = {
            layer: SeamTables(*[arrays[f"{layer}_{name}"] for name in SeamTables._fields])
            for layer in (SEAM, SURPRISE, CLASH)
            if layer in present
        }

    def at(self, share: float) -> PriceNetwork:
        """Return the network for versions that may have this share of the words.

        Between two shares that it knows, its biases are between theirs.
        """
        if SHARES not in self.arrays or share >= 1.0:
            return self
        share = max(share, float(self.arrays[SHARES][0]))
        if share not in self._tighter:
            # The copy shares the encoder, if there is one before.
            _ = self.encoder
            made = copy(self)
            others = self.arrays.select(lambda name: not name.endswith(SHARES))
            made.arrays = others | self._biases(share)
            made._lay_tables()
            self._tighter[share] = made
        return self._tighter[share]

    def _biases(self, share: float) -> dict[str, Array]:
        known = np.append(self.arrays[SHARES], np.float32(1.0))
        above = int(np.searchsorted(known, share, side="right"))
        part = np.float32((share - known[above - 1]) / (known[above] - known[above - 1]))
        biases = {}
        for layer in TIGHTENED:
            if f"{layer}_{SHARES}" in self.arrays:
                rows = [*self.arrays[f"{layer}_{SHARES}"], self.arrays[f"{layer}_bias"]]
                biases[f"{layer}_bias"] = (1 - part) * rows[above - 1] + part * rows[above]
        return biases

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder, whose kernels are loaded when it first reads."""
        from treewright.parsing.embedded import Encoder

        return Encoder(self.inventory, self.arrays)

    def see(self, states: Codes) -> Array:
        """Return what the layers above the encoder compute from the states of words, all
        at once.
        """
        return self._seen.times(states)

    def prices(self, places: Places, seen: Array) -> Prices:
        """Return the price of every gap and of dropping every node, given what is seen of words."""
        arrays = self.arrays
        nodes = hidden_nodes(seen, 0, places, self._nodes["node"])
        gaps = hidden_gaps(seen, self._columns["gap_left"].start, places, self._gaps)
        biases = [arrays[f"{name}_bias"][0] for name in ("node_out", "gap_out", "token")]
        own, between = nodes @ arrays["node_out"], gaps @ arrays["gap_out"]
        tokens = seen[:, self._columns["token"].start]
        return Prices(*sum_prices(own, between, tokens, places.first, places.last, *biases))

    def regrets(self, places: Places, seen: Array) -> Floats | None:
        """Return the log-odds that readers mind the loss of every node, if the network knows."""
        tables = self._nodes.get(REGRET)
        if tables is None:
            return None
        arrays = self.arrays
        nodes = hidden_nodes(seen, self._columns["regret_head"].start, places, tables)
        own = nodes @ arrays["regret_out"]
        regrets: Floats = own.astype(np.float64) + arrays["regret_out_bias"][0]
        return regrets

    def neighbours(self, layer: str, labels: Ints, seen: Array) -> Floats | None:
        """Return what a layer says of every two tokens as neighbours, given their labels.

        The ends of the sentence have a row and a column, too. Without the layer, it is nothing.
        """
        tables = self._seams.get(layer)
        if tables is None:
            return None
        arrays = self.arrays
        left, right = (seen[:, self._columns[f"{layer}_{side}"]] for side in ("left", "right"))
        scores: Floats = score_neighbours(
            left, right, tables, labels, arrays[f"{layer}_out"], arrays[f"{layer}_out_bias"][0]
        )
        return scores

    def check(self) -> None:
        """Raise a `ValueError` or `KeyError` if the arrays do not fit together."""
        arrays = self.arrays
        word, hidden = arrays.shape("words")[1], arrays.shape("lower_forward_state")[1]
        wanted = encoder_shapes(self.inventory, word, hidden)
        wanted |= head_shapes(
            len(self.labels),
            2 * hidden,
            {layer: len(arrays[f"{layer}_bias"]) for layer in self._nodes},
            len(arrays["gap_bias"]),
            {layer: len(arrays[f"{layer}_bias"]) for layer in self._seams},
        )
        if SHARES in arrays:
            wanted |= self._share_shapes()
        check_shapes(arrays, wanted)
        if self.labels[: len(SPECIAL)] != SPECIAL or len(self.numbers) != len(self.labels):
            raise ValueError(f"labels must begin with {', '.join(SPECIAL)}, and differ")
        if not self.inventory.treebanks:
            raise ValueError("the encoder has no treebank")

    def _share_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes of what the network knows about shares, if they are in order."""
        shares = self.arrays[SHARES]
        if not (
            len(shares) and shares[0] > 0.0 and shares[-1] < 1.0 and np.all(np.diff(shares) > 0)
        ):
            raise ValueError("shares must rise from above 0 to below 1")
        return {
            f"{layer}_{SHARES}": (len(shares), *self.arrays[f"{layer}_bias"].shape)
            for layer in TIGHTENED
            if f"{layer}_bias" in self.arrays
        }


def head_shapes(
    labels: int, state: int, nodes: Mapping[str, int], gap: int, seams: Mapping[str, int]
) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array above the encoder, for these widths; `nodes` and `seams` have
    those of the layers that look at nodes and at neighbours.
    """
    widths = {**nodes, "gap": gap, **seams}
    wanted: dict[str, tuple[int, ...]] = {
        **{
            name: (widths[kind], state)
            for name in SEEN
            if (kind := name.partition("_")[0]) in widths
        },
        "token": (1, state),
        "token_bias": (1,),
        "gap_left_label": (labels, gap),
        "gap_right_label": (labels, gap),
        "gap_label": (labels, gap),
        "gap_kind": (KINDS, gap),
    }
    for layer, width in nodes.items():
        wanted |= {
            f"{layer}_label": (labels, width),
            f"{layer}_parent_label": (labels, width),
            f"{layer}_is_head": (2, width),
            f"{layer}_length": (2, width),
        }
    for layer, width in seams.items():
        wanted |= {
            f"{layer}_left_label": (labels, width),
            f"{layer}_right_label": (labels, width),
            f"{layer}_distance": (DISTANCES, width),
        }
    for name, width in widths.items():
        wanted |= {f"{name}_bias": (width,), f"{name}_out": (width,), f"{name}_out_bias": (1,)}
    return wanted


def measures(places: Places) -> Array:
    """Return the length of each node, in two forms that the network can use."""
    length = places.last - places.first + 1
    return np.stack([length / 10.0, np.log(length)], axis=1).astype(np.float32)

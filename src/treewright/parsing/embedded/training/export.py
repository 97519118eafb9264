"""A torch network ↔ the plain arrays of the run-time network."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.training.network import SpanNetwork
from treewright.parsing.embedded.training.settings import Sizes
from treewright.parsing.embedded.weights import Array, Weights

_NAMES = {
    "words": "words.weight",
    "spellings": "spellings.weight",
    "treebanks": "treebanks.weight",
    "tags_weight": "tags.weight",
    "tags_bias": "tags.bias",
    "start_weight": "span_start.weight",
    "start_bias": "span_start.bias",
    "end_weight": "span_end.weight",
    "label_weight": "span_label.weight",
    "label_bias": "span_label.bias",
}
_SIDES = {
    f"{layer}_{direction}": (module, suffix)
    for layer, module in (("lower", "lstm"), ("upper", "upper"))
    for direction, suffix in (("forward", ""), ("backward", "_reverse"))
}
for _side, (_module, _suffix) in _SIDES.items():
    _NAMES[f"{_side}_input"] = f"{_module}.weight_ih_l0{_suffix}"
    _NAMES[f"{_side}_state"] = f"{_module}.weight_hh_l0{_suffix}"
"""Torch's name of each array; torch keeps two biases of an LSTM, whose sum is all that counts."""


def export(network: SpanNetwork, inventory: Inventory, metadata: dict[str, Any]) -> Weights:
    """Return the weights under the names that `Weights` gives them; a teacher's do not fit."""
    if network.context is not None:
        raise ValueError("a network with a transformer cannot be exported")
    found: dict[str, Array] = {
        name: np.asarray(tensor.detach().numpy(), np.float32)
        for name, tensor in network.named_parameters()
    }
    arrays = {name: found[theirs] for name, theirs in _NAMES.items()}
    for side, (module, suffix) in _SIDES.items():
        biases = [found[f"{module}.bias_{kind}_l0{suffix}"] for kind in ("ih", "hh")]
        arrays[f"{side}_bias"] = biases[0] + biases[1]
    return Weights(inventory, arrays, metadata)


def network_of(weights: Weights, inventory: Inventory) -> SpanNetwork:
    """Return a network that starts from a parser's weights; `inventory` has its symbols."""
    arrays = weights.arrays
    sizes = Sizes(
        word=arrays["words"].shape[1],
        hidden=arrays["lower_forward_state"].shape[1],
        span=arrays["start_bias"].shape[0],
    )
    network = SpanNetwork(inventory, sizes)
    tensors = dict(network.named_parameters())
    with torch.no_grad():
        for name, theirs in _NAMES.items():
            tensors[theirs].copy_(torch.from_numpy(arrays[name]))
        for side, (module, suffix) in _SIDES.items():
            tensors[f"{module}.bias_ih_l0{suffix}"].copy_(torch.from_numpy(arrays[f"{side}_bias"]))
            tensors[f"{module}.bias_hh_l0{suffix}"].zero_()
    return network

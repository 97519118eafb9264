"""A torch network ↔ the plain arrays of the run-time network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from treewright.parsing.embedded.arrays import Array
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.training.network import SpanNetwork, StateNetwork
from treewright.parsing.embedded.training.settings import Sizes
from treewright.parsing.embedded.weights import Weights

_ENCODER = {
    "words": "words.weight",
    "spellings": "spellings.weight",
    "treebanks": "treebanks.weight",
}
_HEADS = {
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
    _ENCODER[f"{_side}_input"] = f"{_module}.weight_ih_l0{_suffix}"
    _ENCODER[f"{_side}_state"] = f"{_module}.weight_hh_l0{_suffix}"
"""Torch's name for each array; torch has two biases per LSTM, of which only the sum matters."""


def export(network: SpanNetwork, inventory: Inventory, metadata: dict[str, Any]) -> Weights:
    """Return the weights under the names in `Weights`; a teacher's do not fit."""
    if network.context is not None:
        raise ValueError("a network with a transformer cannot be exported")
    found = dict(network.named_parameters())
    arrays = {name: to_array(found[theirs]) for name, theirs in _HEADS.items()}
    return Weights(inventory, {**encoder_arrays(network), **arrays}, metadata)


def network_of(weights: Weights, inventory: Inventory) -> SpanNetwork:
    """Return a network that starts from a parser's weights; `inventory` has its symbols."""
    network = SpanNetwork(inventory, sizes_of(weights))
    fill_encoder(network, weights.arrays)
    tensors = dict(network.named_parameters())
    with torch.no_grad():
        for name, theirs in _HEADS.items():
            tensors[theirs].copy_(torch.from_numpy(weights.arrays[name]))
    return network


def sizes_of(weights: Weights) -> Sizes:
    """Return the widths of a parser's layers."""
    arrays = weights.arrays
    return Sizes(
        word=arrays["words"].shape[1],
        hidden=arrays["lower_forward_state"].shape[1],
        span=arrays["start_bias"].shape[0],
    )


def to_array(tensor: torch.Tensor) -> Array:
    """Return a copy of a tensor as a plain array, since training may continue."""
    return np.array(tensor.detach().numpy(), np.float32)


def encoder_arrays(network: StateNetwork) -> dict[str, Array]:
    """Return the arrays of a network's encoder."""
    found = dict(network.named_parameters())
    arrays = {name: to_array(found[theirs]) for name, theirs in _ENCODER.items()}
    for side, (module, suffix) in _SIDES.items():
        biases = [to_array(found[f"{module}.bias_{kind}_l0{suffix}"]) for kind in ("ih", "hh")]
        arrays[f"{side}_bias"] = biases[0] + biases[1]
    return arrays


def fill_encoder(network: StateNetwork, arrays: Mapping[str, Array]) -> None:
    """Undo `encoder_arrays`; what a teacher's encoder has beyond the arrays stays as it is."""
    tensors = dict(network.named_parameters())
    with torch.no_grad():
        for name, theirs in _ENCODER.items():
            array = torch.from_numpy(arrays[name])
            tensors[theirs][:, : array.shape[1]].copy_(array)
        for side, (module, suffix) in _SIDES.items():
            tensors[f"{module}.bias_ih_l0{suffix}"].copy_(torch.from_numpy(arrays[f"{side}_bias"]))
            tensors[f"{module}.bias_hh_l0{suffix}"].zero_()

"""A trained torch network → plain arrays for the run-time network."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.training.network import SpanNetwork
from treewright.parsing.embedded.weights import Array, Weights


def export(network: SpanNetwork, inventory: Inventory, metadata: dict[str, Any]) -> Weights:
    """Return the weights under the names that `Weights` gives them; a teacher's do not fit."""
    if network.context is not None:
        raise ValueError("a network with a transformer cannot be exported")
    found: dict[str, Array] = {
        name: np.asarray(tensor.detach().numpy(), np.float32)
        for name, tensor in network.named_parameters()
    }
    arrays = {
        "words": found["words.weight"],
        "spellings": found["spellings.weight"],
        "treebanks": found["treebanks.weight"],
        "tags_weight": found["tags.weight"],
        "tags_bias": found["tags.bias"],
        "start_weight": found["span_start.weight"],
        "start_bias": found["span_start.bias"],
        "end_weight": found["span_end.weight"],
        "label_weight": found["span_label.weight"],
        "label_bias": found["span_label.bias"],
    }
    for layer, name in (("lower", "lstm"), ("upper", "upper")):
        for direction, suffix in (("forward", ""), ("backward", "_reverse")):
            arrays[f"{layer}_{direction}_input"] = found[f"{name}.weight_ih_l0{suffix}"]
            arrays[f"{layer}_{direction}_state"] = found[f"{name}.weight_hh_l0{suffix}"]
            arrays[f"{layer}_{direction}_bias"] = (
                found[f"{name}.bias_ih_l0{suffix}"] + found[f"{name}.bias_hh_l0{suffix}"]
            )
    return Weights(inventory, arrays, metadata)

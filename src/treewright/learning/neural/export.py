"""A trained network → the pruning used at run time, in the mean of some of its styles.

Where only a share of the words may stay, it is that of other styles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import nn

from treewright.learning.neural.network import NODE_STATES, SEAM_SIDES, PruningNetwork
from treewright.parsing.embedded import Array
from treewright.parsing.embedded.training.export import encoder_arrays, to_array
from treewright.pruning.encoded import SEAM, SHARES, EncodedPruning, PriceNetwork


def export(
    network: PruningNetwork,
    labels: tuple[str, ...],
    styles: Sequence[int],
    shares: Mapping[float, Sequence[int]] | None = None,
) -> EncodedPruning:
    """Return the network in the mean of styles, whose vectors become part of the biases.

    `shares` are the styles of versions that may have only a share of the words.
    """
    arrays = encoder_arrays(network)
    for name in NODE_STATES:
        arrays[f"node_{name}"] = to_array(network.node_states[name].weight)
    for name, table in network.node_tables.items():
        arrays[f"node_{name}"] = to_array(table.weight)
    for name, projection in network.gap_states.items():
        arrays[name] = to_array(projection.weight)
    for name, table in network.gap_tables.items():
        arrays[name] = to_array(table.weight)
    arrays["node_length"] = to_array(network.node_length.weight.T.contiguous())
    arrays |= {f"{layer}_bias": bias for layer, bias in _biases(network, styles).items()}
    outs = {"node": network.node_out, "gap": network.gap_out}
    if network.seam:
        outs["seam"] = network.seam_out
        arrays |= _seams(network)
    for name, out in outs.items():
        arrays[f"{name}_out"] = to_array(out.weight[0])
        arrays[f"{name}_out_bias"] = to_array(out.bias)
    arrays["token"] = to_array(network.token.weight)
    if shares:
        arrays |= _shares(network, shares)
    inventory = replace(network.encoder.inventory, counts=())
    return EncodedPruning(PriceNetwork(inventory, labels, arrays))


def _biases(network: PruningNetwork, styles: Sequence[int]) -> dict[str, Array]:
    """Return what the mean of styles makes of the bias of each layer."""
    biases = {
        "node": network.node_length.bias + _mean(network.node_style, styles),
        "gap": _mean(network.gap_style, styles),
        "token": network.token.bias + _mean(network.token_style, styles),
    }
    if network.seam:
        biases[SEAM] = _mean(network.seam_style, styles)
    return {layer: to_array(bias) for layer, bias in biases.items()}


def _shares(network: PruningNetwork, shares: Mapping[float, Sequence[int]]) -> dict[str, Array]:
    """Return the shares, and the biases of each, a row each."""
    rows = [_biases(network, shares[share]) for share in sorted(shares)]
    arrays = {f"{layer}_{SHARES}": np.stack([row[layer] for row in rows]) for layer in rows[0]}
    return {SHARES: np.array(sorted(shares), dtype=np.float32), **arrays}


def _seams(network: PruningNetwork) -> dict[str, Array]:
    arrays = {"seam_distance": to_array(network.seam_distance.weight)}
    for name in SEAM_SIDES:
        arrays[name] = to_array(network.seam_states[name].weight)
        arrays[f"{name}_label"] = to_array(network.seam_labels[name].weight)
    return arrays


def _mean(table: nn.Embedding, styles: Sequence[int]) -> torch.Tensor:
    return table.weight[list(styles)].mean(dim=0)

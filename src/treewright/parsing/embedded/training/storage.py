"""Training files in the model format: checkpoints to resume from and teachers to learn from."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from treewright.errors import ModelFileError
from treewright.modelfile import pack_array, read_kind, read_model, unpack_array, write_model
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.training.context import Context
from treewright.parsing.embedded.training.export import network_of
from treewright.parsing.embedded.training.network import SpanNetwork
from treewright.parsing.embedded.training.settings import Sizes
from treewright.parsing.embedded.training.trainer import Trainer
from treewright.parsing.embedded.weights import KIND, Weights

CHECKPOINT = "parser-checkpoint"
TEACHER = "parser-teacher"


def write_checkpoint(path: str | Path, trainer: Trainer, about: dict[str, Any]) -> None:
    """Save everything that the rest of a run depends on; `about` identifies the run."""
    parts = {**network_parts(trainer.network), **optimizer_parts(trainer.optimizer)}
    write_model(path, kind=CHECKPOINT, parts=parts, metadata={**about, "steps": trainer.steps})


def read_checkpoint(path: str | Path, trainer: Trainer, run: dict[str, Any]) -> dict[str, Any]:
    """Restore a trainer from a checkpoint, and return what `write_checkpoint` was given.

    `run` must equal what the checkpoint says about its run.
    """
    parts, about = read_model(path, kind=CHECKPOINT)
    if about["run"] != run:
        changed = sorted(name for name in run if run[name] != about["run"].get(name))
        raise ModelFileError(
            f"the checkpoint is of a run with other settings or data ({', '.join(changed)}); "
            "repeat them, or leave --resume out",
            where=str(path),
        )
    fill_network(trainer.network, parts)
    fill_optimizer(trainer.optimizer, parts)
    trainer.steps = int(about["steps"])
    return about


def write_teacher(
    path: str | Path, network: SpanNetwork, inventory: Inventory, about: dict[str, Any]
) -> None:
    """Write a network of any kind, including the layers of a transformer, in full precision."""
    parts = {"inventory.json": inventory.to_json(), **network_parts(network)}
    metadata = {
        **about,
        "sizes": asdict(network.sizes),
        "encoder_layers": network.context.layers if network.context else 0,
        "encoder_half": network.context is not None and network.context.half,
    }
    write_model(path, kind=TEACHER, parts=parts, metadata=metadata)


def read_teacher(path: str | Path, encoder: str | Path | None) -> tuple[SpanNetwork, Inventory]:
    """Read a teacher; `encoder` is the folder of the transformer it was trained with.

    A parser can be a teacher too, without an encoder.
    """
    if encoder is None and read_kind(path) == KIND:
        weights = Weights.read(path)
        return network_of(weights, weights.inventory), weights.inventory
    parts, about = read_model(path, kind=TEACHER)
    inventory = Inventory.from_json(parts["inventory.json"])
    layers = int(about["encoder_layers"])
    if layers and encoder is None:
        raise ModelFileError(
            "this teacher needs the --encoder it was trained with", where=str(path)
        )
    half = bool(about.get("encoder_half", False))
    context = Context(encoder, layers, half=half) if layers and encoder is not None else None
    network = SpanNetwork(inventory, Sizes(**about["sizes"]), context=context)
    try:
        fill_network(network, parts)
    except (KeyError, RuntimeError) as error:
        raise ModelFileError(
            f"this teacher was trained with another --encoder ({error})", where=str(path)
        ) from None
    return network, inventory


def network_parts(network: torch.nn.Module) -> dict[str, bytes]:
    """Return the learned tensors; frozen ones come with the transformer."""
    return {
        f"network/{name}.npy": _pack(tensor)
        for name, tensor in network.named_parameters()
        if tensor.requires_grad
    }


def fill_network(network: torch.nn.Module, parts: dict[str, bytes]) -> None:
    """Undo `network_parts`."""
    with torch.no_grad():
        for name, tensor in network.named_parameters():
            if tensor.requires_grad:
                tensor.copy_(_unpack(parts[f"network/{name}.npy"]))


def optimizer_parts(optimizer: torch.optim.Optimizer) -> dict[str, bytes]:
    """Return what an optimizer remembers of its steps."""
    return {
        f"optimizer/{number}.{name}.npy": _pack(tensor)
        for number, state in optimizer.state_dict()["state"].items()
        for name, tensor in state.items()
    }


def fill_optimizer(optimizer: torch.optim.Optimizer, parts: dict[str, bytes]) -> None:
    """Undo `optimizer_parts`."""
    state = optimizer.state_dict()
    state["state"] = {}
    for name, part in parts.items():
        if name.startswith("optimizer/"):
            number, field = name.removeprefix("optimizer/").removesuffix(".npy").split(".", 1)
            state["state"].setdefault(int(number), {})[field] = _unpack(part)
    optimizer.load_state_dict(state)


def _pack(tensor: torch.Tensor) -> bytes:
    return pack_array(np.asarray(tensor.detach().cpu().numpy()))


def _unpack(part: bytes) -> torch.Tensor:
    return torch.from_numpy(np.array(unpack_array(part)))

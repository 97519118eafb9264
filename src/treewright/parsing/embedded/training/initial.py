"""Characters that begin with what a pretrained transformer knows of them."""

from __future__ import annotations

from pathlib import Path

import torch

from treewright.parsing.embedded.chinese import character_bucket
from treewright.parsing.embedded.inventory import SPECIAL, Inventory
from treewright.parsing.embedded.training.network import StateNetwork

_SPREAD = 0.1
"""The standard deviation of the vectors, that of word vectors before training."""


def begin_with(network: StateNetwork, inventory: Inventory, folder: str | Path) -> int:
    """Set the vectors of characters to the transformer's, and return of how many it has one.

    Its table is reduced to the network's width by principal components. Words begin as the sum of
    their characters then.
    """
    numbers, table = _pieces(folder)
    characters = sorted({c for word in inventory.words if word not in SPECIAL for c in word})
    known = [character for character in characters if character in numbers]
    if not known:
        return 0
    vectors = reduced(table[[numbers[character] for character in known]], network.sizes.word)
    with torch.no_grad():
        network.spellings.weight[[character_bucket(c) for c in known]] = vectors
    return len(known)


def _pieces(folder: str | Path) -> tuple[dict[str, int], torch.Tensor]:
    from transformers import AutoModel, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    model = AutoModel.from_pretrained(str(folder), local_files_only=True)
    return tokenizer.get_vocab(), model.get_input_embeddings().weight.detach()


def reduced(table: torch.Tensor, width: int) -> torch.Tensor:
    """Return rows of `width` numbers whose distances are as near to the table's as can be."""
    centred = table - table.mean(dim=0)
    _, axes = torch.linalg.eigh(centred.T @ centred)
    axes = axes[:, -width:]
    # The sign of an axis is arbitrary; fixed, the same table gives the same vectors.
    axes = axes * torch.sign(axes.sum(dim=0))
    found = centred @ axes
    found = torch.nn.functional.pad(found, (0, width - found.shape[1]))
    return found * (_SPREAD / found.std().clamp(min=1e-8))

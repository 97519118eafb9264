"""The training loop: conditional likelihood of targets, by inside-outside on their forests.

Torch knows nothing about forests. The network gives the prices of all nodes and gaps; the forest
gives the gradient of the log-likelihood at each of them, how often the target uses it minus how
often it is expected to be used; and torch carries that back through the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from treewright.forest import add_expected_counts
from treewright.learning.neural.examples import Example
from treewright.learning.neural.network import PruningNetwork
from treewright.parsing.embedded.training.examples import batches
from treewright.parsing.embedded.training.trainer import rate_share
from treewright.progress import SILENT, Progress


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How long and how fast to learn."""

    epochs: int
    rate: float
    encoder_rate: float
    tokens: int
    warmup: float = 0.1
    """The share of all steps in which the rate rises."""
    seed: int = 1


def train(
    network: PruningNetwork,
    examples: Sequence[Example],
    schedule: Schedule,
    *,
    progress: Progress = SILENT,
) -> list[float]:
    """Fit a network to examples; return the loss per token for every epoch."""
    encoder = {id(parameter) for parameter in _encoder_parameters(network)}
    heads = [p for p in network.parameters() if id(p) not in encoder]
    optimizer = torch.optim.AdamW(
        [
            {"params": heads, "peak": schedule.rate},
            {"params": _encoder_parameters(network), "peak": schedule.encoder_rate},
        ],
        lr=schedule.rate,
        betas=(0.9, 0.98),
        weight_decay=0.01,
    )
    total = schedule.epochs * len(batches(examples, schedule.tokens, None))
    losses: list[float] = []
    steps = 0
    for epoch in range(1, schedule.epochs + 1):
        random = np.random.default_rng([schedule.seed, epoch])
        torch.manual_seed(schedule.seed * 1000 + epoch)
        network.train()
        loss = 0.0
        groups = batches(examples, schedule.tokens, random)
        for batch in progress.track(groups, f"epoch {epoch}", len(groups)):
            share = rate_share(steps, total, schedule.warmup)
            for settings in optimizer.param_groups:
                settings["lr"] = settings["peak"] * share
            loss += _step(network, optimizer, batch)
            steps += 1
        losses.append(loss / sum(map(len, examples)))
        progress.say(f"epoch {epoch}: loss {losses[-1]:.4f}")
    network.eval()
    return losses


def _encoder_parameters(network: PruningNetwork) -> list[torch.nn.Parameter]:
    parts = (network.words, network.spellings, network.treebanks, network.lstm, network.upper)
    return [parameter for part in parts for parameter in part.parameters()]


def _step(
    network: PruningNetwork, optimizer: torch.optim.Optimizer, batch: Sequence[Example]
) -> float:
    drops, gaps = network(batch)
    loss, slope_of_drops, slope_of_gaps = slopes(
        batch, drops.detach().numpy().astype(np.float64), gaps.detach().numpy().astype(np.float64)
    )
    tokens = sum(map(len, batch))
    optimizer.zero_grad(set_to_none=True)
    torch.autograd.backward(
        [drops, gaps],
        [
            torch.from_numpy(slope.astype(np.float32)) / tokens
            for slope in (slope_of_drops, slope_of_gaps)
        ],
    )
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss


def slopes(
    batch: Sequence[Example], drops: np.ndarray, gaps: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the loss of a batch, and its gradient at each price of a node and of a gap."""
    loss = 0.0
    of_drops, of_gaps = np.zeros_like(drops), np.zeros_like(gaps)
    node = gap = 0
    for example in batch:
        nodes = slice(node, node + example.source.num_nodes)
        between = slice(gap, gap + example.source.num_gaps)
        prices = np.concatenate([drops[nodes], gaps[between]])
        expected = np.zeros_like(prices)
        total = add_expected_counts(example.source.forest, prices, expected)
        loss += total - float(prices @ example.gold)
        slope = expected - example.gold
        of_drops[nodes], of_gaps[between] = np.split(slope, [example.source.num_nodes])
        node, gap = nodes.stop, between.stop
    return loss, of_drops, of_gaps

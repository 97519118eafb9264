"""The training loop: conditional likelihood of targets, by sums over the chains of their sources.

Torch knows nothing about trees. The network gives the prices of all nodes and gaps and the scores
of neighbours; the chains of kept tokens give the gradient of the log-likelihood at each of them,
how often the target uses it minus how often it is expected to be used; and torch carries that back
through the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from treewright.learning.neural.examples import Example, View
from treewright.learning.neural.network import PruningNetwork, pairs_of
from treewright.parsing.embedded.training.examples import batches
from treewright.parsing.embedded.training.trainer import rate_share
from treewright.progress import SILENT, Progress
from treewright.pruning import Prices
from treewright.pruning.chains import sum_chains

Floats = NDArray[np.float64]


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
    views = [example.source.view() for example in batch]
    scores = network(batch, views)
    loss, gradient = slopes(
        batch, views, *(part.detach().numpy().astype(np.float64) for part in scores)
    )
    tokens = sum(map(len, batch))
    optimizer.zero_grad(set_to_none=True)
    torch.autograd.backward(
        list(scores), [torch.from_numpy(part.astype(np.float32)) / tokens for part in gradient]
    )
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss


def slopes(
    batch: Sequence[Example], views: Sequence[View], drops: Floats, gaps: Floats, seams: Floats
) -> tuple[float, tuple[Floats, Floats, Floats]]:
    """Return the loss of a batch, and its gradient at each price and score."""
    loss = 0.0
    gradient = np.zeros_like(drops), np.zeros_like(gaps), np.zeros_like(seams)
    node = gap = pair = 0
    for example, view in zip(batch, views, strict=True):
        pairs = pairs_of(len(example))
        nodes = slice(node, node + len(view.places.head))
        between = slice(gap, gap + len(view.places.gap_kind))
        own = slice(pair, pair + len(pairs[0]))
        scores = view.chain.weigh(Prices(gaps[between], drops[nodes]))
        scores[pairs] += seams[own]
        gold = view.chain.uses(example.kept.tolist())
        total, chances = sum_chains(scores)
        loss += total - float(scores[gold > 0.0].sum())
        surplus = chances - gold
        gradient[1][between], gradient[0][nodes] = view.chain.spread(surplus)
        gradient[2][own] = surplus[pairs]
        node, gap, pair = nodes.stop, between.stop, own.stop
    return loss, gradient

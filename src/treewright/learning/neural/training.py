"""The training loop: conditional likelihood of targets, by sums over the chains of their sources.

Torch knows nothing about trees. The network gives the prices of all nodes and gaps and the scores
of neighbours; the chains of kept tokens give the gradient of the log-likelihood at each of them,
how often the target uses it minus how often it is expected to be used; and torch carries that back
through the network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from treewright.arrays import Floats
from treewright.learning.neural.examples import Example, View
from treewright.learning.neural.network import PruningNetwork, Scores, pairs_of
from treewright.modelfile import read_model, write_model
from treewright.parsing.embedded.training.examples import batches
from treewright.parsing.embedded.training.storage import (
    fill_network,
    fill_optimizer,
    network_parts,
    optimizer_parts,
)
from treewright.parsing.embedded.training.trainer import rate_share
from treewright.progress import SILENT, Progress
from treewright.pruning import Prices
from treewright.pruning.chains import sum_chains

if TYPE_CHECKING:
    from treewright.learning.neural.learner import NeuralCRF

CHECKPOINT = "pruning-checkpoint"
_WARMUP = 0.1
"""The share of all steps in which the learning rate rises."""


class Values(NamedTuple):
    """Prices of nodes and gaps, and scores of neighbours, as plain numbers: all of a batch, or all
    of an example.
    """

    drops: Floats
    gaps: Floats
    seams: Floats

    def weigh(self, view: View) -> Floats:
        """Return what each pair of neighbours of one example weighs."""
        scores = view.chain.weigh(Prices(self.gaps, self.drops))
        scores[pairs_of(len(scores) - 2)] += self.seams
        return scores


def train(
    network: PruningNetwork,
    examples: Sequence[Example],
    settings: NeuralCRF,
    *,
    checkpoint: Path | None = None,
    progress: Progress = SILENT,
) -> list[float]:
    """Fit a network to examples; return the loss per token for every epoch.

    What there is after each epoch is stored as the `checkpoint`; a run that finds it there goes on,
    and ends with the same weights as if it had not been interrupted.
    """
    encoder = {id(parameter) for parameter in _encoder_parameters(network)}
    heads = [p for p in network.parameters() if id(p) not in encoder]
    optimizer = torch.optim.AdamW(
        [
            {"params": heads, "peak": settings.rate},
            {"params": _encoder_parameters(network), "peak": settings.encoder_rate},
        ],
        lr=settings.rate,
        betas=(0.9, 0.98),
        weight_decay=0.01,
        fused=True,
    )
    total = settings.epochs * len(batches(examples, settings.tokens, None))
    losses: list[float] = []
    steps = 0
    if checkpoint is not None and checkpoint.exists():
        losses, steps = _go_on(checkpoint, network, optimizer)
        progress.say(f"{checkpoint}: goes on after epoch {len(losses)}")
    for epoch in range(len(losses) + 1, settings.epochs + 1):
        random = np.random.default_rng([settings.seed, epoch])
        torch.manual_seed(settings.seed * 1000 + epoch)
        network.train()
        loss = 0.0
        groups = batches(examples, settings.tokens, random)
        for batch in progress.track(groups, f"epoch {epoch}", len(groups)):
            share = rate_share(steps, total, _WARMUP)
            for group in optimizer.param_groups:
                group["lr"] = group["peak"] * share
            loss += _step(network, optimizer, batch, settings.taught)
            steps += 1
        losses.append(loss / sum(map(len, examples)))
        progress.say(f"epoch {epoch}: loss {losses[-1]:.4f}")
        if checkpoint is not None:
            parts = {**network_parts(network), **optimizer_parts(optimizer)}
            about = {"losses": losses, "steps": steps}
            write_model(checkpoint, kind=CHECKPOINT, parts=parts, metadata=about)
    network.eval()
    return losses


def _go_on(
    checkpoint: Path, network: PruningNetwork, optimizer: torch.optim.Optimizer
) -> tuple[list[float], int]:
    """Restore what a checkpoint has, and return the losses and the number of steps so far."""
    parts, about = read_model(checkpoint, kind=CHECKPOINT)
    fill_network(network, parts)
    fill_optimizer(optimizer, parts)
    return list(map(float, about["losses"])), int(about["steps"])


def _encoder_parameters(network: PruningNetwork) -> list[torch.nn.Parameter]:
    parts: tuple[torch.nn.Module, ...]
    if network.context is not None:
        parts = (network.context,)
    else:
        parts = (network.words, network.spellings, network.treebanks, network.lstm, network.upper)
    return [parameter for part in parts for parameter in part.parameters()]


def _step(
    network: PruningNetwork,
    optimizer: torch.optim.Optimizer,
    batch: Sequence[Example],
    taught: float,
) -> float:
    views = [example.source.view() for example in batch]
    scores = network(batch, views)
    loss, gradient = slopes(batch, views, values_of(scores), taught)
    tokens = sum(map(len, batch))
    optimizer.zero_grad(set_to_none=True)
    learned = [
        (part, torch.from_numpy(slope.astype(np.float32)) / tokens)
        for part, slope in zip(scores, gradient, strict=True)
        if part.requires_grad
    ]
    torch.autograd.backward(*map(list, zip(*learned, strict=True)))
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss


def values_of(scores: Scores) -> Values:
    """Return the numbers of what a network gives."""
    return Values(*(part.detach().numpy().astype(np.float64) for part in scores))


def slopes(
    batch: Sequence[Example],
    views: Sequence[View],
    values: Values,
    taught: float,
) -> tuple[float, Values]:
    """Return the loss of a batch, and its gradient at each price and score.

    The loss is the cross-entropy to the target, mixed with a teacher's opinion: all that its
    gradient needs of the teacher is how probable it finds each pair of neighbours.
    """
    loss = 0.0
    gradient = Values(*map(np.zeros_like, values))
    parts = zip(each_part(values, views), each_part(gradient, views), strict=True)
    for example, view, (own, slope) in zip(batch, views, parts, strict=True):
        scores = own.weigh(view)
        wanted = _wanted(example, view, taught)
        total, chances = sum_chains(scores)
        used = wanted > 0.0
        loss += total - float(scores[used] @ wanted[used])
        surplus = chances - wanted
        slope.gaps[:], slope.drops[:] = view.chain.spread(surplus)
        slope.seams[:] = surplus[pairs_of(len(example))]
    return loss, gradient


def each_part(values: Values, views: Sequence[View]) -> Iterator[Values]:
    """Yield the part of each example, which changes with the whole."""
    node = gap = pair = 0
    for view in views:
        length = int(view.chain.tree.right[0])
        ends = (
            node + len(view.places.head),
            gap + len(view.places.gap_kind),
            pair + len(pairs_of(length)[0]),
        )
        yield Values(
            values.drops[node : ends[0]], values.gaps[gap : ends[1]], values.seams[pair : ends[2]]
        )
        node, gap, pair = ends


def _wanted(example: Example, view: View, taught: float) -> Floats:
    """Return how often each pair of neighbours should be used."""
    wanted = view.chain.uses(example.kept.tolist())
    if example.opinion is not None:
        wanted *= 1.0 - taught
        wanted[pairs_of(len(example))] += taught * example.opinion
    return wanted

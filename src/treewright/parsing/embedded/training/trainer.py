"""The training loop: its batches, its loss, and a learning rate that rises and falls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from treewright.parsing.embedded._kernels import expectations
from treewright.parsing.embedded.inventory import Inventory
from treewright.parsing.embedded.training.examples import Example, batches
from treewright.parsing.embedded.training.network import Encoder, SpanNetwork
from treewright.parsing.embedded.training.settings import Schedule
from treewright.progress import SILENT, Progress

_QUOTES = {"``", "''", '"', "“", "”"}
_STRAIGHT = '"'


def varied(examples: Sequence[Example], random: np.random.Generator) -> list[Example]:
    """Write the double quotes of every other sentence that has any as straight ones."""
    chosen = random.random(len(examples)) < 0.5
    return [
        _straight(example) if flag and not _QUOTES.isdisjoint(example.words) else example
        for example, flag in zip(examples, chosen.tolist(), strict=True)
    ]


def _straight(example: Example) -> Example:
    words = tuple(_STRAIGHT if word in _QUOTES else word for word in example.words)
    return replace(example, words=words)


class _TreeCrossEntropy(torch.autograd.Function):
    """Sum of log-partitions minus expected scores under the weights; gradient by marginals."""

    @staticmethod
    def forward(
        ctx: Any,
        scores: torch.Tensor,
        lengths: np.ndarray,
        cells: torch.Tensor,
        weights: torch.Tensor,
    ) -> torch.Tensor:
        values = scores.detach().numpy()
        slope = np.empty_like(values)
        whole = expectations(values, lengths, slope)
        gradient = torch.from_numpy(slope)
        expected = (scores.detach().view(-1)[cells] * weights).sum()
        gradient.view(-1).index_add_(0, cells, weights, alpha=-1)
        ctx.save_for_backward(gradient)
        return torch.tensor(whole) - expected

    @staticmethod
    def backward(ctx: Any, above: torch.Tensor) -> tuple[torch.Tensor, None, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * above, None, None, None


def tree_loss(scores: torch.Tensor, examples: list[Example]) -> torch.Tensor:
    """Return the cross-entropy of the examples' spans, summed over the batch."""
    lengths = np.array([len(example) for example in examples])
    offset = 0
    cells, weights = [], []
    for example, n in zip(examples, lengths.tolist(), strict=True):
        i, j = example.spans[:, 0].astype(np.int64), example.spans[:, 1]
        row = i * n - i * (i - 1) // 2 + j - i - 1
        cells.append((offset + row) * scores.shape[1] + example.spans[:, 2])
        weights.append(example.span_weights)
        offset += n * (n + 1) // 2
    loss: torch.Tensor = _TreeCrossEntropy.apply(
        scores,
        lengths,
        torch.from_numpy(np.concatenate(cells)),
        torch.from_numpy(np.concatenate(weights)),
    )
    return loss


def tag_loss(scores: torch.Tensor, examples: list[Example]) -> torch.Tensor:
    """Return the cross-entropy of the examples' tags, summed over the batch."""
    offsets = np.cumsum([0] + [len(example) for example in examples])
    tokens = np.concatenate(
        [e.tags[:, 0] + offset for e, offset in zip(examples, offsets, strict=False)]
    )
    tags = np.concatenate([example.tags[:, 1] for example in examples])
    weights = torch.from_numpy(np.concatenate([example.tag_weights for example in examples]))
    log = torch.log_softmax(scores, dim=1)
    chosen = log[torch.from_numpy(tokens).long(), torch.from_numpy(tags).long()]
    return -(chosen * weights).sum()


class Trainer:
    """Fits a network to examples, epoch by epoch; the same seed gives the same weights."""

    def __init__(
        self,
        network: SpanNetwork,
        inventory: Inventory,
        schedule: Schedule,
        steps_each: int,
        progress: Progress = SILENT,
    ) -> None:
        self.network = network
        self.encoder = Encoder(inventory)
        self.schedule = schedule
        self.progress = progress
        self.steps = 0
        self.total = max(1, steps_each * schedule.epochs)
        context = list(network.context.parameters()) if network.context is not None else []
        own = {id(parameter) for parameter in context}
        context = [parameter for parameter in context if parameter.requires_grad]
        rest = [p for p in network.parameters() if id(p) not in own]
        groups = [{"params": rest, "lr": schedule.rate, "peak": schedule.rate}]
        if context:
            groups.append(
                {"params": context, "lr": schedule.context_rate, "peak": schedule.context_rate}
            )
        self.optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01, fused=True)

    def epoch(self, examples: Sequence[Example], number: int) -> float:
        """Learn from every example once; return the mean loss per token."""
        random = np.random.default_rng([self.schedule.seed, number])
        torch.manual_seed(self.schedule.seed * 1000 + number)
        self.network.train()
        groups = batches(varied(examples, random), self.schedule.tokens, random)
        total, seen = 0.0, 0
        for group in self.progress.track(groups, f"epoch {number}", total=len(groups)):
            total += self._step(group, random)
            seen += sum(map(len, group))
        return total / max(seen, 1)

    def _step(self, group: list[Example], random: np.random.Generator) -> float:
        hidden = random.random(len(group)) < self.schedule.any_treebank
        treebanks = [
            0 if hide else example.treebank
            for example, hide in zip(group, hidden.tolist(), strict=True)
        ]
        tags, labels = self.network(self.encoder.batch(group, treebanks))
        loss = tree_loss(labels, group) + tag_loss(tags, group)
        tokens = sum(map(len, group))
        self.optimizer.zero_grad(set_to_none=True)
        (loss / tokens).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        share = rate_share(self.steps, self.total, self.schedule.warmup)
        for settings in self.optimizer.param_groups:
            settings["lr"] = settings["peak"] * share
        self.optimizer.step()
        self.steps += 1
        return float(loss.detach())


def rate_share(steps: int, total: int, warmup: float) -> float:
    """Return the current share of the peak rate: a linear rise, then a half cosine down."""
    done = steps / total
    if done < warmup:
        return min(1.0, (steps + 1) / (total * warmup))
    left = (done - warmup) / (1 - warmup)
    return 0.5 * (1 + math.cos(math.pi * min(left, 1.0)))

"""Cross-entropy between tree distributions, with its gradient from inside and outside sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from treewright.parsing.embedded._kernels import expectations
from treewright.parsing.embedded.training.examples import Example


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

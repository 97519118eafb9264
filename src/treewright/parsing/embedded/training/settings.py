"""Training settings, separate from torch so that the command line can show them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Widths of the network's layers."""

    word: int = 100
    hidden: int = 200
    span: int = 200


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to learn."""

    epochs: int = 12
    tokens: int = 700
    """Tokens of a batch."""
    rate: float = 2e-3
    context_rate: float = 1.5e-4
    """Learning rate of a teacher's transformer."""
    warmup: float = 0.05
    """The share of all steps in which the rate rises."""
    dropout: float = 0.35
    """The share of units dropped."""
    any_treebank: float = 0.3
    """The share of sentences whose treebank is hidden, so the parser learns to infer it from the
    text.
    """
    seed: int = 1

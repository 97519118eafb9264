"""Pruning: what only deletes. Gaps and their prices, guards, minimum Bayes risk, reasons."""

from treewright.pruning.forests import CompressionForest
from treewright.pruning.gaps import NO_GAPS, Gaps, Prices, Pruning
from treewright.pruning.heads import Tie, split_by_heads
from treewright.pruning.holding import (
    ancestors,
    bar_tokens,
    bind_tokens,
    hold,
    hold_some,
    hold_tokens,
    joined_nodes,
)
from treewright.pruning.model import DECODERS, KINDS, Model
from treewright.pruning.needing import Need
from treewright.pruning.pruner import Pruner
from treewright.pruning.reasons import Reason, reasons, tokens_of
from treewright.pruning.steps import StepPruning

__all__ = [
    "DECODERS",
    "KINDS",
    "NO_GAPS",
    "CompressionForest",
    "Gaps",
    "Model",
    "Need",
    "Prices",
    "Pruner",
    "Pruning",
    "Reason",
    "StepPruning",
    "Tie",
    "ancestors",
    "bar_tokens",
    "bind_tokens",
    "hold",
    "hold_some",
    "hold_tokens",
    "joined_nodes",
    "reasons",
    "split_by_heads",
    "tokens_of",
]

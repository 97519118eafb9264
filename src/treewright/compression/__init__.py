"""Compression: models at work on many trees, under budgets, and tuned on held-out pairs."""

from treewright.compression.budgets import Budget
from treewright.compression.rewriting import Rewriter, Rewriting
from treewright.compression.tuning import Scored, grid_search, score_model

__all__ = ["Budget", "Rewriter", "Rewriting", "Scored", "grid_search", "score_model"]

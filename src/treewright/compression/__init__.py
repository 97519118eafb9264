"""Compression: models at work on many trees, under budgets, and tuned on held-out pairs."""

from treewright.compression.budgets import Budget
from treewright.compression.rewriting import Rewriter, Rewriting
from treewright.compression.tuning import Scored, Scores, grid_search, score_model, score_models

__all__ = [
    "Budget",
    "Rewriter",
    "Rewriting",
    "Scored",
    "Scores",
    "grid_search",
    "score_model",
    "score_models",
]

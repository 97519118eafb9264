"""Compression: models at work on many trees, under budgets, and tuned on held-out pairs."""

from treewright.compression.budgets import Budget
from treewright.compression.models import AnyModel, AnyTarget, Engine, engine_of, load_model
from treewright.compression.rewriting import Rewriter, Rewriting
from treewright.compression.tuning import Scored, Scores, grid_search, score_model, score_models

__all__ = [
    "AnyModel",
    "AnyTarget",
    "Budget",
    "Engine",
    "Rewriter",
    "Rewriting",
    "Scored",
    "Scores",
    "engine_of",
    "grid_search",
    "load_model",
    "score_model",
    "score_models",
]

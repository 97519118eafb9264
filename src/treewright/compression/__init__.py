"""Compression: shortening text, rewriting trees under budgets, and tuning on held-out pairs."""

from treewright.compression.compressor import Compressor
from treewright.compression.explaining import Deletion
from treewright.compression.limits import UNLIMITED, Limit
from treewright.compression.models import AnyModel, AnyTarget, Engine, engine_of, load_model
from treewright.compression.request import Request
from treewright.compression.result import Compression, Shortened, Version
from treewright.compression.rewriting import Rewriter, Rewriting
from treewright.compression.scoring import Scores, gold_limit, score_model, score_rewriter
from treewright.pruning.guards import Keep

__all__ = [
    "UNLIMITED",
    "AnyModel",
    "AnyTarget",
    "Compression",
    "Compressor",
    "Deletion",
    "Engine",
    "Keep",
    "Limit",
    "Request",
    "Rewriter",
    "Rewriting",
    "Scores",
    "Shortened",
    "Version",
    "engine_of",
    "gold_limit",
    "load_model",
    "score_model",
    "score_rewriter",
]

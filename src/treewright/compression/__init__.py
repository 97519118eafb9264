"""Compression: shortening text, rewriting trees under budgets, and tuning on held-out pairs."""

from importlib import import_module
from typing import TYPE_CHECKING

from treewright.compression.compressor import Compressor
from treewright.compression.explaining import Deletion
from treewright.compression.items import (
    MAX_TEXT,
    Input,
    check_length,
    describe,
    describe_failure,
    item_of,
    read_item,
)
from treewright.compression.limits import UNLIMITED, Limit, Tokenizer
from treewright.compression.marking import mark_deletions, stretches
from treewright.compression.models import (
    AnyModel,
    AnyTarget,
    Engine,
    load_model,
)
from treewright.compression.prose import BoundSentence, Prose
from treewright.compression.request import Request, Text
from treewright.compression.result import Compression, Shortened, Version
from treewright.compression.rewriting import Rewriter, Rewriting
from treewright.compression.scoring import Scores, gold_limit, score_model, score_rewriter
from treewright.compression.shipped import NAMES, model_path
from treewright.compression.streaming import Awaited, Job, compress_on, compress_stream
from treewright.compression.tokenizers import NamedTokenizer, open_tokenizer
from treewright.pruning import DECODERS
from treewright.pruning.guards import Drop, Keep

if TYPE_CHECKING:
    from treewright.compression.accepting import (
        described_versions,
        prices_of_grammar,
        tagged_sentences,
        with_acceptance,
        with_surprises,
    )
    from treewright.compression.recipes import Recipe
    from treewright.compression.tuning import Scored, grid_search, score_models

_LATE = {
    "Recipe": "recipes",
    "Scored": "tuning",
    "described_versions": "accepting",
    "grid_search": "tuning",
    "prices_of_grammar": "accepting",
    "score_models": "tuning",
    "tagged_sentences": "accepting",
    "with_acceptance": "accepting",
    "with_surprises": "accepting",
}


def __getattr__(name: str) -> object:
    """Import what needs the learners when someone asks for it: shortening text does not."""
    if name in _LATE:
        return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "DECODERS",
    "MAX_TEXT",
    "NAMES",
    "UNLIMITED",
    "AnyModel",
    "AnyTarget",
    "Awaited",
    "BoundSentence",
    "Compression",
    "Compressor",
    "Deletion",
    "Drop",
    "Engine",
    "Input",
    "Job",
    "Keep",
    "Limit",
    "NamedTokenizer",
    "Prose",
    "Recipe",
    "Request",
    "Rewriter",
    "Rewriting",
    "Scored",
    "Scores",
    "Shortened",
    "Text",
    "Tokenizer",
    "Version",
    "check_length",
    "compress_on",
    "compress_stream",
    "describe",
    "describe_failure",
    "described_versions",
    "gold_limit",
    "grid_search",
    "item_of",
    "load_model",
    "mark_deletions",
    "model_path",
    "open_tokenizer",
    "prices_of_grammar",
    "read_item",
    "score_model",
    "score_models",
    "score_rewriter",
    "stretches",
    "tagged_sentences",
    "with_acceptance",
    "with_surprises",
]

"""Statistical word alignment: which words of two languages translate each other."""

from treewright.alignment.statistical.aligner import (
    METHODS,
    AlignmentSettings,
    align_text,
    align_words,
    learn,
    learned_links,
    model_of,
)
from treewright.alignment.statistical.checkpoints import CheckpointFile
from treewright.alignment.statistical.model import AlignmentModel
from treewright.alignment.statistical.numbering import Text
from treewright.alignment.statistical.symmetrization import SYMMETRIZATIONS

__all__ = [
    "METHODS",
    "SYMMETRIZATIONS",
    "AlignmentModel",
    "AlignmentSettings",
    "CheckpointFile",
    "Text",
    "align_text",
    "align_words",
    "learn",
    "learned_links",
    "model_of",
]

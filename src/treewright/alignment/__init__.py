"""Alignment: which source word each target word comes from."""

from treewright.alignment.drawing import draw_alignments
from treewright.alignment.extractive import align_extractive, align_pair, align_pairs
from treewright.alignment.reparsing import reparse, reparse_sources
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
from treewright.alignment.texts import parse_texts, parse_texts_on

__all__ = [
    "METHODS",
    "SYMMETRIZATIONS",
    "AlignmentModel",
    "AlignmentSettings",
    "CheckpointFile",
    "Text",
    "align_extractive",
    "align_pair",
    "align_pairs",
    "align_text",
    "align_words",
    "draw_alignments",
    "learn",
    "learned_links",
    "model_of",
    "parse_texts",
    "parse_texts_on",
    "reparse",
    "reparse_sources",
]

"""Alignment: which source word each target word comes from."""

from treewright.alignment.extractive import align_extractive, align_pair, align_pairs
from treewright.alignment.reparsing import reparse, reparse_sources
from treewright.alignment.statistical import (
    METHODS,
    SYMMETRIZATIONS,
    AlignmentSettings,
    Text,
    align_text,
    align_words,
)
from treewright.alignment.texts import parse_texts

__all__ = [
    "METHODS",
    "SYMMETRIZATIONS",
    "AlignmentSettings",
    "Text",
    "align_extractive",
    "align_pair",
    "align_pairs",
    "align_text",
    "align_words",
    "parse_texts",
    "reparse",
    "reparse_sources",
]

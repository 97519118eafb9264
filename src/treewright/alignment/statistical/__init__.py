"""Statistical word alignment: which words of two languages translate each other."""

from treewright.alignment.statistical.aligner import (
    METHODS,
    AlignmentSettings,
    align_text,
    align_words,
)
from treewright.alignment.statistical.numbering import Text
from treewright.alignment.statistical.symmetrization import SYMMETRIZATIONS

__all__ = [
    "METHODS",
    "SYMMETRIZATIONS",
    "AlignmentSettings",
    "Text",
    "align_text",
    "align_words",
]

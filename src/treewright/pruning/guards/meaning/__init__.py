"""Meaning-bearing material: one table of what a claim must not lose, by class."""

from treewright.pruning.guards.meaning.attributions import speaker_ties
from treewright.pruning.guards.meaning.dropped import Dropped, dropped_material
from treewright.pruning.guards.meaning.rows import FAITHFUL, NORMAL, STRICT, Row
from treewright.pruning.guards.meaning.table import (
    ROWS,
    bound_words,
    limiting_places,
    meaningful,
)

__all__ = [
    "FAITHFUL",
    "NORMAL",
    "ROWS",
    "STRICT",
    "Dropped",
    "Row",
    "bound_words",
    "dropped_material",
    "limiting_places",
    "meaningful",
    "speaker_ties",
]

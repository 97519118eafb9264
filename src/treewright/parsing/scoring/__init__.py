"""How good a parser is: evalb's labelled brackets, crossing brackets, tags, mistakes, speed."""

from treewright.parsing.scoring.evalb import score_brackets
from treewright.parsing.scoring.scores import SHORT, BracketScores
from treewright.parsing.scoring.tables import error_table, label_table, score_table
from treewright.parsing.scoring.timing import WARM_UP, Speed, parse_timed

__all__ = [
    "SHORT",
    "WARM_UP",
    "BracketScores",
    "Speed",
    "error_table",
    "label_table",
    "parse_timed",
    "score_brackets",
    "score_table",
]

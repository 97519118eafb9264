"""How good a parser is: evalb's labelled brackets, crossing brackets, tags, mistakes, speed."""

from treewright.parsing.scoring.evalb import score_brackets
from treewright.parsing.scoring.scores import SHORT, BracketScores, SentenceScore

__all__ = ["SHORT", "BracketScores", "SentenceScore", "score_brackets"]

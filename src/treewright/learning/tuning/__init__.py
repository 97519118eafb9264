"""Tuning: the weights of a few features under which a decoder's best outputs score highest.

The room knows neither decoders nor metrics: search graphs and statistics come in as arguments.
"""

from treewright.learning.tuning.driver import Method, Round, Tuned, tune
from treewright.learning.tuning.mert import Mert
from treewright.learning.tuning.mira import Mira
from treewright.learning.tuning.pro import Pro
from treewright.learning.tuning.spaces import SearchGraph, words_of

__all__ = [
    "Mert",
    "Method",
    "Mira",
    "Pro",
    "Round",
    "SearchGraph",
    "Tuned",
    "tune",
    "words_of",
]

"""Tuning: the weights of a few features under which a decoder's best outputs score highest.

The room knows neither decoders nor metrics: search graphs and statistics come in as arguments.
"""

from treewright.learning.tuning.graphs import SearchGraph

__all__ = ["SearchGraph"]

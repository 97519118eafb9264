"""Treewright learns to rewrite text from pairs of parse trees."""

__version__ = "0.1.0"

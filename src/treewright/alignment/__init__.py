"""Alignment: which source word each target word comes from."""

from treewright.alignment.extractive import align_extractive, align_pair, align_pairs

__all__ = ["align_extractive", "align_pair", "align_pairs"]

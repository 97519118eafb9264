"""Rules from trees to strings or trees, extracted from word-aligned pairs."""

from treewright.translation.ghkm.building import RuleSettings, build_rules
from treewright.translation.ghkm.files import (
    in_step,
    load_rules,
    read_aligned_trees,
    read_tree_pairs,
    save_rules,
    scan_line_trees,
    scan_links,
    scan_tree_lines,
)
from treewright.translation.ghkm.frontier import Usable, frontier_nodes, usable_constituents
from treewright.translation.ghkm.scoring import FEATURES

__all__ = [
    "FEATURES",
    "RuleSettings",
    "Usable",
    "build_rules",
    "frontier_nodes",
    "in_step",
    "load_rules",
    "read_aligned_trees",
    "read_tree_pairs",
    "save_rules",
    "scan_line_trees",
    "scan_links",
    "scan_tree_lines",
    "usable_constituents",
]

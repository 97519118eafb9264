"""Trees: the object, its files, its packed arrays, heads and grammatical relations."""

from treewright.trees.brackets import (
    MAX_DEPTH,
    escape,
    escape_token,
    format_tree,
    parse_tree,
    read_tree_lines,
    read_trees,
    scan_trees,
    unescape,
)
from treewright.trees.normalise import (
    prune_to,
    rebuild,
    root_at,
    strip_function_tags,
    strip_traces,
)
from treewright.trees.table import TreeTable
from treewright.trees.tree import Tree

__all__ = [
    "MAX_DEPTH",
    "Tree",
    "TreeTable",
    "escape",
    "escape_token",
    "format_tree",
    "parse_tree",
    "prune_to",
    "read_tree_lines",
    "read_trees",
    "rebuild",
    "root_at",
    "scan_trees",
    "strip_function_tags",
    "strip_traces",
    "unescape",
]

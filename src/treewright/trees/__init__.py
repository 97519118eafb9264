"""Trees: the object, its files, its packed arrays, heads and grammatical relations."""

from treewright.trees.brackets import (
    BRACKETS,
    MAX_DEPTH,
    escape,
    escape_token,
    format_tree,
    parse_tree,
    read_tree_lines,
    read_trees,
    scan_trees,
    unescape,
    write_brackets,
)
from treewright.trees.heads import PUNCTUATION_TAGS, base_label, head_child, word_set
from treewright.trees.normalise import (
    BINARIZATIONS,
    MARK,
    ROOT,
    TRACE,
    binarize,
    prune_to,
    rebuild,
    root_at,
    strip_function_tags,
    strip_traces,
    with_words,
)
from treewright.trees.packed import PackedTrees, Vocabulary
from treewright.trees.table import TreeArrays, TreeTable
from treewright.trees.tree import Tree

__all__ = [
    "BINARIZATIONS",
    "BRACKETS",
    "MARK",
    "MAX_DEPTH",
    "PUNCTUATION_TAGS",
    "ROOT",
    "TRACE",
    "PackedTrees",
    "Tree",
    "TreeArrays",
    "TreeTable",
    "Vocabulary",
    "base_label",
    "binarize",
    "escape",
    "escape_token",
    "format_tree",
    "head_child",
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
    "with_words",
    "word_set",
    "write_brackets",
]

"""Attributes: what a feature may look at, of a dropped node, of a gap, and of a lost token.

An attribute is a small function from the surroundings to one value a node, a gap or a token; its
name is that of the function. Features are conjunctions of attributes (`templates.py`), so a new one
is a function here and a line there.
"""

from treewright.pruning.features.attributes import gaps, nodes, tokens
from treewright.pruning.features.attributes.registry import GAP, NODE, TOKEN, Attribute

__all__ = ["GAP", "NODE", "TOKEN", "Attribute", "gaps", "nodes", "tokens"]

"""Attributes: what a feature may look at in a dropped node, a gap or a lost token.

An attribute is a small function from the surroundings to one value per node, gap or token; it takes
the name of the function. Features are conjunctions of attributes (`templates.py`), so a new
attribute is a function here and a line there.
"""

from treewright.pruning.features.attributes import gaps, nodes, tokens
from treewright.pruning.features.attributes.registry import GAP, NODE, TOKEN, Attribute

__all__ = ["GAP", "NODE", "TOKEN", "Attribute", "gaps", "nodes", "tokens"]

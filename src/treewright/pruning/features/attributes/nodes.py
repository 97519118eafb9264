"""Attributes of a node that may be dropped, and of what is around it."""

from __future__ import annotations

import numpy as np

from treewright.pruning.features.attributes.registry import Values, bucket, of_node
from treewright.pruning.features.surroundings import Surroundings

# What a node is.


@of_node
def label(tree: Surroundings) -> Values:
    """Its label."""
    return tree.label[:-1]


@of_node
def production(tree: Surroundings) -> Values:
    """What it consists of: its children's labels, or its word."""
    return tree.production[:-1]


@of_node
def words(tree: Surroundings) -> Values:
    """The number of its tokens, roughly."""
    return bucket((tree.last - tree.first)[:-1] + 1)


@of_node
def head_tag(tree: Surroundings) -> Values:
    """The tag of its head."""
    return tree.tag[tree.head[:-1]]


@of_node
def head_word(tree: Surroundings) -> Values:
    """The word of its head."""
    return tree.word[tree.head[:-1]]


@of_node
def first_tag(tree: Surroundings) -> Values:
    """The tag of its first token."""
    return tree.tag[tree.first[:-1]]


@of_node
def first_word(tree: Surroundings) -> Values:
    """The word of its first token."""
    return tree.word[tree.first[:-1]]


@of_node
def last_tag(tree: Surroundings) -> Values:
    """The tag of its last token."""
    return tree.tag[tree.last[:-1]]


@of_node
def last_word(tree: Surroundings) -> Values:
    """The word of its last token."""
    return tree.word[tree.last[:-1]]


_APART = np.array(
    [sum((shape >> place & 1) << 16 * place for place in range(4)) for shape in range(32)]
)
"""The first four bits of a shape, sixteen positions apart, so that many sums fit in one."""


@of_node
def shapes(tree: Surroundings) -> Values:
    """Whether a negation, a digit, a capital, a verb is anywhere inside."""
    seen = np.cumsum(_APART[tree.shape])
    inside = seen[tree.last[:-1]] - seen[tree.first[:-1] - 1]
    bits = np.zeros(tree.size, dtype=np.int64)
    for place, bit in enumerate((1, 2, 4, 8)):
        bits |= ((inside >> (16 * place) & 0xFFFF) > 0) * bit
    return bits


# Its position among the nodes around it.


@of_node
def parent(tree: Surroundings) -> Values:
    """The label of its parent."""
    return tree.label[tree.parent[:-1]]


@of_node
def grandparent(tree: Surroundings) -> Values:
    """The label of its parent's parent."""
    return tree.label[tree.parent[tree.parent[:-1]]]


@of_node
def is_head(tree: Surroundings) -> Values:
    """Whether it is its parent's head."""
    is_it: Values = tree.head_child[tree.parent[:-1]] == np.arange(tree.size)
    return is_it


@of_node
def side(tree: Surroundings) -> Values:
    """Whether it comes before its parent's head, after it, or is it."""
    heads = tree.head_child[tree.parent[:-1]]
    side: Values = np.sign(heads - np.arange(tree.size)) + 1
    return side


@of_node
def head_sibling(tree: Surroundings) -> Values:
    """The label of its parent's head."""
    return tree.label[tree.head_child[tree.parent[:-1]]]


@of_node
def distance(tree: Surroundings) -> Values:
    """Siblings between it and its parent's head."""
    heads = tree.place[tree.head_child[tree.parent[:-1]]]
    return bucket(np.abs(heads - tree.place[:-1]))


@of_node
def previous(tree: Surroundings) -> Values:
    """The label of the sibling before it."""
    return tree.label[tree.previous[:-1]]


@of_node
def following(tree: Surroundings) -> Values:
    """The label of the sibling after it."""
    return tree.label[tree.next[:-1]]


@of_node
def parent_production(tree: Surroundings) -> Values:
    """What its parent consists of."""
    return tree.production[tree.parent[:-1]]


@of_node
def place(tree: Surroundings) -> Values:
    """The number of siblings before it."""
    return tree.place[:-1]


@of_node
def depth(tree: Surroundings) -> Values:
    """The number of nodes above it, roughly."""
    return bucket(tree.depth[:-1])


# What governs it, and the tokens beside it.


@of_node
def governor_tag(tree: Surroundings) -> Values:
    """The tag of the token that governs its head."""
    return tree.tag[tree.governor]


@of_node
def governor_word(tree: Surroundings) -> Values:
    """The word that governs its head."""
    return tree.word[tree.governor]


@of_node
def tag_before(tree: Surroundings) -> Values:
    """The tag of the token before it."""
    return tree.tag[tree.first[:-1] - 1]


@of_node
def word_before(tree: Surroundings) -> Values:
    """The word before it."""
    return tree.word[tree.first[:-1] - 1]


@of_node
def tag_behind(tree: Surroundings) -> Values:
    """The tag of the token after it."""
    return tree.tag[tree.last[:-1] + 1]


@of_node
def word_behind(tree: Surroundings) -> Values:
    """The word after it."""
    return tree.word[tree.last[:-1] + 1]


@of_node
def position(tree: Surroundings) -> Values:
    """Where in the sentence it begins, in fifths; separate values at the edges."""
    tokens = len(tree.tag) - 2
    fifths = 5 * (tree.first[:-1] - 1) // max(tokens, 1)
    at_start = tree.first[:-1] == 1
    at_end = tree.last[:-1] == tokens
    where: Values = fifths + 8 * at_start + 16 * at_end
    return where


@of_node
def length(tree: Surroundings) -> Values:
    """The number of tokens of the whole sentence, in eights."""
    tokens = len(tree.tag) - 2
    return np.full(tree.size, min(tokens // 8, 6))

"""Attributes of a gap: its parent, its ends, and what it holds."""

from __future__ import annotations

import numpy as np

from treewright.pruning.features.attributes.registry import Values, bucket, of_gap
from treewright.pruning.features.surroundings import POWERS, Surroundings


@of_gap
def gap_parent(tree: Surroundings) -> Values:
    """The label of its parent."""
    return tree.label[tree.gaps.parent]


@of_gap
def gap_grandparent(tree: Surroundings) -> Values:
    """The label of its parent's parent."""
    return tree.label[tree.parent[tree.gaps.parent]]


@of_gap
def gap_production(tree: Surroundings) -> Values:
    """What its parent consists of."""
    return tree.production[tree.gaps.parent]


@of_gap
def left(tree: Surroundings) -> Values:
    """The label at its left end; another kind of edge if a block continues."""
    return tree.label[tree.gaps.left] + (tree.gaps.resumes > 0).astype(np.uint64)


@of_gap
def right(tree: Surroundings) -> Values:
    """The label at its right end; another kind of edge if a block ends."""
    return tree.label[tree.gaps.right] + tree.gaps.pauses.astype(np.uint64)


@of_gap
def left_place(tree: Surroundings) -> Values:
    """The number of siblings before its left end; -1 at the edge."""
    return np.where(tree.gaps.left < 0, -1, tree.place[tree.gaps.left])


@of_gap
def right_place(tree: Surroundings) -> Values:
    """The number of siblings before its right end; -1 at the edge."""
    return np.where(tree.gaps.right < 0, -1, tree.place[tree.gaps.right])


@of_gap
def is_empty(tree: Surroundings) -> Values:
    """Whether nothing is dropped in it."""
    return tree.gaps.first < 0


@of_gap
def labels(tree: Surroundings) -> Values:
    """All labels in the gap, in order: the hash up to its last child without what comes before."""
    first, last = tree.gaps.first, tree.gaps.last
    count = tree.place[last] - tree.place[first] + 1
    held: Values = tree.siblings[last] - tree.siblings[tree.previous[first]] * POWERS[count]
    return held


@of_gap
def children(tree: Surroundings) -> Values:
    """The number of children in it, roughly."""
    first, last = tree.gaps.first, tree.gaps.last
    return bucket(np.where(first < 0, 0, tree.place[last] - tree.place[first] + 1))


@of_gap
def gap_words(tree: Surroundings) -> Values:
    """The number of tokens in it, roughly."""
    first, last = tree.gaps.first, tree.gaps.last
    return bucket(np.where(first < 0, 0, tree.last[last] - tree.first[first] + 1))


@of_gap
def head_inside(tree: Surroundings) -> Values:
    """Whether the gap holds the head or is before or after it; whether an end is the head."""
    heads = tree.head_child[tree.gaps.parent]
    inside = (tree.gaps.first <= heads) & (heads <= tree.gaps.last) & (tree.gaps.first >= 0)
    behind = (tree.gaps.left >= heads) & (tree.gaps.left >= 0)
    ends = 4 * (tree.gaps.left == heads) + 8 * (tree.gaps.right == heads)
    bits: Values = inside + 2 * behind + ends
    return bits


@of_gap
def parent_tag(tree: Surroundings) -> Values:
    """The tag of its parent's head."""
    return tree.tag[tree.head[tree.gaps.parent]]


@of_gap
def parent_word(tree: Surroundings) -> Values:
    """The word of its parent's head."""
    return tree.word[tree.head[tree.gaps.parent]]


@of_gap
def left_tag(tree: Surroundings) -> Values:
    """The tag of the token before it."""
    return tree.tag[tree.gap_left]


@of_gap
def left_word(tree: Surroundings) -> Values:
    """The word before it."""
    return tree.word[tree.gap_left]


@of_gap
def right_tag(tree: Surroundings) -> Values:
    """The tag of the token after it."""
    return tree.tag[tree.gap_right]


@of_gap
def right_word(tree: Surroundings) -> Values:
    """The word after it."""
    return tree.word[tree.gap_right]


@of_gap
def left_head(tree: Surroundings) -> Values:
    """The tag of the head at its left end."""
    return tree.tag[tree.head[tree.gaps.left]]


@of_gap
def right_head(tree: Surroundings) -> Values:
    """The tag of the head at its right end."""
    return tree.tag[tree.head[tree.gaps.right]]


@of_gap
def gap_first_tag(tree: Surroundings) -> Values:
    """The tag of the first token in it."""
    return tree.tag[tree.first[tree.gaps.first]]


@of_gap
def gap_last_tag(tree: Surroundings) -> Values:
    """The tag of the last token in it."""
    return tree.tag[tree.last[tree.gaps.last]]


@of_gap
def gap_first_word(tree: Surroundings) -> Values:
    """The first word in it."""
    return tree.word[tree.first[tree.gaps.first]]


@of_gap
def gap_last_word(tree: Surroundings) -> Values:
    """The last word in it."""
    return tree.word[tree.last[tree.gaps.last]]

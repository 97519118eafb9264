"""Attributes: what a feature may look at, of a node, of a gap, and of a token.

An attribute gives one value a node, a gap or a token. Features are conjunctions of attributes
(`templates.py`), so a new one is a line here and a line there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.features.surroundings import POWERS, Surroundings

Values = NDArray[Any]
Attribute = Callable[[Surroundings], Values]

_ROUGHLY = np.array([0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 6])


def bucket(counts: Values) -> Values:
    """Return counts, large ones only roughly: 0 to 3, 4-5, 6-9, 10 and more."""
    rough: Values = _ROUGHLY[np.minimum(counts, len(_ROUGHLY) - 1)]
    return rough


_APART = np.array(
    [sum((shape >> place & 1) << 16 * place for place in range(4)) for shape in range(32)]
)
"""The first four bits of a shape, sixteen places apart: so many sums fit in one."""


def shapes(t: Surroundings) -> Values:
    """Whether a negation, a digit, a capital, a verb is anywhere inside a node."""
    seen = np.cumsum(_APART[t.shape])
    inside = seen[t.last[:-1]] - seen[t.first[:-1] - 1]
    bits = np.zeros(t.size, dtype=np.int64)
    for place, bit in enumerate((1, 2, 4, 8)):
        bits |= ((inside >> (16 * place) & 0xFFFF) > 0) * bit
    return bits


def position(t: Surroundings) -> Values:
    """Where in the sentence a node begins, in fifths; apart where it is at an edge."""
    fifths = 5 * (t.first[:-1] - 1) // max(t.tokens, 1)
    where: Values = fifths + 8 * (t.first[:-1] == 1) + 16 * (t.last[:-1] == t.tokens)
    return where


def gap_labels(t: Surroundings) -> Values:
    """All labels in a gap, in order: the hash up to its last child without what comes before."""
    first, last = t.gaps.first, t.gaps.last
    count = t.place[last] - t.place[first] + 1
    held: Values = t.siblings[last] - t.siblings[t.previous[first]] * POWERS[count]
    return held


def head_inside(t: Surroundings) -> Values:
    """Whether a gap holds the head, stands before or behind it; whether an end is the head."""
    heads = t.head_child[t.gaps.parent]
    inside = (t.gaps.first <= heads) & (heads <= t.gaps.last) & (t.gaps.first >= 0)
    behind = (t.gaps.left >= heads) & (t.gaps.left >= 0)
    bits: Values = inside + 2 * behind + 4 * (t.gaps.left == heads) + 8 * (t.gaps.right == heads)
    return bits


def _up(t: Surroundings) -> Values:
    return t.parent[:-1]


NODE: Mapping[str, Attribute] = {
    "label": lambda t: t.label[:-1],
    "production": lambda t: t.production[:-1],
    "words": lambda t: bucket((t.last - t.first)[:-1] + 1),
    "head_tag": lambda t: t.tag[t.head[:-1]],
    "head_word": lambda t: t.word[t.head[:-1]],
    "first_tag": lambda t: t.tag[t.first[:-1]],
    "first_word": lambda t: t.word[t.first[:-1]],
    "last_tag": lambda t: t.tag[t.last[:-1]],
    "last_word": lambda t: t.word[t.last[:-1]],
    "shapes": shapes,
    "parent": lambda t: t.label[_up(t)],
    "grandparent": lambda t: t.label[t.parent[_up(t)]],
    "parent_production": lambda t: t.production[_up(t)],
    "parent_head_tag": lambda t: t.tag[t.head[_up(t)]],
    "is_head": lambda t: t.head_child[_up(t)] == np.arange(t.size),
    # Before the parent's head, it, or behind it.
    "side": lambda t: np.sign(t.head_child[_up(t)] - np.arange(t.size)) + 1,
    "head_sibling": lambda t: t.label[t.head_child[_up(t)]],
    # Siblings between a node and its parent's head.
    "distance": lambda t: bucket(np.abs(t.place[t.head_child[_up(t)]] - t.place[:-1])),
    "previous": lambda t: t.label[t.previous[:-1]],
    "following": lambda t: t.label[t.next[:-1]],
    "place": lambda t: t.place[:-1],
    "depth": lambda t: bucket(t.depth[:-1]),
    # The token that governs a node's head, and those beside the node.
    "governor_tag": lambda t: t.tag[t.governor],
    "governor_word": lambda t: t.word[t.governor],
    "tag_before": lambda t: t.tag[t.first[:-1] - 1],
    "word_before": lambda t: t.word[t.first[:-1] - 1],
    "tag_behind": lambda t: t.tag[t.last[:-1] + 1],
    "word_behind": lambda t: t.word[t.last[:-1] + 1],
    "position": position,
    # The number of tokens of the whole sentence, in eights.
    "length": lambda t: np.full(t.size, min(t.tokens // 8, 6)),
    "size": lambda t: np.clip(t.last - t.first, 0, 15)[:-1] // 2,
}

GAP: Mapping[str, Attribute] = {
    "gap_parent": lambda t: t.label[t.gaps.parent],
    "gap_grandparent": lambda t: t.label[t.parent[t.gaps.parent]],
    "gap_production": lambda t: t.production[t.gaps.parent],
    # Another kind of edge where a block goes on, or ends.
    "left": lambda t: t.label[t.gaps.left] + (t.gaps.resumes > 0).astype(np.uint64),
    "right": lambda t: t.label[t.gaps.right] + t.gaps.pauses.astype(np.uint64),
    "left_place": lambda t: np.where(t.gaps.left < 0, -1, t.place[t.gaps.left]),
    "right_place": lambda t: np.where(t.gaps.right < 0, -1, t.place[t.gaps.right]),
    "is_empty": lambda t: t.gaps.first < 0,
    "labels": gap_labels,
    "children": lambda t: bucket(
        np.where(t.gaps.first < 0, 0, t.place[t.gaps.last] - t.place[t.gaps.first] + 1)
    ),
    "gap_words": lambda t: bucket(
        np.where(t.gaps.first < 0, 0, t.last[t.gaps.last] - t.first[t.gaps.first] + 1)
    ),
    "head_inside": head_inside,
    "parent_tag": lambda t: t.tag[t.head[t.gaps.parent]],
    "parent_word": lambda t: t.word[t.head[t.gaps.parent]],
    "left_tag": lambda t: t.tag[t.gap_left],
    "left_word": lambda t: t.word[t.gap_left],
    "right_tag": lambda t: t.tag[t.gap_right],
    "right_word": lambda t: t.word[t.gap_right],
    "left_head": lambda t: t.tag[t.head[t.gaps.left]],
    "right_head": lambda t: t.tag[t.head[t.gaps.right]],
    "gap_first_tag": lambda t: t.tag[t.first[t.gaps.first]],
    "gap_last_tag": lambda t: t.tag[t.last[t.gaps.last]],
    "gap_first_word": lambda t: t.word[t.first[t.gaps.first]],
    "gap_last_word": lambda t: t.word[t.last[t.gaps.last]],
}

TOKEN: Mapping[str, Attribute] = {
    "token_word": lambda t: t.word,
    "token_tag": lambda t: t.tag,
    "token_word_before": lambda t: np.roll(t.word, 1),
    "token_word_behind": lambda t: np.roll(t.word, -1),
    "token_tag_before": lambda t: np.roll(t.tag, 1),
    "token_tag_behind": lambda t: np.roll(t.tag, -1),
    "token_shape": lambda t: t.shape,
    "token_parent": lambda t: t.label[t.parent[t.leaf]],
    "token_grandparent": lambda t: t.label[t.parent[t.parent[t.leaf]]],
    "token_depth": lambda t: np.minimum(t.depth[t.leaf], 15) // 2,
    "token_governor_tag": lambda t: t.tag[t.token_governor],
    "token_governor_word": lambda t: t.word[t.token_governor],
    # Whether the governor stands before it.
    "token_side": lambda t: t.token_governor < np.arange(len(t.tag)),
    "token_governs": lambda t: np.minimum(np.bincount(t.token_governor, minlength=len(t.tag)), 3),
    "token_leaf": lambda t: np.bincount(t.token_governor, minlength=len(t.tag)) == 0,
    # The largest constituent that a token heads, and that one's parent.
    "token_phrase": lambda t: t.label[t.token_top],
    "token_above": lambda t: t.label[t.parent[t.token_top]],
    # The distance from either end of the sentence.
    "token_place": lambda t: (
        np.minimum(np.arange(len(t.tag)), 4)
        + 8 * np.minimum(t.tokens + 1 - np.arange(len(t.tag)), 4)
    ),
}
"""Of each token, and of the edges of the sentence before and behind all."""

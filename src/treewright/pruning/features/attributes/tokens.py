"""Attributes of a token that is lost with a node above it."""

from __future__ import annotations

import numpy as np

from treewright.pruning.features.attributes.registry import Values, of_token
from treewright.pruning.features.surroundings import Surroundings


@of_token
def token_word(tree: Surroundings) -> Values:
    """Its word."""
    return tree.word[1:-1]


@of_token
def token_tag(tree: Surroundings) -> Values:
    """Its tag."""
    return tree.tag[1:-1]


@of_token
def token_tag_before(tree: Surroundings) -> Values:
    """The tag of the token before it."""
    return tree.tag[:-2]


@of_token
def token_tag_behind(tree: Surroundings) -> Values:
    """The tag of the token after it."""
    return tree.tag[2:]


@of_token
def token_shape(tree: Surroundings) -> Values:
    """Its shape: negation, digit, capital, verb, no word at all."""
    return tree.shape[1:-1]


@of_token
def token_governor_tag(tree: Surroundings) -> Values:
    """The tag of the token that governs it."""
    return tree.tag[tree.token_governor]


@of_token
def token_governor_word(tree: Surroundings) -> Values:
    """The word that governs it."""
    return tree.word[tree.token_governor]


@of_token
def token_governs(tree: Surroundings) -> Values:
    """How many tokens it governs, roughly."""
    return np.minimum(np.bincount(tree.token_governor, minlength=len(tree.tag))[1:-1], 3)

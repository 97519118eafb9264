"""Probabilities of linked words given each other, for lexical weights (Koehn et al. 2003)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats, Ints, Longs
from treewright.corpora import Links, Sentences


class Lexicon(NamedTuple):
    """Linked words, numbered from 1; 0 is the null word, which unlinked words are linked to.

    The partners of source word `f` are the rows `start[f] : start[f + 1]`, sorted by target word.
    `forward` is the probability of the target word given the source word, `backward` the reverse.
    """

    start: Longs
    target: Ints
    forward: Floats
    backward: Floats

    @classmethod
    def of(cls, source: Sentences, target: Sentences, links: Links) -> Lexicon:
        """Count links as they are, without weights."""
        pair = np.repeat(np.arange(len(links)), np.diff(links.start))
        linked_source = source.start[pair] + links.source
        linked_target = target.start[pair] + links.target
        free_source = np.delete(source.words, linked_source) + 1
        free_target = np.delete(target.words, linked_target) + 1
        f = np.concatenate([source.words[linked_source] + 1, free_source, 0 * free_target])
        e = np.concatenate([target.words[linked_target] + 1, 0 * free_source, free_target])
        keys, counts = np.unique((f.astype(np.int64) << 32) | e, return_counts=True)
        f, e = keys >> 32, keys & 0xFFFFFFFF
        of_source = np.bincount(f, counts)
        of_target = np.bincount(e, counts)
        start = np.searchsorted(f, np.arange(of_source.size + 1))
        return cls(start, e.astype(np.int32), counts / of_source[f], counts / of_target[e])

"""The target side of a skeleton: what is not translated from it is replaced by `X`.

Xiao et al. (2014), section 2.3: the skeletal language model sees *the cost X has been further
reduced X .* Word links say which target words belong to the skeleton:

- a word with a link to a kept source word does, whatever its other links;
- a word whose links all lead to other source words does not;
- a word without links goes with the next word to its right that has some, because articles,
  prepositions and auxiliaries stand before what they belong to; after the last such word, with that
  one. Where no word has links, none belongs to the skeleton.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.arrays import Bools, Longs, starts
from treewright.corpora import Alignment, Links
from treewright.translation.skeletons.files import Skeleton

SYMBOL = "X"
"""Stands for a stretch of words that do not belong to the skeleton."""


def generalise(target: Sequence[str], kept: Skeleton, links: Alignment) -> list[str]:
    """Return the words of a target, each maximal stretch outside the skeleton replaced by `X`."""
    [found] = generalise_all([target], [kept], Links.of([links]))
    return found


def generalise_all(
    targets: Sequence[Sequence[str]], kept: Sequence[Skeleton], links: Links
) -> list[list[str]]:
    """Generalise the targets of many pairs by the skeletons of their sources."""
    start = starts([len(target) for target in targets])
    stays = project(kept, links, np.diff(start))
    before = np.concatenate([[True], stays[:-1]]) if stays.size else stays
    before[start[:-1][np.diff(start) > 0]] = True
    opens = before & ~stays
    found = []
    for target, first, end in zip(targets, start[:-1].tolist(), start[1:].tolist(), strict=True):
        places = np.flatnonzero(stays[first:end] | opens[first:end]).tolist()
        own = stays[first:end].tolist()
        found.append([target[place] if own[place] else SYMBOL for place in places])
    return found


def project(kept: Sequence[Skeleton], links: Links, lengths: Longs) -> Bools:
    """Return whether each target word belongs to the skeleton, the pairs side by side.

    `lengths` are those of the targets.
    """
    source_start = starts([skeleton.size for skeleton in kept])
    start = starts(lengths)
    pair = np.repeat(np.arange(len(links)), np.diff(links.start))
    word = start[pair] + links.target
    from_kept = _joined(kept)[source_start[pair] + links.source]
    size = int(start[-1])
    stays = np.zeros(size, np.bool_)
    stays[word[from_kept]] = True
    linked = np.zeros(size, np.bool_)
    linked[word] = True
    return stays[_guides(linked, start)]


def _guides(linked: Bools, start: Longs) -> Longs:
    """Return the word that each word goes with: itself, or the next one that is linked."""
    size = linked.size
    places = np.arange(size)
    following = np.minimum.accumulate(np.where(linked, places, size)[::-1])[::-1]
    preceding = np.maximum.accumulate(np.where(linked, places, -1))
    first, end = (np.repeat(edge, np.diff(start)) for edge in (start[:-1], start[1:]))
    guides = np.where(following < end, following, preceding)
    return np.where(guides >= first, guides, places)


def _joined(kept: Sequence[Skeleton]) -> Bools:
    return np.concatenate(kept) if kept else np.zeros(0, np.bool_)

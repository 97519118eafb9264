"""The mark that ends a sentence, which belongs to every skeleton."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.translation.skeletons.files import Skeleton

STOPS = frozenset([".", "!", "?", "…", "...", "。", "！", "？", ";", "；", ":", "："])
CLOSING = frozenset(['"', "'", "''", "”", "’", "»", ")", "）", "」", "』", "》"])


def keep_stop(words: Sequence[str], kept: Skeleton) -> Skeleton:
    """Return a skeleton with the stop that ends the sentence, even inside closing quotes."""
    last = len(words) - 1
    while last > 0 and words[last] in CLOSING:
        last -= 1
    if last < 0 or words[last] not in STOPS:
        return kept
    result = kept.copy()
    result[last] = True
    return result

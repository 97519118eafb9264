"""Whether a target only deletes: its words are a subsequence of the source's."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.corpora.pair import Pair
from treewright.errors import DataError


def first_unmatched(source: Sequence[str], target: Sequence[str]) -> int | None:
    """Return the position of the first target word that no embedding reaches, or `None`.

    The words before it do embed: matching each as early as possible leaves the most room.
    """
    rest = iter(source)
    for position, word in enumerate(target):
        if word not in rest:
            return position
    return None


def check_extractive(pair: Pair) -> None:
    """Raise a `DataError` that names the first word of the target the source cannot supply."""
    source, target = pair.source.words(), pair.target_words
    position = first_unmatched(source, target)
    if position is not None:
        word = target[position]
        why = (
            "the source has it only before the words already matched"
            if word in source
            else "the source does not have it"
        )
        raise DataError(
            f"the target is not a subsequence of the source: target word {position + 1}, "
            f"{word!r}, cannot be matched ({why}); correct the pair, or align it statistically",
            where=pair.id,
        )

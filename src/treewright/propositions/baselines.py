"""The paper's baselines: the most frequent class of each name, or a random one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.propositions.model import PropositionModel
from treewright.propositions.nominals import Kind

if TYPE_CHECKING:
    import numpy as np


def most_frequent(
    model: PropositionModel, words: Sequence[str], kinds: Sequence[Kind]
) -> tuple[str, ...]:
    """Return the commonest class of each name, whatever it does."""
    lexicon = model.lexicon
    found = []
    for symbol in lexicon.symbols(words, kinds):
        counts = lexicon.counts.get(symbol)
        if counts:
            found.append(max(counts, key=lambda noun: (counts[noun], noun)))
        else:
            # The candidates of unknown names are in the order of frequency.
            candidates = lexicon.candidates.get(symbol)
            found.append(candidates[0][0] if candidates else symbol)
    return tuple(found)


def random_classes(
    model: PropositionModel,
    words: Sequence[str],
    kinds: Sequence[Kind],
    draw: np.random.Generator,
) -> tuple[str, ...]:
    """Return any of the classes that each name may have."""
    lexicon = model.lexicon
    found = []
    for symbol in lexicon.symbols(words, kinds):
        candidates = lexicon.candidates.get(symbol)
        found.append(candidates[int(draw.integers(len(candidates)))][0] if candidates else symbol)
    return tuple(found)

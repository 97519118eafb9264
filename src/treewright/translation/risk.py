"""Minimum Bayes risk: the translation that is most like the other likely ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.corpora import Vocabulary
from treewright.evaluation.translation import minimum_risk
from treewright.translation.streaming import Translation


def by_risk(translations: Sequence[Translation]) -> list[Translation]:
    """Sort translations by the BLEU+1 that each may expect if one of them is right."""
    if len(translations) < 2:
        return list(translations)
    vocabulary = Vocabulary()
    outputs = [[vocabulary.add(word) for word in item.words] for item in translations]
    # Scores count as log-probabilities.
    scores = np.array([item.score for item in translations])
    weights = np.exp(scores - scores.max())
    _, promises = minimum_risk(outputs, weights / weights.sum())
    return [translations[place] for place in np.argsort(-promises, kind="stable")]

"""The whole way on real data: what untrained minimal rules reach, the learners must exceed."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.alignment import align_pair
from treewright.compression import score_model
from treewright.corpora import read_pairs
from treewright.grammar import Extraction
from treewright.learning import EM, VB, TrainingSet

UNTRAINED = 0.542
"""RelF1 of untrained minimal rules on dev at the gold rate, from the data's README."""


@pytest.fixture(scope="module")
def training(data: Path) -> TrainingSet:
    pairs = read_pairs(data / "compression" / "broadcast.train.jsonl", target=1)
    return TrainingSet.prepare([align_pair(pair) for pair in pairs], Extraction())


@pytest.mark.parametrize("learner", [EM(), VB()], ids=["em", "vb"])
def test_learners_beat_untrained_rules_at_the_gold_rate(
    learner: EM | VB, training: TrainingSet, data: Path
) -> None:
    dev = list(read_pairs(data / "compression" / "broadcast.dev.jsonl", target=1))
    _, matched = score_model(learner.fit_prepared(training).model_, dev)
    assert matched.score("relation_f1") > UNTRAINED
    assert matched.score("word_rate") == pytest.approx(matched.score("gold_word_rate"), abs=1e-3)

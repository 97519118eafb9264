"""`ReaderTeacher`: what it learns over a transformer, and what others learn from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright.errors import DataError, UsageError
from treewright.learning.acceptance import Example
from treewright.learning.neural import ReaderLearner, ReaderTeacher

from ...parsing.embedded.training.toys import make_transformer
from ...pruning.acceptance.toys import toy_neighbours
from .test_readers import PRICES, base, blinded, examples

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return make_transformer(tmp_path_factory.mktemp("transformer"))


def teacher(**settings: Any) -> ReaderTeacher:
    usual = {"layers": 1, "joined": 4, "width": 8, "epochs": 60, "rate": 0.02, "dropout": 0.0}
    return ReaderTeacher(**{**usual, "encoder_rate": 1e-3, "decay": 0.0, "texts": 2, **settings})


def keeps_e(gone: set[str], kept: list[str]) -> bool:
    return "e" not in gone


def test_it_learns_verdicts_and_has_an_opinion_of_versions(transformer: Path) -> None:
    pruning = base()
    data = blinded(examples(pruning, keeps_e))
    fitted = teacher().fit(transformer, pruning, data)
    assert fitted.losses_[-1] < 0.5 * fitted.losses_[0]
    unread = [replace(each, accepted=0.5) for each in data]
    found = [each.accepted for each in fitted.opinions(unread)]
    good = [f for f, each in zip(found, data, strict=True) if each.accepted]
    bad = [f for f, each in zip(found, data, strict=True) if not each.accepted]
    assert min(good) > max(bad)


def test_an_opinion_does_not_depend_on_what_is_read_beside_it(transformer: Path) -> None:
    pruning = base()
    data = examples(pruning, keeps_e)
    fitted = teacher(epochs=2).fit(transformer, pruning, data)
    together = [each.accepted for each in fitted.opinions(data)]
    fitted.texts = 1
    assert [each.accepted for each in fitted.opinions(data)] == pytest.approx(together, abs=0.02)
    alone = [fitted.opinions([each])[0].accepted for each in data[:3]]
    assert alone == pytest.approx(together[:3], abs=0.02)


def test_every_word_is_read_where_its_sentence_is(transformer: Path) -> None:
    from treewright.learning.neural.reader_layers import STATE_COLUMNS, Rows
    from treewright.learning.neural.reader_vectors import TaughtLayers
    from treewright.parsing.embedded.training.context import Context

    pruning = base()
    data = examples(pruning, keeps_e)
    rows = Rows.of(pruning.network, data, 1)
    layers = TaughtLayers(pruning.network, rows, teacher(), Context(transformer, 1))
    # The last versions are of the last sentence, the first ones of the first.
    versions = np.array([len(data) - 1, 0])
    states, moved = layers.read(rows, versions)
    assert moved is not None
    width = rows.states.shape[1]
    assert len(states) == 2 * 7
    for columns, ends in ((rows.losses, rows.loss_ends), (rows.seams, rows.seam_ends)):
        for version in versions.tolist():
            own = range(ends[version - 1] if version else 0, ends[version])
            for name in columns.keys() & STATE_COLUMNS:
                for place in columns[name][list(own)].tolist():
                    assert torch.equal(states[moved[place], :width], rows.states[place])


def test_small_layers_learn_what_the_teacher_thinks(transformer: Path) -> None:
    pruning = base()
    data = blinded(examples(pruning, keeps_e))
    fitted = teacher().fit(transformer, pruning, data)
    taught = fitted.opinions([replace(each, accepted=0.5) for each in data])
    learner = ReaderLearner(width=8, epochs=200, rate=0.02, decay=0.0, dropout=0.0)
    learner.fit(pruning, taught, toy_neighbours(), PRICES)
    unsure = learner.losses_[0]
    assert learner.losses_[-1] < 0.6 * unsure


def test_a_fit_is_the_same_again(transformer: Path) -> None:
    data = examples(base(), keeps_e)
    found = []
    for _ in range(2):
        fitted = teacher(epochs=2, dropout=0.3).fit(transformer, base(), data)
        found.append([each.accepted for each in fitted.opinions(data)])
    assert found[0] == found[1]


def test_settings_and_data_are_checked(transformer: Path) -> None:
    for name in ("layers", "joined", "texts"):
        with pytest.raises(UsageError, match=name):
            ReaderTeacher(**{name: 0})
    with pytest.raises(UsageError, match="encoder_rate"):
        ReaderTeacher(encoder_rate=0.0)
    with pytest.raises(DataError, match="no loss"):
        teacher().fit(transformer, base(), [Example([], np.empty((0, 10)), [], 1.0)])

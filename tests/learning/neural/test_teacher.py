"""Teachers: what they make of pairs, and networks that learn from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright.errors import UsageError
from treewright.learning.neural import NeuralData, Teacher, ask, read_network, write_network

from ...parsing.embedded.training.toys import make_transformer
from ..toys import PAIRS
from .toys import adverbs_go, everything, pruned, rewritten, sentences, small, start_small

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("torch_left_alone")


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return make_transformer(tmp_path_factory.mktemp("transformer"))


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    start_small(monkeypatch, tmp_path)


def teacher(**settings: Any) -> Teacher:
    sizes = {"node": 6, "gap": 4, "seam": 4, "tokens": 40, "rate": 0.02, "dropout": 0.1}
    return Teacher(**{**sizes, "layers": 1, "epochs": 8, "encoder_rate": 1e-3, **settings})


def adverbs() -> NeuralData:
    return small().prepare(adverbs_go())


def test_an_opinion_has_the_chances_of_all_chains(transformer: Path, tiny: None) -> None:
    from treewright.learning.neural.network import pairs_of

    data = adverbs()
    network = teacher().fit(transformer, data)
    asked = ask(network, data.examples)
    assert [example.kept.tolist() for example in asked] == [e.kept.tolist() for e in data.examples]
    for example in asked:
        assert example.opinion is not None
        size = len(example) + 2
        chances = np.zeros((size, size))
        chances[pairs_of(len(example))] = example.opinion
        # Every token that stays has one neighbour on either side, and both ends have one.
        assert chances[0].sum() == pytest.approx(1, abs=0.01)
        assert chances[:, -1].sum() == pytest.approx(1, abs=0.01)
        into, out = chances.sum(axis=0)[1:-1], chances.sum(axis=1)[1:-1]
        assert into == pytest.approx(out, abs=0.01)
        # What stays and what is jumped over are all the tokens.
        left, right = pairs_of(len(example))
        jumped = example.opinion @ (right - left - 1)
        assert into.sum() + jumped == pytest.approx(len(example), abs=0.05)
        gone = sorted(set(range(len(example))) - set(example.kept.tolist()))
        assert into[example.kept].min() > 0.5 > into[gone].max()


def test_slopes_towards_an_opinion_are_finite_differences(transformer: Path, tiny: None) -> None:
    from treewright.learning.neural.training import Values, slopes

    data = small().prepare(PAIRS)
    batch = ask(teacher(epochs=1).fit(transformer, data), data.examples)
    views = [example.source.view() for example in batch]
    random = np.random.default_rng(1)
    values = Values(
        random.normal(size=sum(len(view.places.head) for view in views)),
        random.normal(size=sum(len(view.places.gap_kind) for view in views)),
        random.normal(size=sum((len(e) + 2) * (len(e) + 1) // 2 for e in batch)),
    )
    _, found = slopes(batch, views, values, 0.7)
    step = 1e-5
    for numbers, slope in zip(values, found, strict=True):
        for place in range(0, len(numbers), 3):
            before = numbers[place]
            sides = []
            for change in (step, -step):
                numbers[place] = before + change
                sides.append(slopes(batch, views, values, 0.7)[0])
            numbers[place] = before
            assert slope[place] == pytest.approx((sides[0] - sides[1]) / (2 * step), abs=1e-5)


def test_a_network_that_only_listens_does_as_its_teacher_does(
    transformer: Path, tiny: None
) -> None:
    network = teacher(epochs=12).fit(transformer, adverbs())
    # Targets that keep everything: adverbs go by the teacher's word alone.
    whole = small().prepare(
        [pruned(tree, everything(tree), str(i)) for i, tree in enumerate(sentences())]
    )
    taught = replace(whole, examples=ask(network, whole.examples))
    lengths = []
    for weight in (1.0, 0.0):
        learner = small(epochs=12, taught=weight).fit_prepared(taught)
        lengths.append({len(rewritten(learner.model_, tree)) for tree in sentences()})
    assert lengths == [{4}, {5}]


def test_a_network_is_the_same_after_writing_and_reading(tiny: None, tmp_path: Path) -> None:
    data = adverbs()
    learner = small(epochs=2).fit_prepared(data)
    write_network(tmp_path / "n", learner.network_)
    again = read_network(tmp_path / "n", small(seed=7), data)
    for mine, theirs in zip(learner.network_.parameters(), again.parameters(), strict=True):
        assert torch.equal(mine, theirs)


def test_settings_of_a_teacher_are_checked() -> None:
    with pytest.raises(UsageError, match="layers"):
        Teacher(layers=0)
    with pytest.raises(UsageError, match="encoder_rate"):
        Teacher(encoder_rate=0.0)
    with pytest.raises(UsageError, match="dropout"):
        Teacher(dropout=1.0)

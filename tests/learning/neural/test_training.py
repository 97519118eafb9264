"""Training in torch: slopes, and a network that is the same with and without torch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from treewright.corpora import Pair
from treewright.grammar import Grammar
from treewright.learning.linear.examples import FREE
from treewright.learning.neural.examples import Example, NeuralData
from treewright.parsing.embedded.arrays import Coded
from treewright.pruning import Model, Pruner
from treewright.pruning.encoded import SEAM, EncodedPruning
from treewright.pruning.gaps import Prices
from treewright.trees import Tree

from ...forest.naive import enumerate_derivations
from ...pruning.chains.test_chain import Priced, naive_weight
from ..toys import PAIRS
from .toys import adverbs_go, everything, pruned, rewritten, sentences, small

Floats = NDArray[np.float64]

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("torch_left_alone")


def prepared() -> NeuralData:
    styles = ["a", "b", "a", "b", "a"]
    return small().prepare(PAIRS, styles=styles)


def separated(
    examples: Sequence[Example], drops: Floats, gaps: Floats, seams: Floats
) -> list[Prices]:
    """Prices sentence by sentence, from those of a batch."""
    found = []
    for example in examples:
        places = example.source.view().places
        left, right = np.triu_indices(len(example) + 2, 1)
        own, drops = np.split(drops, [len(places.head)])
        between, gaps = np.split(gaps, [len(places.gap_kind)])
        pairs, seams = np.split(seams, [len(left)])
        matrix = np.zeros((len(example) + 2,) * 2)
        matrix[left, right] = pairs
        found.append(Prices(between, own, matrix))
    assert len(drops) == len(gaps) == len(seams) == 0
    return found


def loss_of(batch: Sequence[Example], pairs: Sequence[Pair], scores: Sequence[Floats]) -> float:
    """The same by listing all derivations of the forest."""
    loss = 0.0
    for example, pair, prices in zip(batch, pairs, separated(batch, *scores), strict=True):
        forest = Pruner(Grammar.from_counts({}), FREE, Priced(prices)).forest(pair.source)
        assert forest.joint is not None
        versions = {}
        for derivation in enumerate_derivations(forest.forest):
            target = forest.target(derivation)
            assert target is not None
            weight = target.score + naive_weight(forest.joint.seams, target.positions)
            versions[target.positions] = weight
        total = math.log(math.fsum(map(math.exp, versions.values())))
        loss += total - versions[tuple(example.kept.tolist())]
    return loss


def test_slopes_are_finite_differences_of_the_loss() -> None:
    from treewright.learning.neural.training import Values, slopes

    batch = prepared().examples
    views = [example.source.view() for example in batch]
    random = np.random.default_rng(1)
    sizes = (
        sum(len(view.places.head) for view in views),
        sum(len(view.places.gap_kind) for view in views),
        sum((len(example) + 2) * (len(example) + 1) // 2 for example in batch),
    )
    scores = Values(*(random.normal(size=size) for size in sizes))
    loss, found = slopes(batch, views, scores, 0.5)
    assert loss == pytest.approx(loss_of(batch, PAIRS, scores))
    step = 1e-5
    for prices, slope in zip(scores, found, strict=True):
        for place in range(len(prices)):
            before = prices[place]
            sides = []
            for change in (step, -step):
                prices[place] = before + change
                sides.append(slopes(batch, views, scores, 0.5)[0])
            prices[place] = before
            assert slope[place] == pytest.approx((sides[0] - sides[1]) / (2 * step), abs=1e-5)


def random_network(data: NeuralData) -> Any:
    """A network whose every weight takes part, and has the 8 bits that it has at run time."""
    network = small().begin(data)
    torch.manual_seed(3)
    with torch.no_grad():
        for name, weights in network.named_parameters():
            if name.split(".")[0] not in ("words", "spellings", "treebanks", "lstm", "upper"):
                weights.copy_(torch.randn(weights.shape) * 0.5)
            if weights.ndim == 2:
                weights.copy_(torch.from_numpy(Coded.of(weights.numpy()).matrix()))
    return network.eval()


def torch_prices(network: Any, examples: Sequence[Example]) -> list[Prices]:
    """What torch gives, sentence by sentence; the longest must come first."""
    views = [example.source.view() for example in examples]
    with torch.no_grad():
        parts = [part.numpy().astype(np.float64) for part in network(examples, views)]
    return separated(examples, *parts)


def assert_like(
    pruning: EncodedPruning, examples: Sequence[Example], expected: list[Prices], tolerance: float
) -> None:
    for example, prices in zip(examples, expected, strict=True):
        states = pruning.network.encoder.states(example.source.words, 0)
        seen = pruning.network.see(states)
        found = pruning.network.prices(example.source.view().places, seen)
        seams = pruning.network.neighbours(SEAM, example.source.token_labels()[1:-1], seen)
        assert seams is not None
        np.testing.assert_allclose(np.triu(seams, 1), prices.seams, atol=tolerance)
        assert found.gaps.tolist() == pytest.approx(prices.gaps.tolist(), abs=tolerance)
        assert found.drops is not None and prices.drops is not None
        assert found.drops.tolist() == pytest.approx(prices.drops.tolist(), abs=tolerance)


def test_prices_are_the_same_without_torch(tmp_path: Path) -> None:
    from treewright.learning.neural.export import export

    data = prepared()
    network = random_network(data)
    longest_first = sorted(data.examples, key=len, reverse=True)
    for style in (0, 1):
        examples = [example for example in longest_first if example.style == style]
        expected = torch_prices(network, examples)
        pruning = export(network, data.labels, [style])
        assert_like(pruning, examples, expected, 5e-3)
        # Tables of labels lose precision too.
        Model(Grammar.from_counts({}), FREE, {}, pruning).save(tmp_path / "m.tw")
        loaded = Model.load(tmp_path / "m.tw").pruning
        assert isinstance(loaded, EncodedPruning)
        assert_like(loaded, examples, expected, 0.1)


def test_the_mean_of_styles_is_that_of_their_vectors() -> None:
    from treewright.learning.neural.export import export

    data = prepared()
    network = random_network(data)
    pruning = export(network, data.labels, [0, 1])
    with torch.no_grad():
        for table in (
            network.node_style,
            network.gap_style,
            network.token_style,
            network.seam_style,
        ):
            table.weight.copy_(table.weight.mean(dim=0).expand_as(table.weight))
    examples = sorted(data.examples, key=len, reverse=True)
    assert_like(pruning, examples, torch_prices(network, examples), 5e-3)


def test_where_a_share_may_stay_other_styles_count() -> None:
    from treewright.learning.neural.export import export

    data = prepared()
    network = random_network(data)
    pruning = export(network, data.labels, [0], {0.5: [1], 0.7: [0]})
    longest_first = sorted(data.examples, key=len, reverse=True)
    for share, style in ((1.0, 0), (0.7, 0), (0.5, 1), (0.3, 1)):
        examples = [example for example in longest_first if example.style == style]
        assert_like(pruning.at(share), examples, torch_prices(network, examples), 5e-3)


def saved(path: Path, **settings: Any) -> bytes:
    small(**settings).fit(PAIRS).model_.save(path)
    return path.read_bytes()


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first = saved(tmp_path / "a", epochs=2)
    assert saved(tmp_path / "b", epochs=2) == first
    assert saved(tmp_path / "b", epochs=2, seed=2) != first
    again = small(epochs=2).fit(PAIRS[:2])
    again.fit(PAIRS).model_.save(tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == first


def test_what_a_model_says_of_its_training() -> None:
    pairs = list(PAIRS)
    fitted = small(epochs=2)
    assert fitted.fit(pairs) is fitted
    assert pairs == PAIRS
    about = fitted.model_.metadata
    assert (about["learner"], about["pairs"]) == ("neural-crf", len(PAIRS))
    assert about["settings"]["epochs"] == 2
    assert about["losses"] == [round(loss, 4) for loss in fitted.losses_]


def test_the_loss_falls_and_a_rule_is_learned() -> None:
    """Adverbs go: those of training, and one that was never seen."""
    fitted = small(epochs=12).fit(adverbs_go())
    assert len(fitted.losses_) == 12
    assert fitted.losses_[-1] < 0.3 * fitted.losses_[0]
    for tree in (*sentences(), with_word("slowly")):
        expected = [leaf.word for leaf in tree.preterminals() if leaf.label != "RB"]
        assert list(rewritten(fitted.model_, tree)) == expected


def with_word(adverb: str) -> Tree:
    first, *_ = sentences()
    subject, _, *rest = first.children[0].children
    new = Tree("ADVP", [Tree("RB", word=adverb)])
    return Tree("ROOT", [Tree("S", [subject, new, *rest])])


def test_one_network_learns_several_styles() -> None:
    """Of the same sentences, one style keeps everything and the other drops adverbs."""
    from treewright.learning.neural.export import export

    short = adverbs_go()
    whole = [pruned(pair.source, everything(pair.source), pair.id) for pair in short]
    styles = ["whole"] * len(whole) + ["short"] * len(short)
    data = small().prepare([*whole, *short], styles=styles)
    fitted = small(epochs=12).fit_prepared(data, styles=["short"])
    assert {len(rewritten(fitted.model_, tree)) for tree in sentences()} == {4}
    pruning = export(fitted.network_, data.labels, [data.styles.index("whole")])
    other = replace(fitted.model_, pruning=pruning)
    assert {len(rewritten(other, tree)) for tree in sentences()} == {5}


def test_training_goes_on_from_a_network(tmp_path: Path) -> None:
    data = small().prepare(adverbs_go())
    first = small(epochs=6).fit_prepared(data)
    first.model_.save(tmp_path / "before")
    second = small(epochs=1, rate=1e-4, encoder_rate=1e-4).fit_prepared(data, start=first.network_)
    assert second.network_ is first.network_
    assert second.losses_[0] < 0.7 * first.losses_[0]
    # The first model is no part of the network.
    first.model_.save(tmp_path / "after")
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()


def test_without_seams_neighbours_have_no_scores(tmp_path: Path) -> None:
    data = small().prepare(adverbs_go())
    learner = small(seam=0, epochs=12).fit_prepared(data)
    learner.model_.save(tmp_path / "m")
    model = Model.load(tmp_path / "m")
    assert isinstance(model.pruning, EncodedPruning)
    assert "seam_out" not in model.pruning.network.arrays
    assert {len(rewritten(model, tree)) for tree in sentences()} == {4}


class _InterruptedError(Exception):
    pass


class Interrupting:
    """Progress that stops a run in the middle of an epoch."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.lines: list[str] = []

    def track(self, items: Any, what: str, total: int | None = None) -> Any:
        for number, item in enumerate(items):
            if number and what == f"epoch {self.epoch}":
                raise _InterruptedError
            yield item

    def say(self, message: str) -> None:
        self.lines.append(message)


def test_a_run_goes_on_after_an_interruption_as_if_there_had_been_none(tmp_path: Path) -> None:
    data, path = prepared(), tmp_path / "checkpoint"
    whole = small(epochs=3, dropout=0.3, tokens=12).fit_prepared(data)
    with pytest.raises(_InterruptedError):
        small(epochs=3, dropout=0.3, tokens=12).fit_prepared(
            data, checkpoint=path, progress=Interrupting(3)
        )
    told = Interrupting(4)
    again = small(epochs=3, dropout=0.3, tokens=12).fit_prepared(
        data, checkpoint=path, progress=told
    )
    assert told.lines[0].endswith("goes on after epoch 2")
    assert again.losses_ == whole.losses_
    pairs = zip(again.network_.parameters(), whole.network_.parameters(), strict=True)
    assert all(torch.equal(mine, theirs) for mine, theirs in pairs)

"""The run-time network gives what torch gives, whatever the batch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from treewright.parsing.embedded.codes import STATE, VECTOR, decode, encode
from treewright.parsing.embedded.encoder import Batch
from treewright.parsing.embedded.network import Array, Network

from . import twins
from .toys import SENTENCES, inventory, random_weights

STYLE = 1


@pytest.fixture(scope="module")
def network() -> Network:
    return Network(random_weights())


def span_scores(network: Network, words: Sequence[str], style: int = STYLE) -> Array:
    """The scores of all labels of all spans of one sentence."""
    _, _, places = network._encode([words], style)
    return network._span_scores(places[: len(words) + 1])


def test_states_are_one_row_a_word(network: Network) -> None:
    for words in SENTENCES:
        states = network.encoder.states(words, STYLE)[1:-1]
        assert states.shape == (len(words), 2 * 5)
        assert np.abs(decode(states)).max() <= 1.0


def test_scores_are_one_row_a_span_and_no_constituent_scores_nothing(network: Network) -> None:
    for words in SENTENCES:
        scores = span_scores(network, words)
        assert scores.shape == (len(twins.spans(len(words))), len(inventory().labels))
        assert not scores[:, 0].any()
        assert scores[:, 1:].all()


def test_a_layer_reads_each_sentence_there_and_back(network: Network) -> None:
    random = np.random.default_rng(2)
    encoder = network.encoder
    for name, layer, step in (("lower", encoder.lower, VECTOR), ("upper", encoder.upper, STATE)):
        lengths = [7, 4, 4, 1]
        ends = np.cumsum(lengths)
        width = encoder.arrays[f"{name}_forward_input"].shape[1]
        codes = encode(random.uniform(-1, 1, (5, width)).astype(np.float32), step)
        index = random.integers(0, 5, ends[-1])
        states = decode(layer.run(codes, index, Batch.of(lengths)))
        assert states.shape == (16, 10)
        for side, (direction, order) in enumerate((("forward", 1), ("backward", -1))):
            inputs, recurrent, bias = (
                encoder.arrays[f"{name}_{direction}_{part}"] for part in ("input", "state", "bias")
            )
            given = (decode(codes, step) @ inputs.T + bias)[index]
            for first, last in pairwise([0, *ends.tolist()]):
                expected = twins.lstm(given[first:last][::order].tolist(), recurrent.tolist())
                found = states[first:last, side * 5 : side * 5 + 5]
                assert found == pytest.approx(np.array(expected[::order]), abs=1e-3)


def test_a_sentence_is_independent_of_its_batch(network: Network) -> None:
    together = network.analyse(SENTENCES, STYLE)
    assert len(together) == len(SENTENCES)
    for words, found in zip(SENTENCES, together, strict=True):
        (alone,) = network.analyse([words], STYLE)
        assert found.tags.tolist() == alone.tags.tolist()
        assert found.spans.tolist() == alone.spans.tolist()
        assert len(found.tags) == len(words)
    backwards = network.analyse(SENTENCES[::-1], STYLE)[::-1]
    assert [a.spans.tolist() for a in backwards] == [a.spans.tolist() for a in together]


def test_a_style_changes_the_scores(network: Network) -> None:
    one, two = (span_scores(network, SENTENCES[0], style) for style in (1, 2))
    assert np.abs(one - two).max() > 0.1


def test_remembered_words_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = random_weights()
    expected = [span_scores(Network(weights), words).tolist() for words in SENTENCES]
    monkeypatch.setattr("treewright.parsing.embedded.encoder._REMEMBERED", 2)
    forgetful = Network(weights)
    for _ in range(2):
        found = [span_scores(forgetful, words).tolist() for words in SENTENCES]
        assert found == expected


def test_the_same_numbers_as_torch() -> None:
    torch = pytest.importorskip("torch")
    from treewright.parsing.embedded.arrays import Coded
    from treewright.parsing.embedded.training.export import export
    from treewright.parsing.embedded.training.network import SpanNetwork
    from treewright.parsing.embedded.training.scoring import score_sentences
    from treewright.parsing.embedded.training.settings import Sizes

    from .toys import TREES

    torch.manual_seed(5)
    trained = SpanNetwork(inventory(), Sizes(word=4, hidden=6, span=5))
    with torch.no_grad():
        for parameter in trained.parameters():
            parameter.normal_(0.0, 0.5)
        # At run time, matrices have 8 bits a weight.
        for parameter in trained.parameters():
            if parameter.ndim == 2:
                parameter.copy_(torch.from_numpy(Coded.of(parameter.numpy()).matrix()))
    weights = export(trained, inventory(), {"style": "news"})
    assert weights.metadata == {"style": "news"}
    network = Network(weights)
    sentences = [tree.words() for tree in TREES]
    analyses = network.analyse(sentences, STYLE)
    style = inventory().treebanks[STYLE]
    seen = []
    for place, tags, spans in score_sentences(trained, inventory(), sentences, style):
        assert analyses[place].tags.tolist() == tags.argmax(axis=1).tolist()
        scores = span_scores(network, sentences[place])
        assert scores == pytest.approx(spans, abs=1e-2)
        seen.append(place)
    assert sorted(seen) == list(range(len(TREES)))

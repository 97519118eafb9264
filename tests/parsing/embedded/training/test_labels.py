"""Teachers' opinions: by a network, as a file, in another inventory's numbers, averaged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from treewright.errors import DataError, ModelFileError, UsageError
from treewright.modelfile import pack_array, read_model, write_model
from treewright.parsing.embedded.inventory import ANY, SPECIAL, Inventory
from treewright.parsing.embedded.training.examples import Example
from treewright.parsing.embedded.training.labels import (
    KIND,
    LEAST,
    average,
    label,
    read_labels,
    read_sentences,
    write_labels,
)
from treewright.parsing.embedded.training.network import SpanNetwork
from treewright.parsing.embedded.training.settings import Sizes
from treewright.parsing.embedded.training.trainer import tag_loss, tree_loss

from ..toys import SENTENCES, inventory


def network(seed: int = 0) -> SpanNetwork:
    torch.manual_seed(seed)
    made = SpanNetwork(inventory(), Sizes(word=4, hidden=4, span=4))
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.normal_(0.0, 0.7)
    return made


def opinion(seed: int = 0) -> list[Example]:
    return label(network(seed), inventory(), SENTENCES, "web")


def test_sentences_keep_their_order_and_their_words() -> None:
    found = opinion()
    assert [example.words for example in found] == SENTENCES
    assert {example.treebank for example in found} == {2}
    for example in found:
        n = len(example)
        assert (example.span_weights >= LEAST).all()
        assert (example.span_weights <= 1.0001).all()
        assert (example.tag_weights >= LEAST).all()
        starts, ends, labels = example.spans.T
        assert ((starts >= 0) & (starts < ends) & (ends <= n) & (labels > 0)).all()
        for token in range(n):
            share = example.tag_weights[example.tags[:, 0] == token].sum()
            assert 1 - LEAST * len(inventory().tags) <= share <= 1.0001


def test_a_sentence_is_labelled_the_same_in_any_company() -> None:
    for words, expected in zip(SENTENCES, opinion(), strict=True):
        (found,) = label(network(), inventory(), [words], "web")
        assert found.spans.tolist() == expected.spans.tolist()
        assert found.span_weights == pytest.approx(expected.span_weights, abs=1e-4)
        assert found.tag_weights == pytest.approx(expected.tag_weights, abs=1e-4)


def test_a_file_gives_the_opinion_back(tmp_path: Path) -> None:
    examples = opinion()
    for name in ("a.tw", "b.tw"):
        write_labels(tmp_path / name, examples, inventory())
    assert (tmp_path / "a.tw").read_bytes() == (tmp_path / "b.tw").read_bytes()
    for own in (inventory(), None):
        found = read_labels(tmp_path / "a.tw", own)
        for before, after in zip(examples, found, strict=True):
            assert (after.words, after.treebank) == (before.words, before.treebank)
            assert after.spans.tolist() == before.spans.tolist()
            assert after.tags.tolist() == before.tags.tolist()
            assert after.span_weights == pytest.approx(before.span_weights, rel=1e-3)
            assert after.tag_weights == pytest.approx(before.tag_weights, rel=1e-3)
            assert after.span_weights.dtype == after.tag_weights.dtype == np.float32


def test_another_inventory_numbers_anew_and_leaves_out_what_it_does_not_know(
    tmp_path: Path,
) -> None:
    examples, known = opinion(), inventory()
    write_labels(tmp_path / "a.tw", examples, known)
    # No PP, no chain of S and VP (which is then S), no NN; the rest backwards.
    other = Inventory(
        words=SPECIAL,
        tags=tuple(tag for tag in reversed(known.tags) if tag != "NN"),
        labels=("", "VP", "S", "NP"),
        treebanks=(ANY, "poems", "web"),
    )
    found = read_labels(tmp_path / "a.tw", other)
    nearest = {"NP": "NP", "S": "S", "VP": "VP", "S+VP": "S"}
    for before, after in zip(examples, found, strict=True):
        assert after.words == before.words
        assert [(i, j, other.labels[name]) for i, j, name in after.spans.tolist()] == [
            (i, j, nearest[known.labels[name]])
            for i, j, name in before.spans.tolist()
            if known.labels[name] != "PP"
        ]
        assert [(i, other.tags[tag]) for i, tag in after.tags.tolist()] == [
            (i, known.tags[tag]) for i, tag in before.tags.tolist() if known.tags[tag] != "NN"
        ]
        assert len(after.span_weights) == len(after.spans)
        assert len(after.tag_weights) == len(after.tags)
        assert other.treebanks[after.treebank] == "web"
    elsewhere = replace(other, treebanks=(ANY, "poems"))
    assert {e.treebank for e in read_labels(tmp_path / "a.tw", elsewhere)} == {0}


def test_the_loss_of_the_mean_opinion_is_the_mean_loss() -> None:
    opinions = [opinion(seed) for seed in (0, 1, 2)]
    together = average(opinions)
    assert [example.words for example in together] == SENTENCES
    random = np.random.default_rng(1)
    for place, words in enumerate(SENTENCES):
        n = len(words)
        spans = random.normal(0, 1, (n * (n + 1) // 2, len(inventory().labels)))
        spans[:, 0] = 0.0
        tags = random.normal(0, 1, (n, len(inventory().tags)))
        for loss, scores in ((tree_loss, spans), (tag_loss, tags)):
            given = torch.from_numpy(scores.astype(np.float32))
            losses = [float(loss(given, [examples[place]])) for examples in opinions]
            assert float(loss(given, [together[place]])) == pytest.approx(sum(losses) / 3, rel=1e-5)


def test_only_opinions_on_the_same_sentences_have_a_mean() -> None:
    examples = opinion()
    for other in (examples[:-1], examples[::-1]):
        with pytest.raises(DataError, match="of different sentences"):
            average([examples, other])


def test_an_unknown_style_lists_the_choices() -> None:
    with pytest.raises(UsageError, match="choose one of: any, news, web"):
        label(network(), inventory(), SENTENCES, "poems")


def test_one_opinion_is_its_own_mean() -> None:
    examples = opinion()
    assert all(a is b for a, b in zip(average([examples]), examples, strict=True))


@pytest.mark.parametrize("name", ["spans.npy", "tag_counts.npy", "inventory.json"])
def test_parts_that_do_not_fit_together_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "labels.tw"
    write_labels(path, opinion(), inventory())
    assert read_sentences(path) == SENTENCES
    parts, about = read_model(path, kind=KIND)
    other = pack_array(np.full((1, 3), 99, np.int16)) if name.endswith(".npy") else b"{"
    write_model(path, kind=KIND, parts={**parts, name: other}, metadata=about)
    with pytest.raises(ModelFileError, match="do not fit together"):
        read_labels(path)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    from ..toys import random_weights

    random_weights().write(tmp_path / "p.tw")
    message = "this is a parser; labels by a teacher of parsers is needed"
    with pytest.raises(ModelFileError, match=message):
        read_labels(tmp_path / "p.tw")

"""A transformer's vectors, and the teachers that use them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from treewright.errors import ModelFileError
from treewright.parsing.embedded.training.context import Context
from treewright.parsing.embedded.training.export import export
from treewright.parsing.embedded.training.labels import label
from treewright.parsing.embedded.training.storage import read_teacher, write_teacher

from ..toys import SENTENCES
from .toys import make_run


@pytest.fixture(scope="module")
def context(transformer: Path) -> Context:
    made = Context(transformer)
    made.eval()
    return made


def test_a_vector_a_word_between_start_and_end(context: Context) -> None:
    sentences = sorted(SENTENCES, key=len, reverse=True)
    width = len(sentences[0]) + 2
    with torch.no_grad():
        vectors = context(sentences, width)
    assert vectors.shape == (len(sentences), width, 16)
    for row, words in zip(vectors, sentences, strict=True):
        norms = row.norm(dim=1)
        assert (norms[: len(words) + 2] > 0.1).all()
        assert not norms[len(words) + 2 :].any()


def test_a_vector_is_the_mean_of_its_pieces(context: Context) -> None:
    with torch.no_grad():
        (found,) = context([("the", "-LRB-", "bird", "cat")], 6)
        coded = context.tokenizer("the ( bird cat", return_tensors="pt")
        (states,) = context.model(**coded).last_hidden_state
    pieces = context.tokenizer.convert_ids_to_tokens(coded["input_ids"][0])
    assert pieces == ["[CLS]", "the", "(", "b", "##i", "##r", "##d", "cat", "[SEP]"]
    expected = torch.stack([*states[:3], states[3:7].mean(dim=0), *states[7:]])
    assert found.numpy() == pytest.approx(expected.numpy(), abs=1e-5)


def test_words_beyond_the_transformers_reach_have_no_vector(context: Context) -> None:
    with torch.no_grad():
        (found,) = context([("cat",) * 600], 602)
    seen = found.norm(dim=1) > 0.1
    assert seen[:511].all()
    assert not seen[511:601].any()
    assert seen[601]


def test_words_of_no_pieces_have_no_vector(context: Context) -> None:
    with torch.no_grad():
        (found,) = context([("cat", "\u200b", "dog")], 5)
    assert [bool(row.any()) for row in found] == [True, True, False, True, True]


def test_only_the_layers_asked_for_are_used_and_learn(transformer: Path) -> None:
    lower = Context(transformer, layers=1)
    assert len(lower.model.encoder.layer) == 1
    learned = [name for name, p in lower.named_parameters() if p.requires_grad]
    assert learned
    assert not any("embeddings" in name for name in learned)


def test_half_the_precision_gives_nearly_the_same(context: Context, transformer: Path) -> None:
    half = Context(transformer, half=True).eval()
    with torch.no_grad():
        exact, rounded = (each(list(SENTENCES[:1]), 9) for each in (context, half))
    assert rounded.dtype == torch.float32
    assert not torch.equal(rounded, exact)
    assert rounded.numpy() == pytest.approx(exact.numpy(), abs=0.05)


@pytest.mark.parametrize("half", [False, True])
def test_a_teacher_survives_the_file(transformer: Path, tmp_path: Path, half: bool) -> None:
    run = make_run(
        encoder=str(transformer),
        encoder_layers=1,
        encoder_half=half,
        schedule={"context_rate": 1e-2},
    )
    before = {name: p.detach().clone() for name, p in run.network.context.named_parameters()}
    run.train()
    moved = {
        name
        for name, p in run.network.context.named_parameters()
        if not torch.equal(p, before[name])
    }
    assert moved
    assert not any("embeddings" in name for name in moved)
    assert run.settings()["encoder_layers"] == 1
    path = tmp_path / "teacher.tw"
    write_teacher(path, run.network, run.inventory, {"trace": run.trace})
    network, inventory = read_teacher(path, transformer)
    assert network.context is not None
    assert network.context.half == half
    assert inventory == run.inventory
    opinions = [
        label(teacher, run.inventory, SENTENCES, "news") for teacher in (run.network, network)
    ]
    for one, two in zip(*opinions, strict=True):
        assert one.words == two.words
        assert one.spans.tolist() == two.spans.tolist()
        assert one.span_weights.tolist() == two.span_weights.tolist()
        assert one.tag_weights.tolist() == two.tag_weights.tolist()
    again = tmp_path / "again.tw"
    write_teacher(again, network, inventory, {"trace": run.trace})
    assert again.read_bytes() == path.read_bytes()
    with pytest.raises(ModelFileError, match="needs the --encoder it was trained with"):
        read_teacher(path, None)
    with pytest.raises(ValueError, match="cannot be exported"):
        export(run.network, run.inventory, {})


def test_a_teacher_need_not_have_a_transformer(tmp_path: Path) -> None:
    run = make_run()
    write_teacher(tmp_path / "t.tw", run.network, run.inventory, {})
    network, inventory = read_teacher(tmp_path / "t.tw", None)
    assert network.context is None
    assert inventory == run.inventory
    for one, two in zip(network.parameters(), run.network.parameters(), strict=True):
        assert np.array_equal(one.detach().numpy(), two.detach().numpy())

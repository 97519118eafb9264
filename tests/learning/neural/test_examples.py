"""Examples: what the network looks at, and the tokens of targets. No torch is needed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from treewright.corpora import Record, write_records
from treewright.errors import DataError, Problems, UsageError
from treewright.learning.neural import NeuralCRF
from treewright.learning.neural.examples import styled_pairs
from treewright.pruning.encoded.places import SPECIAL, Places
from treewright.pruning.gaps import Gaps
from treewright.trees import TreeTable

from ..toys import PAIRS
from .toys import adverbs_go, sentences, without_adverbs


def test_each_target_is_the_tokens_that_it_keeps() -> None:
    data = NeuralCRF().prepare(PAIRS)
    for pair, example in zip(PAIRS, data.examples, strict=True):
        assert example.source.words == pair.source.words()
        assert len(example) == len(example.source) == len(pair.source.words())
        assert example.kept.tolist() == [i for i, _ in pair.alignment or ()]


def test_a_source_shows_what_the_network_looks_at() -> None:
    data = NeuralCRF().prepare(PAIRS)
    numbers = {label: number for number, label in enumerate(data.labels)}
    for pair, example in zip(PAIRS, data.examples, strict=True):
        table = TreeTable(pair.source)
        expected = Places.of(table, Gaps.of(table.arrays.end), numbers)
        for found, column in zip(example.source.view().places, expected, strict=True):
            assert found.tolist() == column.tolist()
        tags = [data.labels[number] for number in example.source.token_labels()]
        assert tags == ["<s>", *[leaf.label for leaf in pair.source.preterminals()], "</s>"]


def test_labels_and_styles_are_numbered() -> None:
    styles = ["b", "a", "b", "a", "c"]
    data = NeuralCRF().prepare(PAIRS, styles=styles)
    assert data.styles == ("b", "a", "c")
    assert [data.styles[example.style] for example in data.examples] == styles
    assert data.labels[:3] == SPECIAL
    assert set(data.labels[3:]) == {n.label for pair in PAIRS for n in pair.source.nodes()}
    only = data.only(["a", "c"])
    assert [example.style for example in only.examples] == [1, 1, 2]
    assert (only.styles, only.labels) == (data.styles, data.labels)


def test_targets_of_one_source_share_it() -> None:
    pair = adverbs_go()[0]
    whole = replace(pair, target=pair.source, alignment=tuple((i, i) for i in range(5)))
    first, second = NeuralCRF().prepare([pair, whole]).examples
    assert first.source is second.source
    assert first.kept.tolist() != second.kept.tolist()


def test_bad_pairs_are_problems_and_the_styles_of_others_stay() -> None:
    problems = Problems()
    bad = replace(PAIRS[0], id="bad", alignment=None)
    data = NeuralCRF().prepare([bad, *PAIRS[:2]], styles=["x", "y", "z"], problems=problems)
    assert [error.where for error in problems.errors] == ["bad"]
    assert data.styles == ("y", "z")
    with pytest.raises(DataError, match="bad: the pair has no word alignment"):
        NeuralCRF().prepare([bad])
    with pytest.raises(DataError, match="at least one aligned pair"):
        NeuralCRF().prepare([])


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("epochs", 0, "epochs must be at least 1 and whole, found 0"),
        ("tokens", 2.5, "tokens must be at least 1 and whole"),
        ("node", True, "node must be"),
        ("gap", 0, "gap must be"),
        ("seam", -1, "seam must be"),
        ("rate", 0.0, "rate must be positive"),
        ("encoder_rate", float("nan"), "encoder_rate must be positive"),
        ("dropout", 1.0, "dropout must lie between 0 and 1, found 1.0"),
        ("dropout", -0.1, "dropout must lie"),
        ("seed", -1, "seed must be at least 0"),
        ("seed", 2**40, "seed must be at most"),
    ],
)
def test_settings_that_make_no_sense(name: str, value: float, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        NeuralCRF(**{name: value})


def test_without_torch_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    data = NeuralCRF().prepare(PAIRS)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UsageError, match=r"needs torch.*pip install '\.\[train\]'"):
        NeuralCRF().fit_prepared(data)


# Corpora.


def corpus(folder: Path) -> Path:
    """A corpus of several targets, of one, and of ids that look like targets."""
    tree = sentences()[0]
    short = adverbs_go()[0].target
    path = folder / "c.jsonl"
    records = [Record("a", tree, (tree, short)), Record("x#7", tree, (short,))]
    write_records(path, records)
    return path


def test_each_target_of_a_corpus_is_a_style(tmp_path: Path) -> None:
    path = corpus(tmp_path)
    found = [(pair.id, style) for pair, style in styled_pairs(path, "c")]
    assert found == [("a#0", "c#0"), ("a#1", "c#1"), ("x#7", "c")]
    found = [(pair.id, style) for pair, style in styled_pairs(path, "c", target=0)]
    assert found == [("a", "c"), ("x#7", "c")]


def test_a_corpus_is_aligned_and_its_problems_are_told(tmp_path: Path) -> None:
    path = corpus(tmp_path)
    [*_, (pair, _)] = styled_pairs(path, "c")
    assert [i for i, _ in pair.alignment or ()] == without_adverbs(sentences()[0])
    problems = Problems()
    assert len(list(styled_pairs(path, "c", target=1, problems=problems))) == 1
    assert [str(error) for error in problems.errors] == [
        f"{path}:2: there is no target 1: the record has 1 target, numbered from 0"
    ]

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from treewright.parsing.embedded.training.examples import (
    Example,
    batches,
    gold_example,
)
from treewright.parsing.embedded.training.trainer import varied
from treewright.trees import parse_tree

from ..toys import TREES, inventory


def examples() -> list[Example]:
    return [gold_example(tree, 1, inventory()) for tree in TREES]


def test_a_tree_becomes_numbered_spans_and_tags() -> None:
    known = inventory()
    tree = parse_tree("(ROOT (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))))")
    example = gold_example(tree, 2, known)
    assert example.words == ("the", "cat", "sleeps")
    assert example.treebank == 2
    assert len(example) == 3
    assert [(i, j, known.labels[label]) for i, j, label in example.spans.tolist()] == [
        (0, 3, "S"),
        (0, 2, "NP"),
        (2, 3, "VP"),
    ]
    assert [(i, known.tags[tag]) for i, tag in example.tags.tolist()] == [
        (0, "DT"),
        (1, "NN"),
        (2, "VBZ"),
    ]
    assert example.span_weights.tolist() == example.tag_weights.tolist() == [1.0, 1.0, 1.0]


def test_unknown_labels_are_left_out() -> None:
    tree = parse_tree("(ROOT (X (NP (DT the) (NN cat)) (VP (Q (VBZ sleeps)))))")
    labels = gold_example(tree, 1, inventory()).spans[:, 2].tolist()
    assert [inventory().labels[label] for label in labels] == ["NP", "VP"]
    assert gold_example(parse_tree("(ROOT (UH yes))"), 1, inventory()).spans.shape == (0, 3)


@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("tokens", [1, 8, 14, 1000])
def test_batches_hold_every_example_once(tokens: int, seed: int | None) -> None:
    given = examples() * 3
    random = None if seed is None else np.random.default_rng(seed)
    groups = batches(given, tokens, random)
    places = {id(example) for example in given}
    found = [example for group in groups for example in group]
    assert {id(example) for example in found} == places
    assert len(found) == len(given)
    for group in groups:
        lengths = [len(example) for example in group]
        assert lengths == sorted(lengths, reverse=True)
        assert len(group) == 1 or sum(lengths) <= tokens


def test_batches_follow_the_seed() -> None:
    given = examples() * 3

    def drawn(seed: int) -> list[list[int]]:
        groups = batches(given, 14, np.random.default_rng(seed))
        return [[id(example) for example in group] for group in groups]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_no_examples_no_batches() -> None:
    assert batches([], 10, None) == []
    assert batches([], 10, np.random.default_rng(1)) == []


def test_other_signs_for_quotes_and_nothing_else() -> None:
    texts = [
        "(ROOT (S (`` ``) (NP (PRP she)) (VP (VBZ sleeps)) ('' '') (. .)))",
        "(ROOT (S (`` “) (NP (PRP she)) (VP (VBZ 's)) ('' ”) (. .)))",
    ]
    quoted = [gold_example(parse_tree(text), 1, inventory()) for text in texts]
    given = [*examples(), *quoted * 10]
    found = varied(given, np.random.default_rng(3))
    changed = 0
    for before, after in zip(given, found, strict=True):
        if after is before:
            continue
        changed += 1
        assert after.words == ('"', *before.words[1:3], '"', ".")
        for name in ("treebank", "spans", "span_weights", "tags", "tag_weights"):
            assert getattr(after, name) is getattr(before, name)
    assert 5 <= changed <= 16
    again = varied(given, np.random.default_rng(3))
    assert [example.words for example in again] == [example.words for example in found]

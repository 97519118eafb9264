"""The loss is the cross-entropy of tree distributions, by enumeration and by differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from treewright.parsing.embedded._kernels import expectations
from treewright.parsing.embedded.training import labels as labelling
from treewright.parsing.embedded.training.examples import Example, gold_example
from treewright.parsing.embedded.training.trainer import tag_loss, tree_loss
from treewright.trees import parse_tree

from .. import twins
from ..toys import inventory

TEXTS = [
    "(ROOT (S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (PRP she)))))",
    "(ROOT (NP (NN cat) (NN dog)) (. .))",
    "(ROOT (UH yes))",
]
GOLD = [gold_example(parse_tree(text), 1, inventory()) for text in TEXTS]
LABELS, TAGS = len(inventory().labels), len(inventory().tags)
ROWS = [len(example) * (len(example) + 1) // 2 for example in GOLD]


def draw(seed: int, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Return scores of tags and spans for the toy batch."""
    random = np.random.default_rng(seed)
    tags = random.normal(0, scale, (sum(map(len, GOLD)), TAGS)).astype(np.float32)
    spans = random.normal(0, scale, (sum(ROWS), LABELS)).astype(np.float32)
    spans[:, 0] = 0.0
    return tags, spans


def by_hand(spans: np.ndarray, examples: list[Example]) -> float:
    """Return the log of all bracketings minus the expected score, sentence by sentence."""
    total, first = 0.0, 0
    for example, rows in zip(examples, ROWS, strict=True):
        scores = spans[first : first + rows].tolist()
        total += twins.log_partition(twins.sum_labels(scores), len(example))
        place = {span: row for row, span in enumerate(twins.spans(len(example)))}
        for (i, j, label), weight in zip(
            example.spans.tolist(), example.span_weights.tolist(), strict=True
        ):
            total -= weight * scores[place[i, j]][label]
        first += rows
    return total


def test_the_loss_of_trees_is_a_log_probability() -> None:
    _, spans = draw(1)
    loss = tree_loss(torch.from_numpy(spans), GOLD)
    assert float(loss) == pytest.approx(by_hand(spans, GOLD), rel=1e-5)
    assert float(loss) > 0.0


def test_its_gradient_equals_differences() -> None:
    _, spans = draw(2)
    scores = torch.from_numpy(spans).requires_grad_()
    (3 * tree_loss(scores, GOLD)).backward()
    step = 1e-4
    for row in range(0, len(spans), 2):
        for label in range(1, LABELS):
            sides = []
            for change in (step, -step):
                moved = spans.astype(np.float64)
                moved[row, label] += change
                sides.append(by_hand(moved, GOLD))
            slope = 3 * (sides[0] - sides[1]) / (2 * step)
            assert float(scores.grad[row, label]) == pytest.approx(slope, abs=2e-4)
    assert not scores.grad[:, 0].any()


def test_the_loss_of_tags_is_the_cross_entropy() -> None:
    tags, _ = draw(3)
    expected, token = 0.0, 0
    for example in GOLD:
        for place, tag in example.tags.tolist():
            row = tags[token + place].tolist()
            expected += twins.log_sum(row) - row[tag]
        token += len(example)
    scores = torch.from_numpy(tags).requires_grad_()
    loss = tag_loss(scores, GOLD)
    assert float(loss.detach()) == pytest.approx(expected, rel=1e-5)
    loss.backward()
    assert scores.grad.sum(dim=1).numpy() == pytest.approx(np.zeros(len(tags)), abs=1e-5)


def opinion_of(tags: np.ndarray, spans: np.ndarray) -> list[Example]:
    made = []
    token = row = 0
    for example in GOLD:
        n, rows = len(example), len(example) * (len(example) + 1) // 2
        scores = tags[token : token + n], spans[row : row + rows]
        made.append(labelling._labelled(example.words, example.treebank, *scores))
        token, row = token + n, row + rows
    return made


def test_a_teacher_without_doubt_is_gold() -> None:
    tags, spans = (np.full_like(scores, -60.0) for scores in draw(4))
    spans[:, 0] = 0.0
    token = first = 0
    for example, rows in zip(GOLD, ROWS, strict=True):
        place = {span: row for row, span in enumerate(twins.spans(len(example)))}
        for i, j, label in example.spans.tolist():
            spans[first + place[i, j], label] = 60.0
        for word, tag in example.tags.tolist():
            tags[token + word, tag] = 60.0
        token += len(example)
        first += rows
    taught = opinion_of(tags, spans)
    for example, gold in zip(taught, GOLD, strict=True):
        assert sorted(example.spans.tolist()) == sorted(gold.spans.tolist())
        assert example.tags.tolist() == gold.tags.tolist()
    tags, spans = draw(5)
    for loss, scores in ((tree_loss, spans), (tag_loss, tags)):
        given = torch.from_numpy(scores)
        assert float(loss(given, taught)) == pytest.approx(float(loss(given, GOLD)), rel=1e-5)


def test_who_agrees_with_the_teacher_has_nothing_to_learn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(labelling, "LEAST", 1e-12)
    tags, spans = draw(6)
    taught = opinion_of(tags, spans)
    for loss, values in ((tree_loss, spans), (tag_loss, tags)):
        scores = torch.from_numpy(values.copy()).requires_grad_()
        loss(scores, taught).backward()
        assert float(scores.grad.abs().max()) < 1e-5


def test_a_teacher_tells_what_is_probable() -> None:
    tags, spans = draw(7, scale=2.0)
    marginals = np.empty_like(spans)
    expectations(spans, np.array(list(map(len, GOLD))), marginals)
    taught = opinion_of(tags, spans)
    told = [weight for example in taught for weight in example.span_weights.tolist()]
    assert sorted(told) == sorted(marginals[marginals >= labelling.LEAST].tolist())
    for example in taught:
        assert math.fsum(example.tag_weights) == pytest.approx(len(example), abs=0.1 * TAGS)
        assert example.spans[:, 2].all()

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import UsageError
from treewright.forest import Forest, ForestBuilder, best_by_two_counts
from treewright.learning.margin.losses import LOSSES, RESCALE, loss_named, most_violated

from ...forest import naive
from ...forest.strategies import counted_forests, fan, quick, twice

Case = tuple[Forest, np.ndarray, np.ndarray]


def plain(name: str, tp: int, fp: int, r: int) -> float:
    """The losses as the papers write them, for r > 0."""
    c = tp + fp
    if name == "hamming":
        return fp + max(0, r - c)
    if name == "errors":
        return fp + max(0, r - tp)
    if c == 0:
        return 1.0
    precision, recall = tp / c, min(tp, r) / r
    if name == "f1":
        return 1 - 2 * precision * recall / (precision + recall) if tp else 1.0
    penalty = {
        "precision": 1.0,
        "precision-bp1": math.exp(1 - max(1, r / c)),
        "precision-bp2": math.exp(1 - max(c / r, r / c)),
    }
    return 1 - precision * penalty[name]


@pytest.mark.parametrize(
    ("name", "counts", "expected"),
    [
        ("precision", (3, 1, 4), 0.25),
        ("precision", (1, 0, 4), 0.0),
        ("precision", (0, 2, 4), 1.0),
        ("precision-bp1", (4, 0, 4), 0.0),
        ("precision-bp1", (8, 0, 4), 0.0),
        ("precision-bp1", (2, 0, 4), 1 - math.exp(-1)),
        ("precision-bp1", (3, 3, 4), 0.5),
        ("precision-bp2", (4, 0, 4), 0.0),
        ("precision-bp2", (2, 0, 4), 1 - math.exp(-1)),
        ("precision-bp2", (8, 0, 4), 1 - math.exp(-1)),
        ("precision-bp2", (4, 4, 4), 1 - 0.5 * math.exp(-1)),
        ("hamming", (4, 0, 4), 0.0),
        ("hamming", (2, 1, 4), 2.0),
        ("hamming", (3, 3, 4), 3.0),
        ("errors", (4, 0, 4), 0.0),
        ("errors", (2, 1, 4), 3.0),
        ("errors", (5, 1, 4), 1.0),
        ("f1", (4, 0, 4), 0.0),
        ("f1", (2, 0, 4), 1 / 3),
        ("f1", (8, 0, 4), 0.0),
        ("f1", (2, 2, 4), 0.5),
        ("f1", (0, 3, 4), 1.0),
    ],
)
def test_values_by_hand(name: str, counts: tuple[int, int, int], expected: float) -> None:
    assert float(LOSSES[name](*counts)) == pytest.approx(expected)


@pytest.mark.parametrize("name", LOSSES)
def test_no_output_is_the_worst(name: str) -> None:
    loss = loss_named(name)
    assert float(loss(0, 0, 7)) == (7.0 if name in ("hamming", "errors") else 1.0)


@pytest.mark.parametrize("name", LOSSES)
def test_an_empty_reference_gives_numbers(name: str) -> None:
    tp, fp = np.array([0, 0, 0]), np.array([0, 1, 30])
    expected = [0.0, 1.0, 30.0] if name in ("hamming", "errors") else [1.0, 1.0, 1.0]
    assert LOSSES[name](tp, fp, 0).tolist() == expected


@pytest.mark.parametrize("name", LOSSES)
def test_losses_of_a_whole_grid_are_those_of_its_cells(name: str) -> None:
    loss = loss_named(name)
    for r in (1, 2, 5):
        grid = loss(np.arange(9)[:, None], np.arange(6), r)
        assert grid.shape == (9, 6)
        expected = [plain(name, tp, fp, r) for tp in range(9) for fp in range(6)]
        assert grid.ravel().tolist() == pytest.approx(expected)
        assert (grid >= 0.0).all()


@pytest.mark.parametrize("name", LOSSES)
def test_the_reference_itself_costs_nothing(name: str) -> None:
    lengths = range(1, 60)
    assert [float(LOSSES[name](n, 0, n)) for n in lengths] == [0.0] * len(lengths)


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_can_go_to_another_process(name: str) -> None:
    assert pickle.loads(pickle.dumps(LOSSES[name])) == LOSSES[name]


def test_only_plain_precision_does_without_the_length_of_the_reference() -> None:
    tp, fp = np.arange(5)[:, None], np.arange(5)
    for loss in LOSSES.values():
        same = (loss(tp, fp, 3) == loss(tp, fp, 4)).all()
        assert same == (loss.name == "precision")


def test_unknown_names_list_the_choices() -> None:
    with pytest.raises(UsageError, match="unknown loss 'bleu'; choose one of: errors, f1, hamm"):
        loss_named("bleu")
    table = best_by_two_counts(twice(), np.zeros(3), np.zeros((3, 2), int))
    with pytest.raises(UsageError, match="unknown rescaling 'both'; choose one of: margin, slack"):
        most_violated(table, LOSSES["f1"], 0.0, 1, "both")


@pytest.mark.parametrize("rescaling", RESCALE)
@pytest.mark.parametrize("name", LOSSES)
@quick
@given(
    case=counted_forests(dimensions=2),
    reference_length=st.integers(1, 6),
    gold_score=st.floats(-8.0, 2.0),
)
def test_the_most_violated_is_that_of_all_derivations(
    name: str, rescaling: str, case: Case, reference_length: int, gold_score: float
) -> None:
    forest, weights, counts = case
    derivations = naive.scored_derivations(forest, weights)
    if not derivations:
        return
    violations = []
    for score, derivation in derivations:
        loss = plain(name, *naive.total_count(derivation, counts), reference_length)
        margin, slack = loss + score - gold_score, (1 + score - gold_score) * loss
        violations.append(margin if rescaling == "margin" else slack)
    table = best_by_two_counts(forest, weights, counts)
    found = most_violated(table, LOSSES[name], gold_score, reference_length, rescaling)
    assert found.violation == pytest.approx(max(violations), abs=1e-9)
    best = table.derivation(found.true_positives, found.false_positives)
    place = [derivation for _, derivation in derivations].index(best)
    assert violations[place] == pytest.approx(found.violation, abs=1e-9)
    expected = plain(name, found.true_positives, found.false_positives, reference_length)
    assert found.loss == pytest.approx(expected)


def test_without_loss_there_is_no_violation_under_slack_rescaling() -> None:
    """All that is put out is right; the better score does not matter."""
    forest = fan(3)
    counts = np.zeros((forest.num_edges, 2), int)
    counts[:6:2, 0] = 1
    counts[1:6:2, 1] = 1
    weights = np.zeros(forest.num_edges)
    weights[1:6:2] = -9.0
    table = best_by_two_counts(forest, weights, counts)
    assert most_violated(table, LOSSES["precision"], 0.0, 3, "slack") == (3, 0, 0.0, 0.0)


def test_ties_go_to_the_fewest_true_and_then_false_positives() -> None:
    """Every cell has the same score, and no loss depends on it here: H is Δ."""
    builder = ForestBuilder()
    root = builder.add_node()
    pairs = [(2, 2), (1, 3), (1, 1), (3, 3)]
    for _ in pairs:
        builder.add_edge(root, (), 0)
    table = best_by_two_counts(builder.build(), np.zeros(4), pairs)
    # Δ = 0.5 at (1, 1), (2, 2), (3, 3); 0.75 at (1, 3).
    found = most_violated(table, LOSSES["precision"], 0.0, 2, "margin")
    assert found == (1, 3, 0.75, 0.75)
    found = most_violated(table, LOSSES["hamming"], 0.0, 5, "slack")
    assert found == (1, 1, 4.0, 4.0)
    table = best_by_two_counts(builder.build(), np.zeros(4), [(2, 2), (3, 3), (1, 1), (1, 1)])
    assert most_violated(table, LOSSES["precision"], 0.0, 2, "margin") == (1, 1, 0.5, 0.5)


def test_what_cannot_be_searched_is_refused() -> None:
    builder = ForestBuilder()
    builder.add_node()
    empty = best_by_two_counts(builder.build(), [], np.zeros((0, 2), int))
    with pytest.raises(ValueError, match="a forest without derivation violates no margin"):
        most_violated(empty, LOSSES["f1"], 0.0, 1, "slack")
    table = best_by_two_counts(twice(), np.zeros(3), np.zeros((3, 2), int))
    with pytest.raises(ValueError, match="gold derivation must be finite, not -inf"):
        most_violated(table, LOSSES["f1"], -math.inf, 1, "slack")
    with pytest.raises(ValueError, match="a reference has no -1 tokens"):
        most_violated(table, LOSSES["f1"], 0.0, -1, "slack")

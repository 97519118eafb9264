"""StepPruning, against the list of everything that can be pruned."""

from __future__ import annotations

import itertools
import math
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given

from treewright.forest import Forest, derivation_count, log_partition
from treewright.grammar import FlatUnseen, Grammar
from treewright.pruning import Pruner, StepPruning, gaps
from treewright.trees import Tree, TreeTable, parse_tree

from ..transduction.test_kernels import plain_python
from ..trees.strategies import trees

UNSEEN = FlatUnseen({}, {}, other=(-1.0, -2.0))
PRUNING = StepPruning(
    {
        ("frame0",): -0.5,
        ("frame1", "A", ""): 2.0,
        ("frame5", "A", "dropped"): -1.0,
        ("frame5", "B", "kept"): 0.7,
        ("frame4", "dropped"): 0.3,
        ("word0", "A", "d"): -1.5,
        ("size1", "S", "X", "2"): 0.9,
    }
)
NOTHING = Grammar.from_counts({})


def cost_of_deleting(tree: Tree) -> float:
    return -2.0 * sum(1 for _ in tree.nodes())


def prunings(tree: Tree) -> dict[Tree, float]:
    """Every pruning of a tree that keeps its root, with its weight."""
    skeleton = TreeTable(tree)
    steps, closing = PRUNING.steps(skeleton)

    def of(x: int) -> dict[Tree, float]:
        node = skeleton.nodes[x]
        if node.word is not None:
            return {node: -1.0}
        children = skeleton.children[x]
        parts = {y: of(y) for y in children}
        found: dict[Tree, float] = {}
        for kept in itertools.product([True, False], repeat=len(children)):
            weight, dropped = closing[x] - 1.0, False
            for y, keep in zip(children, kept, strict=True):
                weight += steps[y, 2 * dropped + (not keep)]
                weight += 0.0 if keep else cost_of_deleting(skeleton.nodes[y])
                dropped = not keep
            if not any(kept) or (len(children) == 1 and not all(kept)):
                continue
            left = [y for y, keep in zip(children, kept, strict=True) if keep]
            for choice in itertools.product(*[parts[y].items() for y in left]):
                pruned = Tree(node.label, [part for part, _ in choice])
                total = weight + sum(price for _, price in choice)
                found[pruned] = max(total, found.get(pruned, -math.inf))
        return found

    return of(0)


SMALL = [
    "(S (A a) (B b))",
    "(S (A a) (S (A a) (B b) (C c)))",
    "(S (X (A a)) (X (Y (B b)) (A a)) (A d))",
    "(S (X (X (A a) (B b))) (C c))",
]


@pytest.mark.parametrize("mode", [nullcontext, plain_python])
@pytest.mark.parametrize("text", SMALL)
def test_every_pruning_has_its_weight(text: str, mode: Any) -> None:
    source = parse_tree(text)
    with mode():
        forest = Pruner(NOTHING, UNSEEN, PRUNING).forest(source)
    expected = prunings(source)
    found = {target.tree: target.score for target in forest.nbest(10_000)}
    assert found.keys() == expected.keys()
    for tree, weight in expected.items():
        assert found[tree] == pytest.approx(weight)


@pytest.mark.parametrize("text", SMALL)
def test_forests_of_prunings_are_forests(text: str) -> None:
    forest = Pruner(NOTHING, UNSEEN, PRUNING).forest(parse_tree(text)).forest
    again = Forest.from_arrays(
        head=forest.head,
        tail_ptr=forest.tail_ptr,
        tail=forest.tail,
        label=forest.label,
        num_nodes=forest.num_nodes,
    )
    assert derivation_count(again) == derivation_count(forest) > 0


def test_a_pruning_is_one_rule_of_its_derivation() -> None:
    source = parse_tree("(S (A a) (X (B b) (C c)) (D d))")
    forest = Pruner(NOTHING, UNSEEN, PRUNING).forest(source)
    [target] = [t for t in forest.nbest(10_000) if str(t.tree) == "(S (X (C c)) (D d))"]
    assert target.positions == (2, 3)
    assert [str(rule) for rule in target.rules] == [
        "S/S -> (S A[ε] X[1] D[2]) / (S X[1] D[2])",
        "A/ε -> (A a) / ε",
        "X/X -> (X B[ε] C[1]) / (X C[1])",
        "B/ε -> (B b) / ε",
        "C/C -> (C c) / (C c)",
        "D/D -> (D d) / (D d)",
    ]
    assert target.unseen == 6


@given(trees())
def test_all_prunings_of_a_tree_sum_to_one(source: Tree) -> None:
    free = FlatUnseen({}, {}, other=(0.0, 0.0))
    forest = Pruner(NOTHING, free, PRUNING).forest(source)
    assert log_partition(forest.forest, forest.weights) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("children", [2, 3, 4, 12])
def test_a_gap_stands_between_any_two_children(children: int) -> None:
    forest = Pruner(NOTHING, UNSEEN, PRUNING).forest(flat_tree(children)).forest
    words = 2 * children
    between_any_two_edges_included = (children + 2) * (children + 1) // 2 - 1
    assert forest.num_edges - words == between_any_two_edges_included


@pytest.mark.parametrize("longest", [1, 2, 3])
@pytest.mark.parametrize("children", [2, 5, 9])
def test_long_runs_are_dropped_in_blocks_each_in_one_way(
    children: int, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "LONGEST", longest)
    source = flat_tree(children)
    forest = Pruner(NOTHING, UNSEEN, PRUNING).forest(source)
    assert derivation_count(forest.forest) == 2**children - 1
    expected = prunings(source)
    found = {target.tree: target.score for target in forest.nbest(10_000)}
    assert found == pytest.approx(expected)


def test_gaps_grow_with_the_number_of_children() -> None:
    sizes = [
        Pruner(NOTHING, UNSEEN, PRUNING).forest(flat_tree(children)).forest.num_edges
        for children in (100, 200, 300)
    ]
    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0], rel=0.02)


def flat_tree(children: int) -> Tree:
    return Tree("S", [Tree("A", word=str(i)) for i in range(children)])


@given(trees())
def test_every_length_from_one_word_up_can_be_made(source: Tree) -> None:
    forest = Pruner(NOTHING, UNSEEN, PRUNING).forest(source)
    scores = forest.curve().scores
    words = len(scores) - 1
    assert all(scores[n] > -math.inf for n in range(1, words + 1))

"""The kernels that match rules and build forests, compiled and as plain Python, and their twins."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import Pair
from treewright.errors import DataError
from treewright.forest import derivation_count
from treewright.grammar import FlatUnseen, Grammar, Rule, parse_rule
from treewright.grammar import _kernels as matching
from treewright.transduction import Transducer, _growth_kernels, _kernels, pair_forest
from treewright.trees import Tree, parse_tree
from treewright.trees.packed import PackedTrees

from ..grammar import oracle, toys
from ..grammar.strategies import fitting_rules, pairs, quick, trees
from ..grammar.test_index import uncompiled
from ..profiles import examples
from .charts import chart_edges, pair_edges, target_edges, target_labels

UNSEEN = FlatUnseen({}, {}, other=(-1.0, -2.0))
fewer = examples(20)


@contextmanager
def plain_python() -> Iterator[None]:
    """Run the kernels of both rooms uncompiled."""
    with uncompiled(matching, _kernels):
        yield


def grammar_of(rules: tuple[Rule, ...]) -> Grammar:
    size = len(rules)
    return Grammar(rules, np.linspace(-1.0, -2.0, size), np.ones(size))


def check_matches(rules: tuple[Rule, ...], tree: Tree) -> None:
    """Compare the fragments found at each node with direct comparison of each."""
    index = grammar_of(rules).index
    packed = PackedTrees.pack(
        [tree], labels=index.labels.copy(), words=index.words, frozen_words=True
    )
    production = matching.find_productions(index.trie, packed.label, packed.word, packed.end)
    where = oracle.paths(tree)
    for x, path in enumerate(where):
        state, pointer, node = _kernels.match_fragments(index.trie, production, packed.end, x)
        found = []
        for k in range(len(state)):
            stops = [where[n] for n in node[pointer[k] : pointer[k + 1]]]
            accepted = index.trie.fragment_ptr[state[k] : state[k] + 2]
            found += [(int(r), stops) for r in index.trie.fragment_rule[slice(*accepted)]]
        expected = [
            (number, stops)
            for number, rule in enumerate(rules)
            if rule.source is not None
            and (stops := oracle.match(rule.source, tree, path)) is not None
        ]
        assert sorted(found) == expected


def check_pair(rules: tuple[Rule, ...], pair: Pair, *, aligned: bool) -> None:
    given = pair if aligned else replace(pair, alignment=None)
    found = pair_forest(grammar_of(rules), given)
    chart = oracle.useful(oracle.pair_chart(rules, pair, aligned=aligned), oracle.ROOT)
    assert (found is None) == (not chart)
    if found is not None:
        assert pair_edges(found, pair.source, pair.target) == chart_edges(chart)
        assert derivation_count(found.forest) == oracle.count(chart, oracle.ROOT)


def check_targets(rules: tuple[Rule, ...], tree: Tree) -> None:
    found = Transducer(grammar_of(rules), UNSEEN).forest(tree)
    root = ((), tree.label)
    chart = oracle.useful(oracle.target_chart(rules, tree, unseen=True), root)
    assert target_edges(found, tree) == chart_edges(chart)
    assert derivation_count(found.forest) == oracle.count(chart, root)


@quick
@given(st.data())
def test_matches(data: Any) -> None:
    pair = data.draw(pairs())
    check_matches(data.draw(fitting_rules(pair)), pair.source)
    check_matches(data.draw(fitting_rules(pair)), data.draw(trees()))


@quick
@given(st.data(), st.booleans())
def test_synchronous_forests(data: Any, aligned: bool) -> None:
    pair = data.draw(pairs())
    check_pair(data.draw(fitting_rules(pair)), pair, aligned=aligned)


@quick
@given(st.data())
def test_target_forests(data: Any) -> None:
    pair = data.draw(pairs())
    check_targets(data.draw(fitting_rules(pair)), pair.source)
    check_targets(data.draw(fitting_rules(pair)), data.draw(trees()))


@fewer
@given(st.data(), st.booleans())
def test_all_of_it_in_plain_python(data: Any, aligned: bool) -> None:
    pair = data.draw(pairs(2))
    rules = data.draw(fitting_rules(pair))
    with plain_python():
        check_matches(rules, pair.source)
        check_pair(rules, pair, aligned=aligned)
        check_targets(rules, pair.source)


@quick
@given(st.data())
def test_without_rules_for_the_unseen(data: Any) -> None:
    pair = data.draw(pairs())
    rules = data.draw(fitting_rules(pair))
    grammar = grammar_of(rules)
    chart = oracle.target_chart(rules, pair.source)
    alive = oracle.productive(chart)
    categories = [label for label in target_labels(grammar, pair.source) if ((), label) in alive]
    possible = [label for label in categories if label is not None]
    if not possible:
        with pytest.raises(DataError, match="the grammar derives no target tree"):
            Transducer(grammar).forest(pair.source)
        return
    root = pair.source.label if pair.source.label in possible else possible[0]
    found = Transducer(grammar).forest(pair.source)
    expected = oracle.useful(chart, ((), root))
    assert target_edges(found, pair.source) == chart_edges(expected)


@pytest.mark.parametrize("mode", [nullcontext, plain_python])
def test_buffers_grow_with_the_number_of_rules(mode: Any) -> None:
    """Many rules, many categories and many tails, on the smallest of trees."""
    texts = [f"N/T{i} -> (N a) / (T{i} t)" for i in range(120)]
    texts += ["N/N -> (N a) / (N a)", "N/ε -> (N a) / ε", "ε/I -> ε / (I i)"]
    texts += [f"S/S -> (S N[1]) / (S T{i}[1])" for i in range(120)]
    texts += [f"S/C{i} -> (S N[1]) / (C{i} T{i}[1] {'I[ε] ' * (i % 13)})" for i in range(120)]
    texts += ["S/S -> (S N[1]) / (S " + "I[ε] " * 300 + "N[1])"]
    rules = toys.rules(texts)
    with mode():
        check_matches(rules, parse_tree("(S (N a))"))
        check_targets(rules, parse_tree("(S (N a))"))
        target = parse_tree("(S " + "(I i) " * 300 + "(N a))")
        pair = Pair("wide", parse_tree("(S (N a))"), target, ((0, 300),))
        check_pair(rules, pair, aligned=True)


@pytest.mark.parametrize("mode", [nullcontext, plain_python])
def test_buffers_grow_with_the_number_of_matches(mode: Any) -> None:
    """Every subset of eight expanded children is a fragment of its own."""
    texts = []
    for subset in range(1 << 8):
        sides = [f"(N{i} a)" if subset >> i & 1 else f"N{i}[{i + 1}]" for i in range(8)]
        texts.append(f"S/S -> (S {' '.join(sides)}) / (S {' '.join(sides)})")
    texts += [f"N{i}/N{i} -> (N{i} a) / (N{i} a)" for i in range(8)]
    tree = parse_tree(f"(S {' '.join(f'(N{i} a)' for i in range(8))})")
    with mode():
        rules = toys.rules(texts)
        check_matches(rules, tree)
        check_targets(rules, tree)
        check_pair(rules, Pair("subsets", tree, tree), aligned=True)


def test_room_for_more() -> None:
    array = np.arange(4)
    assert _growth_kernels.room_for(array, 4).tolist() == [0, 1, 2, 3]
    assert _growth_kernels.room_for(array, 5).size == 8
    assert _growth_kernels.room_for(array, 50).size == 50
    assert _growth_kernels.room_for(array, 5)[:4].tolist() == [0, 1, 2, 3]


heads = st.lists(st.integers(0, 5), max_size=12)


@quick
@given(heads)
def test_sort_by_head(head: list[int]) -> None:
    order, node_ptr = _growth_kernels.sort_by_head(np.array(head, dtype=np.int32), 6)
    assert order.tolist() == sorted(range(len(head)), key=lambda e: head[e])
    assert node_ptr.tolist() == [sum(h < v for h in head) for v in range(7)]


@st.composite
def loose_edges(draw: Any) -> tuple[list[tuple[int, list[int], int]], int]:
    """Edges (head, tails, label) in any order, tails below heads; and a root."""
    edges = []
    for label in range(draw(st.integers(0, 12))):
        head = draw(st.integers(0, 5))
        tail = st.integers(0, max(0, head - 1))
        edges.append((head, draw(st.lists(tail, max_size=3 if head else 0)), label))
    return edges, draw(st.integers(0, 5))


@quick
@given(loose_edges())
def test_assemble(case: tuple[list[tuple[int, list[int], int]], int]) -> None:
    edges, root = case
    reached: set[int] = set()
    agenda = [root]
    while agenda:
        node = agenda.pop()
        if node not in reached:
            reached.add(node)
            agenda += [tail for head, tails, _ in edges if head == node for tail in tails]
    kept = sorted(reached)
    number = {node: k for k, node in enumerate(kept)}
    expected = [
        (number[head], [number[tail] for tail in tails], label)
        for head, tails, label in sorted(edges, key=lambda edge: edge[0])
        if head in reached
    ]
    arity = [len(tails) for _, tails, _ in edges]
    head, ptr, tail, node_ptr, label, nodes = _growth_kernels.assemble(
        np.array([head for head, _, _ in edges], dtype=np.int32),
        np.cumsum([0, *arity]),
        np.array([tail for _, tails, _ in edges for tail in tails], dtype=np.int32),
        np.array([label for _, _, label in edges], dtype=np.int32),
        6,
        root,
    )
    tails = [tail[ptr[e] : ptr[e + 1]].tolist() for e in range(len(head))]
    assert list(zip(head.tolist(), tails, label.tolist(), strict=True)) == expected
    assert nodes.tolist() == kept
    assert node_ptr.tolist() == [sum(h < v for h, _, _ in expected) for v in range(len(kept) + 1)]


def test_labels_alone_do_not_make_a_match() -> None:
    """The same labels with another word, fewer children or more: no match."""
    rules = (parse_rule("S/ε -> (S (N a) N[ε]) / ε"),)
    for text in ["(S (N b) (N a))", "(S (N a))", "(S (N a) (N a) (N a))", "(S (N (N a)) (N a))"]:
        check_matches(rules, parse_tree(text))
    check_matches(rules, parse_tree("(S (N a) (N unheard))"))


@pytest.mark.parametrize("mode", [nullcontext, plain_python])
@pytest.mark.parametrize("whole", [False, True])
def test_supply_equals_its_twin(mode: Any, whole: bool) -> None:
    """Every combination of a copy rule, a deletion rule, gaps and a known weight."""
    cases = list(itertools.product([False, True], repeat=4))
    has_copy, has_deletion, pruned, unknown = (
        np.array(column) for column in zip(*cases, strict=True)
    )
    known = np.where(unknown[:, None], np.nan, np.arange(32.0).reshape(16, 2))
    production = np.arange(16, dtype=np.int32)[::-1].copy()
    pointer = np.append(0, np.cumsum(2 * pruned[production]))
    prices = np.linspace(-3.0, -4.0, pointer[-1])
    drops = np.linspace(-1.0, -2.0, 16) if whole else np.empty(0)
    with mode():
        copies, deletes, weights, new = _kernels.supply(
            production, has_copy, has_deletion, known, pointer, prices, drops
        )
    missing = []
    for x, p in enumerate(production.tolist()):
        copy = not has_copy[p] and not pruned[p]
        delete = whole or not has_deletion[p]
        needed = copy if whole else copy or delete or pruned[p]
        expected = known[p].tolist() if needed else [0.0, 0.0]
        if needed and unknown[p]:
            missing.append(x)
        if whole:
            expected[1] = drops[x]
        assert (copies[x], deletes[x]) == (copy, delete)
        assert np.array_equal(weights[2 * x : 2 * x + 2], expected, equal_nan=True)
    assert new.tolist() == missing
    assert weights[32:].tolist() == prices.tolist()

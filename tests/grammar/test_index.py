"""The match index: its tables and its kernels against direct reading of rules and trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compiling import forced
from treewright.grammar import Rule, TargetString, _kernels, parse_rule
from treewright.grammar.index import RuleIndex
from treewright.grammar.rule import STRING
from treewright.trees import Tree
from treewright.trees.packed import PackedTrees

from ..profiles import examples
from . import oracle, toys
from .strategies import fitting_rules, pairs, quick, rules, trees

Production = tuple[str, str | None, tuple[str, ...]]


@contextmanager
def uncompiled(*modules: Any) -> Iterator[None]:
    """Run kernels as plain Python, which checks every index that lies behind an array's end."""
    compiled = [
        (module, name, kernel)
        for module in modules
        for name, kernel in vars(module).items()
        if hasattr(kernel, "py_func")
    ]
    assert compiled
    try:
        for module, name, kernel in compiled:
            setattr(module, name, kernel.py_func)
        # Kernels of other modules run uncompiled, too; hashes wrap around.
        with forced(False), np.errstate(over="ignore"):
            yield
    finally:
        for module, name, kernel in compiled:
            setattr(module, name, kernel)


def production(node: Tree) -> Production:
    return (node.label, node.word, tuple(child.label for child in node.children))


def spelt(rules: Sequence[Rule]) -> set[Production]:
    """Return the productions that rules spell out."""
    sides = [side for rule in rules for side in (rule.source, rule.target) if side is not None]
    trees = [side for side in sides if isinstance(side, Tree)]
    return {production(node) for tree in trees for node in tree.nodes() if not node.is_frontier}


def names(index: RuleIndex) -> list[Production | None]:
    """Return each production of an index in the trees' own words, from 1."""
    found: list[Production | None] = [None]
    label, word = index.labels.names, index.words.names
    pointer, item = index.trie.production_ptr.tolist(), index.trie.production_item.tolist()
    for begin, end in pairwise(pointer[1:]):
        first, *rest = item[begin:end]
        if rest[0] < 0:
            found.append((label[first], word[-1 - rest[0]], ()))
        else:
            found.append((label[first], None, tuple(label[number] for number in rest)))
    return found


def find(index: RuleIndex, tree: Tree) -> list[int]:
    packed = PackedTrees.pack(
        [tree], labels=index.labels.copy(), words=index.words, frozen_words=True
    )
    found = _kernels.find_productions(index.trie, packed.label, packed.word, packed.end)
    return [int(number) for number in found]


def check_productions(rules: Sequence[Rule], tree: Tree) -> None:
    index = RuleIndex.compile(rules)
    known = names(index)
    assert set(known[1:]) == spelt(rules)
    expected = [production(node) for node in tree.nodes()]
    for found, wanted in zip(find(index, tree), expected, strict=True):
        assert known[found] == (wanted if wanted in known else None)


@quick
@given(st.data())
def test_productions_are_found(data: Any) -> None:
    pair = data.draw(pairs())
    check_productions(data.draw(fitting_rules(pair)), pair.source)
    check_productions(data.draw(fitting_rules(pair)), data.draw(trees()))


@examples(15)
@given(st.data())
def test_productions_are_found_without_the_compiler(data: Any) -> None:
    pair = data.draw(pairs())
    with uncompiled(_kernels):
        check_productions(data.draw(fitting_rules(pair)), pair.source)


def test_thousands_of_productions_in_one_table() -> None:
    texts = [f"A{i % 50}/ε -> (A{i % 50} w{i}) / ε" for i in range(3000)]
    texts += [f"B{i}/ε -> (B{i} A{i % 50}[ε] A{i % 7}[ε]) / ε" for i in range(3000)]
    rules = [parse_rule(text) for text in texts]
    index = RuleIndex.compile(rules)
    known = names(index)
    for rule in rules[::7]:
        assert rule.source is not None
        assert known[find(index, rule.source)[0]] == production(rule.source)
    assert find(index, Tree("A1", word="w2")) == [0]
    assert find(index, Tree("B1", [Tree("A1", word="unheard")])) == [0, 0]


def follow(index: RuleIndex, fragment: Tree) -> int:
    """Walk through the trie along a fragment; return the last state, or -1."""
    known = names(index)
    state = 0
    for node in fragment.nodes():
        symbol = 0 if node.is_frontier else known.index(production(node))
        state = int(_kernels.advance(index.trie, state, symbol))
        if state < 0:
            return -1
    return state


@examples(30)
@given(st.lists(rules(), max_size=8, unique=True))
def test_the_trie_leads_to_exactly_the_rules_of_a_fragment(rules: list[Rule]) -> None:
    index = RuleIndex.compile(rules)
    for rule in rules:
        if rule.source is not None:
            state = follow(index, rule.source)
            pointer = index.trie.fragment_ptr[state : state + 2]
            accepted = index.trie.fragment_rule[slice(*pointer)].tolist()
            assert accepted == [n for n, other in enumerate(rules) if other.source == rule.source]
    assert index.insertions.tolist() == [n for n, r in enumerate(rules) if r.source is None]


@examples(30)
@given(st.lists(rules(), max_size=8, unique=True))
def test_the_tables_say_what_the_rules_say(rules: list[Rule]) -> None:
    index = RuleIndex.compile(rules)
    tables, label = index.rules, [*index.labels.names[:-1], STRING, None]
    for number, rule in enumerate(rules):
        frontier = slice(*tables.frontier_ptr[number : number + 2])
        inserted = slice(*tables.inserted_ptr[number : number + 2])
        labels = [*oracle.frontier(rule.target), None]
        assert label[tables.target_root[number]] == (rule.target and rule.target.label)
        assert tuple(tables.link[frontier].tolist()) == rule.links
        assert [label[c] for c in tables.category[frontier]] == [labels[j] for j in rule.links]
        assert tables.inserted[inserted].tolist() == oracle.inserted(rule)
        assert [label[c] for c in tables.inserted_category[inserted]] == [
            labels[j] for j in oracle.inserted(rule)
        ]
        symbols = tables.target_symbol[slice(*tables.target_ptr[number : number + 2])]
        assert spelling(index, symbols.tolist(), rule.target) == spelling_of(rule.target)


def spelling(index: RuleIndex, symbols: list[int], target: object) -> list[Any]:
    """Return symbols in the trees' own words."""
    if isinstance(target, TargetString):
        return [None if symbol == 0 else index.words.names[-1 - symbol] for symbol in symbols]
    known = names(index)
    return [known[symbol] for symbol in symbols]


def spelling_of(target: Tree | TargetString | None) -> list[Any]:
    if isinstance(target, TargetString):
        return list(target.items)
    nodes = [] if target is None else target.nodes()
    return [None if node.is_frontier else production(node) for node in nodes]


@examples(30)
@given(st.data())
def test_copy_and_deletion_rules_are_noted(data: Any) -> None:
    pair = data.draw(pairs())
    rules = data.draw(fitting_rules(pair))
    index = RuleIndex.compile(rules)
    found = find(index, pair.source)
    for number, path in zip(found, oracle.paths(pair.source), strict=True):
        own = oracle.own_rules(pair.source, path)
        assert index.has_copy[number] == (own["copy"] in rules)
        assert index.has_deletion[number] == (own["delete"] in rules)


def test_no_rules_at_all() -> None:
    index = RuleIndex.compile([])
    assert find(index, toys.FACELIFT.source) == [0] * len(list(toys.FACELIFT.source.nodes()))
    assert not index.has_copy.any()


def test_a_word_and_a_category_of_the_same_name_are_kept_apart() -> None:
    index = RuleIndex.compile(toys.rules(["A/ε -> (A B) / ε", "A/ε -> (A B[ε]) / ε"]))
    word, category = Tree("A", word="B"), Tree("A", [Tree("B", word="c")])
    assert find(index, word)[0] != find(index, category)[0]


@pytest.mark.parametrize("entries", [0, 1, 3, 4, 5, 1000])
def test_tables_are_at_most_half_full(entries: int) -> None:
    from treewright.grammar.index import _table_size

    size = _table_size(entries)
    assert size & (size - 1) == 0
    assert size >= 2 * entries

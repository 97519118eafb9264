"""The recipe that makes newspaper-like variants of the trees of a Chinese treebank."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.trees import Tree, parse_tree

RECIPE = Path(__file__).parents[2] / "recipes" / "chinese_trees.py"


class Always(Random):
    """Takes every chance, and the first of every choice."""

    def random(self) -> float:
        return 0.0

    def choice(self, items: Any) -> Any:
        return items[0]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("chinese_trees", RECIPE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


recipe = load()


def source(random: Random, *words: str) -> Any:
    return recipe.Source(random, frozenset(words), ["Anna"], [parse_tree("(NP (Na 茶))")])


def children(text: str) -> tuple[Tree, ...]:
    return parse_tree(f"(X {text})").children


def text(found: tuple[Tree, ...]) -> str:
    return " ".join(str(tree) for tree in found)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(Na 山) (Nc 上)", "(Nc 山上)"),
        ("(Na 水) (Ng 中)", "(Nc 水中)"),
        ("(VC 喝) (Di 着) (NP (Na 茶))", "(VC 喝着) (NP (Na 茶))"),
        ("(VA 坐) (PP (P 在) (NP (Na 车)))", "(VC 坐在) (NP (Na 车))"),
        ("(VA 坐) (PP (P 在))", "(VA 坐) (PP (P 在))"),
        ("(Na 山) (DE 的)", "(Na 山) (DE 的)"),
        ("(Na 火) (Nc 上)", "(Na 火) (Nc 上)"),
    ],
)
def test_words_of_the_raw_text_are_joined(before: str, after: str) -> None:
    known = source(Always(), "山上", "水中", "喝着", "坐在", "山的")
    assert text(recipe.join_words(children(before), known)) == after


def test_numerals_are_cut_from_what_they_count() -> None:
    class Mostly(Always):
        """Takes the likely chances only, so that a number stays apart from its unit."""

        def random(self) -> float:
            return 0.3

        def randint(self, first: int, last: int) -> int:
            return last

    known = source(Mostly())
    given = children("(DM 三杯) (Nd 十月) (DM 这杯) (Neqa 百分之三)")
    assert text(recipe.cut_numerals(given, known)) == (
        "(DM (Neu 10000) (Nf 杯)) (NP (Neu 10000) (Nd 月)) (DM 这杯) (DM (Neu 10000) (Nf %))"
    )


def test_names_and_marks() -> None:
    known = source(Always())
    assert text(recipe.rename(children("(Nb 老王) (Na 茶)"), known)) == "(Nb Anna) (Na 茶)"
    assert text(recipe.put_marks(children("(NP (Na 茶)) (VC 喝)"), known)) == (
        "(NP (PU “) (Na 茶) (PU ”)) (VC 喝)"
    )


def test_clauses_are_joined_under_one_s_up_to_a_full_stop() -> None:
    trees = [
        parse_tree("(ROOT (S (NP (Nh 我)) (VA 来)) (PU ，))"),
        parse_tree("(ROOT (S (VP (VA 坐)) (PU ，) (VP (VA 走))) (PU ，))"),
        parse_tree("(ROOT (VP (VA 笑)) (PU 。))"),
        parse_tree("(ROOT (VP (VA 睡)) (PU 。))"),
    ]
    joined = recipe.join_clauses(trees, source(Always()))
    assert [str(tree) for tree in joined] == [
        "(ROOT (S (S (NP (Nh 我)) (VA 来)) (PU ，) (VP (VA 坐)) (PU ，) (VP (VA 走)) (PU ，)"
        " (VP (VA 笑))) (PU 。))",
        "(ROOT (VP (VA 睡)) (PU 。))",
    ]


def toy_trees() -> Iterator[Tree]:
    yield parse_tree("(ROOT (S (NP (Nb 老王) (DM 三个) (Na 山)) (VA 坐) (PP (P 在))) (PU ，))")
    yield parse_tree("(ROOT (S (NP (NP (Na 山) (Nc 上))) (VC 喝) (Di 著) (NP (Na 茶))) (PU 。))")


@given(st.integers(0, 10_000))
def test_any_variant_is_a_tree_that_reads_back(seed: int) -> None:
    known = source(Random(seed), "山上", "喝着")
    for tree in toy_trees():
        varied = recipe.variant(tree, known)
        assert parse_tree(str(varied)) == varied
        assert varied.label == "ROOT"
        assert all(node.word or node.children for node in varied.nodes())

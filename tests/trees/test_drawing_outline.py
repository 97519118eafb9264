from __future__ import annotations

import pytest
from hypothesis import given

from treewright.trees import Tree, parse_tree
from treewright.trees.drawing import draw_outline
from treewright.trees.drawing.characters import columns, shown

from .strategies import trees

FELL = parse_tree(
    "(ROOT (S (NP (DT The) (NN price)) (VP (VBD fell) (PP (IN by) (NP (CD 3) (NN %)))) (. .)))"
)
WIDE = """\
ROOT ─ S
├── NP
│   ├── DT The
│   └── NN price
├── VP
│   ├── VBD fell
│   └── PP
│       ├── IN by
│       └── NP
│           ├── CD 3
│           └── NN %
└── . ."""
TIGHT = """\
ROOT ─ S
├ NP
│ ├ DT The
│ └ NN price
├ VP
│ ├ VBD fell
│ └ PP
│   ├ IN by
│   └ NP
│     ├ CD 3
│     └ NN %
└ . ."""


def test_a_line_for_every_word_and_branching() -> None:
    assert draw_outline(FELL) == WIDE
    assert draw_outline(FELL, width=80) == WIDE


def test_a_narrow_terminal_gets_less_indentation() -> None:
    assert draw_outline(FELL, width=20) == WIDE
    assert draw_outline(FELL, width=19) == TIGHT
    assert draw_outline(FELL, width=1) == TIGHT


def test_one_word_and_one_label() -> None:
    assert draw_outline(parse_tree("(NN x)")) == "NN x"
    assert draw_outline(parse_tree("(ROOT (NP (NN x)))")) == "ROOT ─ NP ─ NN x"
    assert draw_outline(Tree("NP", [Tree("NN"), Tree("NN", word="x")])) == "NP\n├── NN\n└── NN x"


@given(trees())
def test_every_word_has_its_line(tree: Tree) -> None:
    lines = draw_outline(tree).split("\n")
    words = [f"{node.label} {node.word}" for node in tree.preterminals()]
    rest = iter(lines)
    assert all(any(line.endswith(word) for line in rest) for word in words)
    branching = sum(len(node.children) > 1 for node in tree.nodes())
    assert len(lines) == len(words) + branching


def test_depth_does_not_matter() -> None:
    deep = Tree("NN", word="x")
    for _ in range(3000):
        deep = Tree("X", [deep, Tree("NN", word="y")])
    assert draw_outline(deep).count("\n") == 6000


def test_a_word_cannot_move_the_cursor() -> None:
    assert draw_outline(Tree("NN", word="\x1b[2J\x07\x7f\x9b\u202e")) == "NN ␛[2J␇␡��"


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("中国", 4), ("ｶ", 1), ("e\u0301", 1), ("👍", 2), ("שלום", 4)]
)
def test_columns_of_a_terminal(text: str, width: int) -> None:
    assert columns(text) == width


def test_long_words_are_cut_on_request() -> None:
    assert shown("abcdef", 6) == "abcdef"
    assert shown("abcdefg", 6) == "abcde…"

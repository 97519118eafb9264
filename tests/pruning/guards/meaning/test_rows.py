"""Every row of the table: what it holds, and what it leaves alone."""

from __future__ import annotations

from functools import cache

import pytest

from treewright.parsing.embedded import EmbeddedParser
from treewright.pruning.guards.meaning import ROWS, Row, meaningful
from treewright.pruning.guards.meaning.rows import FLIPS, HELD, NORMAL, STRICT, WEAKENS
from treewright.pruning.guards.meaning.table import Index
from treewright.pruning.guards.negation import inseparable
from treewright.pruning.guards.outline import Outline
from treewright.text import split_sentences
from treewright.trees import Tree, TreeTable

from ..examples import Prunings
from .cases import CASES

LINES = [
    (name, *[part.strip() for part in line.split("|")])
    for name, lines in CASES.items()
    for line in lines.strip().splitlines()
]


@cache
def trees() -> dict[str, Tree]:
    texts = sorted({text for _, text, _ in LINES})
    sentences = [[word for s in split_sentences(text) for word in s.penn] for text in texts]
    return dict(zip(texts, EmbeddedParser.load().parse(sentences), strict=True))


def row_of(name: str) -> Row:
    [row] = [row for row in ROWS if row.name == name]
    return row


def place_of(tree: Tree, word: str) -> int:
    word, _, number = word.partition("#")
    words = [each.lower() for each in tree.words()]
    places = [place for place, each in enumerate(words) if each == word.lower()]
    return places[int(number or 1) - 1]


def test_every_row_has_cases_of_both_kinds() -> None:
    assert [row.name for row in ROWS if row.name not in CASES] == []
    assert len(CASES) == len(ROWS)
    for name, lines in CASES.items():
        assert lines.count(">") >= 1, name
        assert " / " in lines or "| -" in lines or name == "`without`", name


@pytest.mark.parametrize(("name", "text", "claim"), LINES)
def test_a_row(name: str, text: str, claim: str) -> None:
    row, tree = row_of(name), trees()[text]
    found = [each.row for each in Index([row]).find(Outline(TreeTable(tree)))]
    if claim.startswith("-"):
        assert row not in found
        return
    assert row in found
    mode = STRICT if row.loss == WEAKENS else NORMAL
    held = inseparable(TreeTable(tree)) | meaningful(TreeTable(tree), mode)
    kept, _, other = claim.partition(" > " if " > " in claim else " / ")
    forced = Prunings(tree, held).forced_by(place_of(tree, kept))
    assert (place_of(tree, other) in forced) == (" > " in claim), sorted(
        tree.words()[place] for place in forced
    )


def test_strict_mode_holds_all_that_normal_mode_holds() -> None:
    for tree in trees().values():
        table = TreeTable(tree)
        assert meaningful(table, NORMAL) <= meaningful(table, STRICT)
    assert set(HELD[NORMAL]) < set(HELD[STRICT])


def test_the_table_is_well_formed() -> None:
    for row in ROWS:
        assert row.words or row.tags, row.name
        assert row.source, row.name
        assert all(phrase == phrase.lower() for phrase in row.words), row.name
        assert row.loss in HELD[STRICT]
    assert {row.kind for row in ROWS if row.loss == FLIPS} > {"restrictors", "conditions"}

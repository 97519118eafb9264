"""Every row of the table: what it holds, and what it leaves alone."""

from __future__ import annotations

from functools import cache

import pytest

from treewright.parsing.embedded import EmbeddedParser
from treewright.pruning.guards.holding import Claim
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


def claim_in(text: str) -> tuple[Tree, Claim]:
    [tree] = EmbeddedParser.load().parse([[w for s in split_sentences(text) for w in s.penn]])
    source = TreeTable(tree)
    return tree, inseparable(source) | meaningful(source, NORMAL)


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
    held = (inseparable(TreeTable(tree)) | meaningful(TreeTable(tree), mode)).whole
    kept, _, other = claim.partition(" > " if " > " in claim else " / ")
    forced = Prunings(tree, held).forced_by(place_of(tree, kept))
    assert (place_of(tree, other) in forced) == (" > " in claim), sorted(
        tree.words()[place] for place in forced
    )


def test_strict_mode_holds_all_that_normal_mode_holds() -> None:
    for tree in trees().values():
        table = TreeTable(tree)
        assert meaningful(table, NORMAL).whole <= meaningful(table, STRICT).whole
    assert set(HELD[NORMAL]) < set(HELD[STRICT])


def test_what_is_weighed_is_held_in_strict_mode_and_its_words_always() -> None:
    weighed: set[str] = set()
    for name, text, claim in LINES:
        table = TreeTable(trees()[text])
        found = meaningful(table, NORMAL)
        assert found.whole <= meaningful(table, STRICT).whole
        assert all(table.children[x] for x in found.weighed)
        if found.weighed and " > " in claim:
            weighed.add(name)
    assert weighed >= {row.name for row in ROWS if row.weighed and row.loss == FLIPS}


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("The engine starts even if the tank is almost empty.", "even if the tank is almost empty"),
        ("She listened at the door until the voices stopped.", "until the voices stopped"),
    ],
)
def test_a_phrase_is_weighed_and_its_words_are_held(text: str, phrase: str) -> None:
    tree, found = claim_in(text)
    source = TreeTable(tree)
    assert phrase in {" ".join(source.nodes[x].words()) for x in found.weighed}
    spoken = phrase.split()[: 1 if phrase.startswith("until") else 2]
    for word in spoken:
        leaf = source.leaves[tree.words().index(word)]
        assert leaf in found.held
    assert not any(set(source.nodes[x].words()) <= {*spoken} for x in found.weighed)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The insurer pays and replaces the car, unless the driver was drunk.", "pays > unless"),
        ("Tenants may keep a dog and use the garden, except in winter.", "keep > except"),
        ("Do not open it until the pressure has fallen on both gauges.", "fallen > both"),
    ],
)
def test_what_a_condition_needs_is_held_whatever_readers_say(text: str, held: str) -> None:
    tree, claim = claim_in(text)
    one, _, other = held.partition(" > ")
    assert place_of(tree, other) in Prunings(tree, claim.held).forced_by(place_of(tree, one))


def test_the_table_is_well_formed() -> None:
    for row in ROWS:
        assert row.words or row.tags, row.name
        assert row.source, row.name
        assert all(phrase == phrase.lower() for phrase in row.words), row.name
        assert row.loss in HELD[STRICT]
    assert {row.kind for row in ROWS if row.loss == FLIPS} > {"restrictors", "conditions"}

"""A subordinate clause does not stay without what it is said of."""

from __future__ import annotations

import pytest

from treewright.pruning.guards.subordination import main_clauses
from treewright.trees import TreeTable, parse_tree

RAINS = "(S (NP (PRP it)) (VP (VBZ rains)))"


def needs(brackets: str) -> list[tuple[str, str]]:
    table = TreeTable(parse_tree(brackets))

    def text(places: frozenset[int]) -> str:
        return " ".join(table.words[at] for at in sorted(places))

    return [(text(need.wanting), text(need.wanted)) for need in main_clauses(table)]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (f"(S (SBAR (IN If) {RAINS}) (, ,) (NP (PRP we)) (VP (VBP stay)))", [("If", "stay")]),
        (
            f"(S (SBAR (WHADVP (WRB When)) {RAINS}) (S (VP (VB shut) (PRT (RP up)))) (CC and) "
            "(S (VP (VB call))))",
            [("When", "shut call")],
        ),
        (
            f"(S {RAINS} (CC and) (IN if) (ADVP (RB so)) (, ,) (WHADVP (WRB why)) (. ?))",
            [("so", "why")],
        ),
        # An object, a relative clause, and one that stands alone.
        (f"(S (NP (PRP I)) (VP (VBP know) (SBAR (IN if) {RAINS})))", []),
        (f"(S (SBAR (IN That) {RAINS}) (VP (VBZ is) (ADJP (JJ odd))))", []),
        (f"(S (SBAR (IN If) {RAINS}))", []),
        ("(S (SBAR so) (NP (NNS dogs)) (VP (VBP bark)))", []),
    ],
)
def test_a_clause_needs_a_verb_of_the_main_clause(
    tree: str, expected: list[tuple[str, str]]
) -> None:
    assert needs(tree) == expected

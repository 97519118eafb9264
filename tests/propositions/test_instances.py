from __future__ import annotations

import pytest

from tests.propositions.toys import HOLT, THREW, YOUNG
from treewright.propositions import PAPER_SHAPES, SHAPES, extract
from treewright.trees import TreeTable, parse_tree


def found(text: str, shapes: tuple[str, ...] = SHAPES) -> list[str]:
    return [" ".join(instance.words) for instance in extract(parse_tree(text), shapes)]


def test_the_papers_example_gives_its_two_instances() -> None:
    assert found(THREW, PAPER_SHAPES) == [
        "Steve_Young throw pass",
        "Steve_Young throw pass to Michael_Holt",
    ]


def test_where_the_parts_of_an_instance_are() -> None:
    instance = extract(parse_tree(THREW), ("NVNPN",))[0]
    assert instance.at == ((0, 1), (2, 2), (4, 4), (5, 5), (6, 7))
    table = TreeTable(parse_tree(THREW))
    assert [table.span(node) for node in instance.nodes] == [
        range(2),
        range(2, 3),
        range(4, 5),
        range(5, 6),
        range(6, 8),
    ]
    assert instance.kinds == ("name", "verb", "noun", "preposition", "name")


PASSIVE = (
    "(ROOT (S (NP (DT The) (NN pass)) (VP (VBD was) (VP (VBN caught) (PP (IN by) {noun}))) (. .)))"
)
SERIES = (
    f"(ROOT (S {YOUNG} (VP (VBD had) (NP (NP (CD 20) (NNS points)) (, ,) (NP (NP (CD 5)"
    " (NNS rebounds)) (CC and) (NP (CD 3) (NNS steals))))) (. .)))"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PASSIVE.format(noun=HOLT), "Michael_Holt catch pass"),
        (
            PASSIVE.format(noun=f"(NP {YOUNG} (CC and) {HOLT})"),
            "Michael_Holt catch pass",
        ),
        (SERIES, "Steve_Young have steal"),
        (
            f"(ROOT (S (NP {HOLT} (, ,) (SBAR (WHNP (WP who)) (S (VP (VBD caught)"
            " (NP (DT the) (NN ball))))) (, ,)) (VP (VBD left)) (. .)))",
            "Michael_Holt catch ball",
        ),
        (
            f"(ROOT (S (NP (NP (DT the) (NN ball)) (SBAR (WHNP (WDT that)) (S {YOUNG}"
            " (VP (VBD threw))))) (VP (VBD fell)) (. .)))",
            "Steve_Young throw ball",
        ),
        (
            f"(ROOT (S {YOUNG} (VP (VBD wanted) (S (VP (TO to) (VP (VB throw)"
            " (NP (DT the) (NN ball)))))) (. .)))",
            "Steve_Young throw ball",
        ),
        (
            f"(ROOT (S {YOUNG} (VP (VBD told) {HOLT} (S (VP (TO to) (VP (VB catch)"
            " (NP (DT the) (NN ball)))))) (. .)))",
            "Michael_Holt catch ball",
        ),
        (
            f"(ROOT (S {YOUNG} (VP (VBD led) (NP (DT the) (NNPS Niners)) (, ,) (S (VP (VBG scoring)"
            " (NP (CD 20) (NNS points))))) (. .)))",
            "Steve_Young score point",
        ),
        (
            f"(ROOT (S {YOUNG} (VP (VBD left) (SBAR (IN after) (S (NP (PRP he)) (VP (VBD scored)"
            " (NP (CD 20) (NNS points)))))) (. .)))",
            "Steve_Young score point",
        ),
        (
            f"(ROOT (S {YOUNG} (VP (VBD scored) (NP (CD 33))) (. .)))",
            "Steve_Young score number",
        ),
        (
            f"(ROOT (S {HOLT} (VP (VBD was) (VP (VBN held) (PP (TO to) (NP (CD 17) (NNS points)))))"
            " (. .)))",
            "hold Michael_Holt to point",
        ),
        (
            f"(ROOT (S {HOLT} (VP (VBD was) (NP (DT a) (NN receiver))) (. .)))",
            "Michael_Holt be receiver",
        ),
        (
            "(ROOT (S (NP (NP (NNP Steve) (NNP Young) (POS 's)) (CD 20) (NNS points))"
            " (VP (VBD helped)) (. .)))",
            "Steve_Young 's point",
        ),
        (
            f"(ROOT (NP (NP (CD 14) (NNS points)) (PP (IN from) {HOLT})))",
            "point from Michael_Holt",
        ),
    ],
)
def test_what_grammar_leaves_unsaid_is_resolved(text: str, expected: str) -> None:
    assert expected in found(text)


def test_coordination_is_distributed() -> None:
    assert found(SERIES, ("NVN",)) == [
        "Steve_Young have point",
        "Steve_Young have rebound",
        "Steve_Young have steal",
    ]


def test_a_measure_holds_its_numeral_and_no_name() -> None:
    text = (
        f"(ROOT (S {YOUNG} (VP (VBD led) (NP (DT the) (NNPS Niners)) (PP (IN with) (NP (CD 20)"
        " (NNS points)))) (. .)))"
    )
    (measured,) = extract(parse_tree(text), ("NVPN",))
    assert measured.at[-1] == (6, 7)
    # Said of Young alone, not beside the named object.
    assert found(text, ("NVNPN",)) == []


def test_a_plural_pronoun_is_left_alone() -> None:
    text = (
        f"(ROOT (S {YOUNG} (VP (VBD left) (SBAR (IN after) (S (NP (PRP they)) (VP (VBD scored)"
        " (NP (CD 20) (NNS points)))))) (. .)))"
    )
    assert found(text, ("NVN",)) == []


@pytest.mark.parametrize(
    "text", ["(ROOT (FRAG (NP (DT No) (NN verb)) (. .)))", "(ROOT (X (SYM *)))", "(ROOT (. .))"]
)
def test_text_without_verbs_has_no_instances(text: str) -> None:
    assert found(text) == []

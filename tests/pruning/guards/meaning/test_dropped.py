"""What a careful reader is told about."""

from __future__ import annotations

import pytest

from treewright.parsing.embedded import EmbeddedParser
from treewright.pruning.guards import dropped_material
from treewright.text import split_sentences
from treewright.trees import TreeTable


@pytest.mark.parametrize(
    ("text", "kept", "expected"),
    [
        (
            "The pool is open if the weather is fine.",
            "The pool is open.",
            [("conditions", "if the weather is fine")],
        ),
        (
            "The road is safe, the engineer said.",
            "The road is safe.",
            [("attributions", "the engineer said")],
        ),
        ("The tank holds 40 litres of oil.", "The tank holds oil.", [("numbers", "40 litres")]),
        (
            "She sells apples, pears and plums.",
            "She sells apples.",
            [("lists", "pears"), ("lists", "plums")],
        ),
        (
            "The lake usually freezes although it is deep.",
            "The lake freezes.",
            [("hedges", "usually"), ("contrast", "although it is deep")],
        ),
        ("The old dog barks (loudly) today.", "The dog barks.", []),
        ("The lake freezes.", "The lake freezes.", []),
        ("The lake freezes.", "", []),
    ],
)
def test_what_is_named(text: str, kept: str, expected: list[tuple[str, str]]) -> None:
    [sentence] = split_sentences(text)
    [tree] = EmbeddedParser.load().parse([sentence.penn])
    left = kept.replace(".", " .").split()
    places = []
    for place, word in enumerate(sentence.words):
        if left and word == left[0]:
            places.append(place)
            left.pop(0)
    assert not left
    found = dropped_material(TreeTable(tree), places, sentence)
    assert [(item.kind, item.text) for item in found] == expected
    for item in found:
        assert set(range(item.start, item.end)).isdisjoint(places)


def test_without_a_sentence_the_words_of_the_tree_are_given() -> None:
    [tree] = EmbeddedParser.load().parse(
        [["It", "rains", "(", "a", "lot", ")", "if", "he", "sings"]]
    )
    [item] = dropped_material(TreeTable(tree), [0, 1])
    assert item.kind == "conditions"
    assert item.text == "if he sings"
    assert item.as_dict(10) == {"class": "conditions", "tokens": [16, 19], "text": "if he sings"}

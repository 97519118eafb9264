from __future__ import annotations

import pytest

from treewright.errors import UsageError
from treewright.paraphrase import TagPattern, phrase_of, syntactic_type
from treewright.paraphrase.types import base_chunks
from treewright.trees import TreeTable, parse_tree


def phrase(text: str):
    words, tags = zip(*(token.rsplit("_", 1) for token in text.split()), strict=True)
    return phrase_of(words, tags)


@pytest.mark.parametrize(
    ("text", "verb", "passive", "negative", "inflection", "after"),
    [
        ("fell_VBD to_TO", "fall", False, False, "past", ("to",)),
        ("was_VBD not_RB acquired_VBN by_IN", "acquire", True, True, "participle", ("by",)),
        ("has_VBZ set_VBN up_RP", "set up", False, False, "participle", ()),
        ("controlled_VBN by_IN", "control", True, False, "participle", ("by",)),
        ("has_VBZ been_VBN", "be", False, False, "participle", ()),
        ("to_TO be_VB losing_VBG", "lose", False, False, "-ing", ()),
        ("expected_VBN to_TO rise_VB", "rise", False, False, "base", ()),
    ],
)
def test_a_phrase_has_a_main_verb_voice_polarity_and_inflection(
    text, verb, passive, negative, inflection, after
):
    read = phrase(text)
    assert (read.verb, read.is_passive, read.is_negative) == (verb, passive, negative)
    assert (read.inflection, read.after) == (inflection, after)


def test_a_pattern_matches_runs_of_tags_and_one_name_stands_for_all_verbs():
    tags = ["PRP", "VBZ", "RB", "VBN", "TO", "DT", "NN", "MD", "VB", "."]
    assert list(TagPattern().matches(tags)) == [(1, 5), (7, 9)]
    assert list(TagPattern("(DT | JJ)* NN").matches(tags)) == [(5, 7)]


@pytest.mark.parametrize("pattern", ["(TO", "", "TO*"])
def test_patterns_that_cannot_be_read_or_match_nothing_are_errors(pattern):
    with pytest.raises(UsageError, match="pattern"):
        TagPattern(pattern)


def test_types_are_labels_or_labels_that_lack_something():
    tree = "(ROOT (S (NP (PRP It)) (VP (VBD fell) (PP (TO to) (NP (CD ten)))) (. .)))"
    table = TreeTable(parse_tree(tree))
    assert syntactic_type(table, 1, 4) == "VP"
    assert syntactic_type(table, 1, 2) == "VBD"
    assert syntactic_type(table, 1, 3) == "VP/NP"
    assert syntactic_type(table, 2, 5) == ""
    assert base_chunks(table) == [(0, 1), (3, 4)]
    left = TreeTable(parse_tree("(ROOT (S (NP (PRP It)) (ADVP (RB now)) (VP (VBD fell))))"))
    assert syntactic_type(left, 0, 3) == "S"
    assert syntactic_type(left, 1, 3) == "S\\NP"

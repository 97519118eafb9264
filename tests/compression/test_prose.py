"""Prose of documents: what its sentences must keep, keep whole, or not lose altogether."""

from __future__ import annotations

import pytest

from treewright.compression import Compressor, Limit, Prose, Request
from treewright.parsing import open_parser
from treewright.pruning import joined_nodes
from treewright.text import split_kinds
from treewright.trees import TreeTable, parse_tree

from .test_explaining_models import learned

TEXT = (
    "The old minister, who was ill, resigned in Paris on Monday. Prices fell sharply in London, "
    "officials said. The dog barks:"
)
TREE = parse_tree("(S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ barks) (ADVP (RB loudly))) (. .))")


def test_nodes_between_a_run_and_what_covers_it_are_held() -> None:
    table = TreeTable(TREE)
    labels = [[table.labels[x] for x in joined_nodes(table, [run])] for run in ((1, 3), (2, 4))]
    assert sorted(labels[0]) == ["JJ", "NN"]
    assert sorted(labels[1]) == ["NN", "NP", "VBZ", "VP"]
    assert not joined_nodes(table, [(1, 2)])


@pytest.mark.parametrize("model", ["em", "crf", "deletion"])
@pytest.mark.parametrize("words", ["old minister", "ill, resigned", "in London, officials"])
def test_runs_stay_whole_or_go_whole_in_every_version(model: str, words: str) -> None:
    start = TEXT.index(words)
    prose = Prose(text=TEXT, whole=((start, start + len(words)),))
    compressor = Compressor(learned(model), parser=open_parser())
    for share in (0.3, 0.6, 1.0):
        asked = Request(limit=Limit(rate=share), alternatives=8)
        [result] = compressor.compress_each([prose], asked)
        for part in result.sentences:
            tokens = part.sentence.tokens
            run = {n for n, t in enumerate(tokens) if start <= t.start < start + len(words)}
            for version in (part, *part.alternatives):
                kept = run.intersection(version.kept)
                assert kept in (set(), run), version.text


def test_sentences_know_what_is_demanded_of_them() -> None:
    parts = ((0, 90), (91, len(TEXT)))
    held = (TEXT.index("London"), TEXT.index("London") + 6)
    prose = Prose(text=TEXT, held=(held,), fixed=((0, 3),), parts=parts)
    bound = [sentence for sentence, _ in prose.bind(split_kinds(TEXT))]
    assert [sentence.needed for sentence in bound] == [True, False, True]
    assert [{s.words[n] for n in s.held} for s in bound] == [set(), {"London"}, {":"}]
    assert [prose.is_fixed(sentence) for sentence in bound] == [True, False, False]


def test_marks_that_lost_nothing_stay_and_those_of_an_aside_go() -> None:
    text = "The old dog, a, barks."
    [(sentence, _)] = Prose(text=text).bind(split_kinds(text))
    aside = "(NP (NP (DT The) (JJ old) (NN dog)) (, ,) (NP (DT a)) (, ,))"
    table = TreeTable(parse_tree(f"(S {aside} (VP (VBZ barks)) (. .))"))
    assert sentence.settled([0, 2, 4, 6, 7], table) == (0, 2, 3, 4, 5, 6, 7)
    assert sentence.settled([0, 2, 6, 7], table) == (0, 2, 6, 7)
    assert sentence.settled([0, 1, 2, 3, 6, 7], table) == (0, 1, 2, 6, 7)
    apart = TreeTable(parse_tree(f"(S {aside[:-7]}) (, ,) (VP (VBZ barks)) (. .))"))
    assert sentence.settled([0, 1, 2, 3, 6, 7], apart) == (0, 1, 2, 3, 6, 7)

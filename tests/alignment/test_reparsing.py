"""Pairs over the trees of another parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.alignment import align_pair, reparsing
from treewright.alignment.reparsing import reparse, reparse_sources
from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.trees import Tree, parse_tree, prune_to

from ..grammar.strategies import quick, trees

SOURCE = parse_tree("(ROOT (S (NP (DT a) (JJ old) (NN dog)) (VP (VBZ barks))))")
TARGET = parse_tree("(ROOT (S (NP (NN dog)) (VP (VBZ barks))))")
PAIR = align_pair(Pair("1", SOURCE, TARGET))


class Flat:
    """Knows words and no phrases; refuses a sentence with the word `bad`."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        self.calls.append(len(sentences))
        if any("bad" in words for words in sentences):
            raise DataError("a bad word", where="sentence 1")
        return [Tree("ROOT", [Tree("X", word=word) for word in words]) for words in sentences]


def test_the_target_is_what_is_left_of_the_new_source() -> None:
    [found] = reparse([PAIR], Flat())
    assert str(found.source) == "(ROOT (X a) (X old) (X dog) (X barks))"
    assert str(found.target) == "(ROOT (X dog) (X barks))"
    assert (found.id, found.alignment) == ("1", ((2, 0), (3, 1)))


def test_sources_alone() -> None:
    [found] = reparse_sources([Pair("1", SOURCE, TARGET)], Flat())
    assert str(found.source) == "(ROOT (X a) (X old) (X dog) (X barks))"
    assert (found.target, found.alignment) == (TARGET, None)


@quick
@given(tree=trees(), kept=st.sets(st.integers(0, 30), min_size=1))
def test_words_stay(tree: Tree, kept: set[int]) -> None:
    words = tree.words()
    places = sorted({place % len(words) for place in kept})
    target = prune_to(tree, places)
    assert target is not None
    links = tuple((i, j) for j, i in enumerate(places))
    [found] = reparse([Pair("1", tree, target, links)], Flat())
    assert (found.source.words(), found.target.words()) == (words, target.words())
    assert found.alignment == links


def test_batches_keep_the_order_and_parse_a_source_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reparsing, "BATCH", 3)
    parser = Flat()
    pairs = [replace(PAIR, id=str(number)) for number in range(7)]
    assert [pair.id for pair in reparse(pairs, parser)] == list("0123456")
    assert parser.calls == [1, 1, 1]
    assert list(reparse([], parser)) == []
    assert len(parser.calls) == 3


def test_what_is_wrong_with_a_pair() -> None:
    unaligned = replace(PAIR, id="unaligned", alignment=None)
    other = replace(PAIR, id="other", alignment=((0, 0), (1, 1)))
    fewer = replace(PAIR, id="fewer", alignment=((2, 0),))
    bad = parse_tree("(ROOT (X bad))")
    pairs = [unaligned, PAIR, other, fewer, Pair("bad", bad, bad, ((0, 0),))]
    problems = Problems()
    assert [pair.id for pair in reparse(pairs, Flat(), problems=problems)] == ["1"]
    left = "the target is not what is left of the source when words are deleted"
    assert [str(error) for error in problems.errors] == [
        "unaligned: the pair has no word alignment; align it first",
        f"other: {left}",
        f"fewer: {left}",
        "bad: a bad word",
    ]
    with pytest.raises(DataError, match="unaligned: the pair has no word alignment"):
        list(reparse(pairs, Flat()))

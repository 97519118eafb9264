"""Pairs of plain text made into records."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.alignment import texts
from treewright.alignment.texts import parse_texts
from treewright.corpora import Record
from treewright.corpora.texts import TextPair
from treewright.errors import DataError, Problems
from treewright.text import split_sentences
from treewright.text.cutting import cut
from treewright.trees import Tree, parse_tree

from ..grammar.strategies import quick
from .test_reparsing import Flat


def read(source: str, *targets: str, parser: Flat | None = None) -> Record:
    [record] = parse_texts([TextPair("7", source, targets, "f:1")], parser or Flat())
    assert record.id == "7"
    return record


def kept(source: str, target: str) -> str:
    return " ".join(read(source, target).targets[0].words())


def refusal(source: str, *targets: str) -> str:
    with pytest.raises(DataError) as caught:
        read(source, *targets)
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("An old dog barks.", "An old dog barks.", "An old dog barks ."),
        ("An old dog barks.", "dog barks.", "dog barks ."),
        ("An old dog barks.", "Dog barks.", "dog barks ."),
        ("An old dog barks.", "Dog barks", "dog barks"),
        ("An old dog barks", "Dog barks.", "dog barks"),
        ("An old dog barks!", "Dog barks.", "dog barks"),
        ("IBM, an old firm, grows", "Ibm grows", "IBM grows"),
        ('"An old dog barks," he said.', '"Dog barks," he said.', '" dog barks , " he said .'),
        ('He said "an old dog barks" twice', '"Dog barks."', '" dog barks "'),
        ("He left Acme Corp. on Monday.", "He left Acme Corp.", "He left Acme Corp."),
        ("He left Acme Corp.", "He left Acme Corp.", "He left Acme Corp ."),
        ("He lives in the U.S. now.", "He lives in the U.S.", "He lives in the U.S."),
        ("It doesn't rain here.", "It doesn't rain.", "It does n't rain ."),
        ("A dog (an old one) barks.", "A dog (one) barks.", "A dog ( one ) barks ."),
    ],
)
def test_a_target_is_found_in_its_source(source: str, target: str, words: str) -> None:
    assert kept(source, target) == words


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("A dog barks.", "A cat barks.", "word 2, 'cat', is not in the source"),
        ("A dog barks.", "Barks a dog.", "word 2, 'a', is not"),
        ("A dog barks.", "A Dog barks.", "word 2, 'Dog', is not"),
        ("A dog barks.", "A dog barks loudly", "word 4, 'loudly'"),
        ("A dog barks.", "...", "the target has no words"),
        ("?", "A", "the source has no words"),
        ("a " * 1001, "a", "the source has 1001 words, the limit is 1000"),
    ],
)
def test_a_target_that_does_more_than_delete_is_refused(
    source: str, target: str, message: str
) -> None:
    found = refusal(source, target)
    assert found.startswith("f:1: the ")
    assert message in found


def test_the_bad_one_of_several_targets_is_named() -> None:
    assert refusal("A dog barks.", "A dog.", "A cat.").startswith("f:1: target 1 is not what is")
    record = read("An old dog barks.", "Dog barks.", "An old dog.")
    assert [target.words() for target in record.targets] == [
        ("dog", "barks", "."),
        ("An", "old", "dog", "."),
    ]


class Clauses(Flat):
    """Knows one sentence, and what may become of it."""

    TREES = (
        "(ROOT (S (NP (DT The) (NN man)) (VP (VBD said)"
        " (SBAR (S (NP (DT the) (NN dog)) (VP (VBD barked)))))))",
        "(ROOT (S (NP (DT the) (NN dog)) (VP (VBD barked))))",
    )

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        self.calls.append(len(sentences))
        known = {tree.words(): tree for tree in map(parse_tree, self.TREES)}
        return [known[tuple(words)] for words in sentences]


def test_trees_choose_among_several_places() -> None:
    parser = Clauses()
    record = read("The man said the dog barked", "The dog barked", parser=parser)
    assert str(record.targets[0]) == (
        "(ROOT (S (VP (SBAR (S (NP (DT the) (NN dog)) (VP (VBD barked)))))))"
    )
    assert parser.calls == [2]
    # A target that has one place is not parsed.
    record = read("The man said the dog barked", "Dog barked", parser=parser)
    assert record.targets[0].words() == ("dog", "barked")
    assert parser.calls == [2, 1]


@quick
@given(
    words=st.lists(st.sampled_from(["the", "The", "dog", "May", "may", ","]), min_size=1),
    chosen=st.sets(st.integers(0, 20), min_size=1),
)
def test_whatever_is_cut_and_tidied_is_found_again(words: list[str], chosen: set[int]) -> None:
    [sentence] = split_sentences("Yes " + " ".join(words) + " it is.")
    short = cut(sentence, {place % len(sentence.tokens) for place in chosen}).text
    if not any(map(str.isalnum, short)):
        return
    found = kept(sentence.text, short).split()
    marks = str.maketrans("", "", ",.")
    assert [w.lower() for w in found if w.isalpha()] == short.translate(marks).lower().split()


def test_problems_are_told_in_order_and_the_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "BATCH", 2)
    pairs = [
        TextPair("1", "a bad day", ("a day",), "f:1"),
        DataError("not JSON", where="f:2"),
        TextPair("3", "a day", ("night",), "f:3"),
        *[TextPair(str(n), "a good day", ("a day",), f"f:{n}") for n in range(4, 8)],
    ]
    problems = Problems()
    found = list(parse_texts(pairs, Flat(), problems=problems))
    assert [record.id for record in found] == ["4", "5", "6", "7"]
    assert [error.where for error in problems.errors] == ["f:2", "f:3", "f:1"]
    assert str(problems.errors[-1]) == "f:1: a bad word"
    assert list(parse_texts([], Flat())) == []

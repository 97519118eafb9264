from __future__ import annotations

from tests.propositions.toys import gathered
from treewright.propositions import most_frequent, paper, random_classes
from treewright.propositions.sentence import Kind
from treewright.randomness import generator

WORDS = ("Steve_Young", "throw", "pass")
KINDS = (Kind.NAME, Kind.VERB, Kind.NOUN)


def test_baselines_take_no_notice_of_context() -> None:
    model = paper().fit(gathered()).model_
    assert most_frequent(model, WORDS, KINDS) == ("quarterback", "throw", "pass")
    unknown = ("Nobody", *WORDS[1:])
    commonest = model.lexicon.candidates["<name>"][0][0]
    assert most_frequent(model, unknown, KINDS) == (commonest, "throw", "pass")
    drawn = {random_classes(model, unknown, KINDS, generator(seed))[0] for seed in range(20)}
    assert len(drawn) > 1

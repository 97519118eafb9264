"""Rules with string targets: a tree becomes words in any order, which know where they are from."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from treewright.grammar import Extraction, Grammar, Rule, TargetString
from treewright.transduction import Transducer
from treewright.trees import Tree, parse_tree

from ..grammar import toys
from ..grammar.strategies import pairs, quick

GERMAN = Grammar.from_counts(
    dict.fromkeys(
        toys.rules(
            [
                'S/"" -> (S NP[1] (VP VB[2] NP[3])) / "[1] [3] [2]"',
                'NP/"" -> (NP (DT the) NN[1]) / "das [1]" @ 0-0',
                'NP/"" -> (NP (DT the) (NN book)) / "das Buch" @ 0-0 1-1',
                'NN/"" -> (NN child) / "Kind" @ 0-0',
                'NN/"" -> (NN book) / "Heft" @ 0-0',
                'VB/"" -> (VB gives) / "gibt her" @ 0-0 0-1',
                "NP/NP -> (NP DT[ε] NN[1]) / (NP NN[1])",
            ]
        ),
        1.0,
    )
)
SENTENCE = parse_tree("(S (NP (DT the) (NN child)) (VP (VB gives) (NP (DT the) (NN book))))")


def test_words_come_in_the_order_of_the_target() -> None:
    found = {target.words: target for target in Transducer(GERMAN).forest(SENTENCE).nbest(10)}
    assert set(found) == {
        ("das", "Kind", "das", "Buch", "gibt", "her"),
        ("das", "Kind", "das", "Heft", "gibt", "her"),
    }
    best = found["das", "Kind", "das", "Buch", "gibt", "her"]
    assert best.positions == (0, 1, 3, 4, 2, 2)
    assert str(best.rules[0]).startswith('S/"" -> ')
    assert best.output == best.words


def test_budgets_count_the_words_of_strings() -> None:
    forest = Transducer(GERMAN).forest(SENTENCE)
    finite = [length for length, score in enumerate(forest.curve(limit=8).scores) if score > -1e9]
    assert finite == [6]


def as_string(rule: Rule) -> Rule:
    """The same rule with the leaves of its target for a target."""
    assert isinstance(rule.target, Tree)
    leaves = [node.word for node in rule.target.nodes() if not node.children]
    return Rule(rule.source, TargetString(tuple(leaves)), rule.links, rule.alignment)


@quick
@given(st.data())
def test_strings_are_what_the_leaves_of_trees_are(data: Any) -> None:
    pair = data.draw(pairs(2))
    rules = list(Extraction(parts=1)([pair]))
    strings = {rule if rule.target is None else as_string(rule): 1.0 for rule in rules}
    forest = Transducer(Grammar.from_counts(dict.fromkeys(rules, 1.0))).forest(pair.source)
    flat = Transducer(Grammar.from_counts(strings)).forest(pair.source)
    found = {target.words: target.positions for target in flat.nbest(500)}
    for target in forest.nbest(50):
        assert target.tree.words() in found
    best = flat.best()
    assert best is not None
    assert len(best.positions) == len(best.words)

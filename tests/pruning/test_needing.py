"""Needs against the list of all derivations: those that break one go, and no other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.compiling import forced
from treewright.forest import derivation_count
from treewright.pruning import CompressionForest, Pruner, gaps, split_by_heads
from treewright.pruning._kernels import MOST_NEEDS
from treewright.pruning.needing import Need, obey_needs
from treewright.trees import Tree

from ..grammar.strategies import trees
from ..profiles import examples
from ..transduction.test_generation import MOST, target_forests
from .test_heads import SENTENCES, forest_of
from .test_holding import Way, check_left, deep_rules, extractive, parse_tree


def obeys(needs: Sequence[Need], way: Way) -> bool:
    return not any(
        need.wanting & {*way.positions} and not need.wanted & {*way.positions} for need in needs
    )


def check_needs(forest: CompressionForest, needs: Sequence[Need]) -> None:
    """Raise unless exactly the derivations that break a need are gone."""
    check_left(forest, obey_needs(forest, needs), lambda way: obeys(needs, way))


def drawn_needs(data: st.DataObject, forest: CompressionForest) -> list[Need]:
    some = st.frozensets(st.integers(0, len(forest.source.words) - 1), min_size=1, max_size=3)
    return data.draw(st.lists(st.builds(Need, some, some), max_size=3))


@examples(100)
@given(trees(), st.booleans(), st.sampled_from([1, 12]), st.data())
def test_prunings_obey_needs_and_none_that_does_is_lost(
    source: Tree, split: bool, longest: int, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gaps, "LONGEST", longest)
        forest = forest_of(source)
    assume(derivation_count(forest.forest) <= MOST)
    assume(forest.source.words)
    check_needs(split_by_heads(forest, pairs=True) if split else forest, drawn_needs(data, forest))


@examples(100)
@given(target_forests(Pruner), st.data())
def test_rules_obey_needs_and_none_that_does_is_lost(
    case: tuple[CompressionForest, Tree], data: st.DataObject
) -> None:
    forest = extractive(case[0])
    assume(derivation_count(forest.forest) <= MOST)
    assume(forest.source.words)
    check_needs(forest, drawn_needs(data, forest))


def test_deep_rules_obey_needs() -> None:
    forest = extractive(deep_rules())
    places = range(len(forest.source.words))
    for one in places:
        for other in places:
            check_needs(forest, [Need(frozenset([one]), frozenset([other]))])


@pytest.mark.parametrize("compiled", [False, True])
def test_compiled_and_plain_kernels_leave_the_same(compiled: bool) -> None:
    forest = forest_of(parse_tree(SENTENCES[2]))
    needs = [Need(frozenset([0, 4]), frozenset([1])), Need(frozenset([1]), frozenset([2, 3]))]
    with forced(compiled):
        check_needs(forest, needs)


def test_words_kept_with_their_governors_are_still_known() -> None:
    forest = split_by_heads(forest_of(parse_tree(SENTENCES[2])), pairs=True)
    left = obey_needs(forest, [Need(frozenset([4]), frozenset([1]))])
    assert left.pairs is not None
    assert len(left.pairs) == left.forest.num_edges
    assert {*left.pairs.tolist()} == {*forest.pairs.tolist()}


def test_of_very_many_needs_those_of_near_words_are_obeyed() -> None:
    forest = forest_of(parse_tree(SENTENCES[4]))
    near = [Need(frozenset([0]), frozenset([1]))] * MOST_NEEDS
    needs = [Need(frozenset([2]), frozenset([4])), *near]
    check_left(forest, obey_needs(forest, needs), lambda way: obeys(near, way))


def test_states_are_forgotten_where_they_no_longer_matter() -> None:
    """Thirty clauses, each with a need of its own, do not multiply one another."""
    clauses = " ".join(f"(S (NN a{n}) (VB b{n}) (RB c{n}))" for n in range(30))
    forest = forest_of(parse_tree(f"(X {clauses})"))
    needs = [Need(frozenset([3 * n]), frozenset([3 * n + 2])) for n in range(MOST_NEEDS)]
    left = obey_needs(forest, needs)
    assert left.forest.num_nodes < 1.2 * forest.forest.num_nodes
    # What is wanted comes first, or last, and the other everywhere.
    for one, other in ((0, 2), (2, 0)):
        spread = [Need(frozenset(range(one, 90, 3)), frozenset([other]))]
        assert obey_needs(forest, spread).forest.num_nodes < 3 * forest.forest.num_nodes

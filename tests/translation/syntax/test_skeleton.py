"""Which rules cross a skeleton: by the words that each step of a derivation covers itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples
from tests.translation.syntax.toy import STRINGS, TREE, grammar, model
from treewright.errors import DataError, UsageError
from treewright.translation.syntax.decoder import RuleDecoder, RuleSearch
from treewright.translation.syntax.forest import Deriver
from treewright.translation.syntax.skeleton import with_crossings

SIZE = len(TREE.words())


@examples(30)
@given(st.lists(st.booleans(), min_size=SIZE, max_size=SIZE))
def test_an_edge_crosses_if_its_own_words_are_of_both_kinds(kept: list[bool]) -> None:
    forest = Deriver(grammar(STRINGS)).forest(TREE)
    marked = with_crossings(forest, np.array(kept))
    assert np.array_equal(marked.features[:, :-1], forest.features)
    places = forest.places
    for edge in range(forest.forest.num_edges):
        node = forest.forest.head[edge]
        own = set(range(places.left[node], places.right[node]))
        for tail in forest.forest.tails(edge):
            own -= set(range(places.left[tail], places.right[tail]))
        kinds = {kept[place] for place in own}
        assert marked.features[edge, -1] == -(len(kinds) == 2)


def test_a_skeleton_is_needed_if_it_is_scored_and_must_fit() -> None:
    rules = grammar(STRINGS)
    decoder = RuleDecoder(rules, model(2), RuleSearch(beam=0), skeleton=True)
    weights = decoder.features.start()
    assert decoder.features.names[-2:] == ("crossing", "lm")
    with pytest.raises(UsageError, match="this model scores skeletons"):
        decoder.decode(TREE, weights)
    with pytest.raises(DataError, match=f"{SIZE + 1} words; the sentence has {SIZE}"):
        decoder.decode(TREE, weights, kept=np.ones(SIZE + 1, np.bool_))
    found = decoder.decode(TREE, weights, kept=np.arange(SIZE) % 2 == 0)
    assert found.graph.num_features == weights.size

import json
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import Pair, gather
from treewright.corpora.stats import Histogram, depth
from treewright.trees import parse_tree

LONG = parse_tree("(S (NP (DT the) (NN dog)) (, ,) (VP (VBZ barks)))")
SHORT = parse_tree("(S (NP (NN dog)) (VP (VBZ barks)))")


@given(st.lists(st.integers(0, 50), min_size=1))
def test_spread_equals_the_plain_computation(values: list[int]) -> None:
    spread = Histogram()
    for value in values:
        spread.add(value)
    assert spread.median == statistics.median(values)
    assert spread.mean == pytest.approx(statistics.fmean(values))
    assert spread.as_dict()["max"] == max(values)
    assert spread.as_dict()["min"] == min(values)


def test_figures_of_a_small_corpus() -> None:
    figures = gather([Pair("1", LONG, SHORT), Pair("2", SHORT, SHORT), Pair("3", SHORT, LONG)])
    assert figures.pairs == 3
    assert figures.source.tokens.total == 8
    assert figures.source.words.total == 7
    assert figures.word_rate == pytest.approx(7 / 7)
    assert figures.source.as_dict()["distinct_words"] == 4
    assert figures.source.as_dict()["distinct_productions"] == 5
    assert figures.source.as_dict()["distinct_labels"] == 7
    assert figures.as_dict()["extractive"] == pytest.approx(2 / 3)
    assert figures.as_dict()["copies"] == pytest.approx(1 / 3)
    json.dumps(figures.as_dict())


def test_no_pairs_give_zeros() -> None:
    assert gather([]).as_dict()["rate"] == {"tokens": 0.0, "words": 0.0}


def test_depth_counts_nodes_down_to_the_preterminal() -> None:
    assert depth(parse_tree("(X x)")) == 1
    assert depth(LONG) == 3

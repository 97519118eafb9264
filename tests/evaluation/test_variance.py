"""Analysis of variance and Tukey's test: a textbook's example (figures only), and bad input."""

from __future__ import annotations

import json

import pytest

from treewright.errors import DataError, UsageError
from treewright.evaluation import analyse_variance

# Montgomery and Runger, "Applied statistics and probability for engineers", chapter 13: the tensile
# strength of paper by concentration of hardwood, with the ANOVA table and Tukey's intervals.
STRENGTH = {
    "5": [7, 8, 15, 11, 9, 10],
    "10": [12, 17, 13, 18, 19, 15],
    "15": [14, 18, 19, 17, 16, 18],
    "20": [19, 25, 22, 23, 18, 20],
}
INTERVALS = {
    ("5", "10"): (1.542, 9.791),
    ("5", "15"): (2.876, 11.124),
    ("5", "20"): (7.042, 15.291),
    ("10", "15"): (-2.791, 5.458),
    ("10", "20"): (1.376, 9.624),
    ("15", "20"): (0.042, 8.291),
}


def test_the_textbooks_example() -> None:
    found = analyse_variance(STRENGTH)
    assert found.f == pytest.approx(19.61, abs=0.005)
    assert (found.between, found.within) == (3, 20)
    assert found.p_value < 0.0005
    assert found.means["10"] == pytest.approx(15.667, abs=0.0005)
    for each in found.differences:
        # The book takes its critical value, 3.96, from a table with two decimals.
        wanted = INTERVALS[each.first, each.second]
        assert (each.low, each.high) == pytest.approx(wanted, abs=0.003)
        assert (each.p_value < 0.05) == (wanted[0] > 0)
    assert len(found.differences) == 6
    json.dumps(found.as_dict())


def test_equal_groups_do_not_differ() -> None:
    found = analyse_variance({"a": [1, 2, 3], "b": [3, 2, 1]})
    assert found.f == 0
    assert found.p_value == 1
    assert found.differences[0].p_value == pytest.approx(1)


def test_a_wider_level_gives_wider_intervals() -> None:
    narrow, wide = (analyse_variance(STRENGTH, level=level) for level in (0.9, 0.99))
    for a, b in zip(narrow.differences, wide.differences, strict=True):
        assert b.low < a.low < a.difference < a.high < b.high


def test_what_cannot_be_tested_is_named() -> None:
    with pytest.raises(DataError, match="two groups or more, found 1"):
        analyse_variance({"a": [1, 2]})
    with pytest.raises(DataError, match="two scores or more of b, found 1"):
        analyse_variance({"a": [1, 2], "b": [1]})
    with pytest.raises(DataError, match="no variance to test"):
        analyse_variance({"a": [1, 1], "b": [2, 2]})
    with pytest.raises(UsageError, match="between 0 and 1"):
        analyse_variance(STRENGTH, level=95)

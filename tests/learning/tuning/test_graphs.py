from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treewright.forest import ForestBuilder
from treewright.learning.tuning import SearchGraph


def parts() -> dict[str, Any]:
    builder = ForestBuilder()
    leaf, root = builder.add_node(), builder.add_node()
    builder.add_edge(leaf, (), 0)
    builder.add_edge(root, (leaf,), 0)
    return {
        "forest": builder.build(),
        "features": [[1, 2], [3, 4]],
        "word_start": [0, 1, 3],
        "words": [7, 8, 9],
    }


def test_scores_are_features_times_weights() -> None:
    graph = SearchGraph(**parts())
    assert graph.num_features == 2
    assert graph.scores([10, 1]).tolist() == [12, 34]
    assert (graph.features.dtype, graph.word_start.dtype, graph.words.dtype) == ("f8", "i8", "i4")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("features", [[1, 2]], "features have shape"),
        ("features", [1, 2], "features have shape"),
        ("features", [[1, 2], [3, np.inf]], "finite"),
        ("word_start", [0, 3], "word_start has shape"),
        ("word_start", [0, 1, 2], "must rise from 0 to 3"),
        ("word_start", [0, 4, 3], "must rise from 0 to 3"),
    ],
)
def test_what_is_wrong_is_said(name: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SearchGraph(**{**parts(), name: value})

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning.deletion import Evidence, _kernels, gather, templates
from treewright.trees import Tree, TreeTable

from ...profiles import examples
from . import naive
from .toys import DOG, SHIFT, small_trees, whole_weights

few = examples(30)


@few
@given(small_trees, st.integers(0, 9))
def test_the_score_of_arcs_is_the_sum_of_their_features(tree: Tree, seed: int) -> None:
    evidence, weights = gather(tree), whole_weights(seed)
    scores = _kernels.arc_scores(evidence, weights, np.uint64(SHIFT))
    size = evidence.tokens + 2
    assert scores.size == size * (size - 1) // 2
    for path in naive.paths(evidence.tokens):
        kept = np.flatnonzero(path)
        arcs = [j * (j - 1) // 2 + i for i, j in pairwise(kept)]
        assert scores[arcs].sum() == naive.score(evidence, path, weights, SHIFT)
    assert scores[(size - 1) * (size - 2) // 2] == -np.inf


def spans(tree: Tree) -> list[tuple[Tree, int, int, int]]:
    """Return each node with its first and last token (from 1) and its parent's place."""
    found: list[tuple[Tree, int, int, int]] = []
    position = 1
    stack = [(tree, -1)]
    while stack:
        node, parent = stack.pop()
        stack += [(child, len(found)) for child in reversed(node.children)]
        found.append((node, position, position + len(node.words()) - 1, parent))
        position += node.word is not None
    return found


def counted(evidence: Evidence, path: tuple[bool, ...]) -> Counter[int]:
    """Return how often each item's feature counts for a compression."""
    kept = np.flatnonzero(path)
    found: Counter[int] = Counter()
    for low, high, key, sign in naive.items(evidence):
        if any(i < low and high < j for i, j in pairwise(kept)):
            found[key] += int(sign)
    return Counter({key: count for key, count in found.items() if count})


@few
@given(small_trees)
def test_constituents_count_as_the_templates_say(tree: Tree) -> None:
    """The differences of items amount to: whole without the parent, beheaded, torn."""
    evidence, nodes, heads = gather(tree), spans(tree), [h + 1 for h in TreeTable(tree).heads]
    own = set(evidence.key[: evidence.tokens * len(templates.DROPPED)].tolist())
    for path in naive.paths(evidence.tokens):
        whole = [not any(path[low : high + 1]) for _, low, high, _ in nodes]
        expected = 0
        for x, (_, low, high, parent) in enumerate(nodes):
            expected += len(templates.WHOLE) * (parent >= 0 and whole[x] and not whole[parent])
            if low < high and not whole[x]:
                expected += len(templates.BEHEADED) * (not path[heads[x]])
                expected += len(templates.TORN) * ((not path[low]) + (not path[high]))
        found = counted(evidence, path)
        assert all(count > 0 for count in found.values())
        total = sum(count for key, count in found.items() if key not in own)
        orphans = sum(
            not any(path[min(p, g) : max(p, g) + 1])
            for p, g in enumerate(evidence.governor.tolist())
            if g > 0
        )
        assert total == expected + orphans * len(templates.ORPHANED)


def test_governors_are_the_heads_of_what_stands_above() -> None:
    words = ["", *DOG.words(), ""]
    governor = gather(DOG).governor
    governed = {words[p]: words[g] for p, g in enumerate(governor) if g > 0}
    assert governed == {
        "the": "dog",
        "big": "dog",
        "dog": "barks",
        "loudly": "barks",
        ".": "barks",
    }


def test_other_templates_have_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = templates.fingerprint()
    monkeypatch.setattr(templates, "TORN", ())
    assert templates.fingerprint() != before

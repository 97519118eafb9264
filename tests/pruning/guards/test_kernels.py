"""The kernels of guards against plain-Python twins, on random trees and gaps."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning import Gaps
from treewright.pruning.guards import _kernels
from treewright.trees import Tree, TreeTable

from ...grammar.strategies import quick, trees
from ...grammar.test_index import uncompiled

KINDS = (
    _kernels.OTHER,
    _kernels.CONJUNCTION,
    _kernels.CONJUNCTIONS,
    _kernels.COMMA,
    _kernels.MARK,
)
JOINING = (_kernels.CONJUNCTION, _kernels.CONJUNCTIONS)
each_mode = pytest.mark.parametrize("mode", [nullcontext, lambda: uncompiled(_kernels)])


def run_of(siblings: list[int], gaps: Gaps, gap: int) -> list[int]:
    """The children that a gap drops."""
    return [x for x in siblings if gaps.first[gap] <= x <= gaps.last[gap]]


def parts(table: TreeTable, gaps: Gaps, kind: list[int], gap: int) -> bool:
    siblings = table.children[gaps.parent[gap]]
    dropped = run_of(siblings, gaps, gap) if gaps.first[gap] >= 0 else []
    if not dropped:
        return False
    left, right = int(gaps.left[gap]), int(gaps.right[gap])
    commas = [x for x in siblings if kind[x] == _kernels.COMMA]
    if len(commas) == 2 and _kernels.CONJUNCTION not in [kind[x] for x in siblings]:
        before, behind = commas
        if siblings.index(behind) - siblings.index(before) == 2:
            aside = siblings[siblings.index(before) + 1]
            if (right == aside and before in dropped) or (left == aside and behind in dropped):
                return True
    if right < 0:
        return kind[left] in JOINING
    if gaps.pauses[gap]:
        return False
    if left < 0:
        return kind[right] in JOINING
    marks = (_kernels.COMMA, _kernels.MARK)
    if kind[left] in marks or kind[right] in marks:
        return False
    return any(kind[x] in JOINING for x in dropped)


def clashes(table: TreeTable, gaps: Gaps, wanted: list[int], sound: list[int], gap: int) -> bool:
    if gaps.first[gap] < 0 or gaps.right[gap] < 0 or gaps.pauses[gap]:
        return False
    asked = wanted[table.left[gaps.first[gap]]]
    return asked != -1 and sound[table.left[gaps.right[gap]]] != asked


@each_mode
@quick
@given(tree=trees(), data=st.data())
def test_parting_gaps_equal_their_twin(mode: Any, tree: Tree, data: st.DataObject) -> None:
    table = TreeTable(tree)
    gaps = Gaps.of(table.arrays.end)
    size = len(table)
    kind = data.draw(st.lists(st.sampled_from(KINDS), min_size=size, max_size=size))
    with mode():
        found = _kernels.parting_gaps(gaps, table.arrays, np.array(kind, dtype=np.int8))
    assert found.tolist() == [parts(table, gaps, kind, g) for g in range(len(gaps.parent))]


@each_mode
@pytest.mark.parametrize(
    "kind", [(0, 3, 0, 3, 0), (3, 0, 3, 0, 0), (0, 1, 0, 2, 4), (3, 0, 3, 1, 0)]
)
def test_parting_gaps_of_asides(mode: Any, kind: tuple[int, ...]) -> None:
    table = TreeTable(Tree("S", [Tree("A", word=str(i)) for i in range(5)]))
    gaps = Gaps.of(table.arrays.end)
    kinds = [0, *kind]
    with mode():
        found = _kernels.parting_gaps(gaps, table.arrays, np.array(kinds, dtype=np.int8))
    assert found.any()
    assert found.tolist() == [parts(table, gaps, kinds, g) for g in range(len(gaps.parent))]


@each_mode
@quick
@given(tree=trees(), data=st.data())
def test_clashing_gaps_equal_their_twin(mode: Any, tree: Tree, data: st.DataObject) -> None:
    table = TreeTable(tree)
    gaps = Gaps.of(table.arrays.end)
    size = len(table.words)
    wanted = data.draw(st.lists(st.integers(-1, 1), min_size=size, max_size=size))
    sound = data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    with mode():
        found = _kernels.clashing_gaps(
            gaps,
            table.arrays,
            np.array(wanted, dtype=np.int8),
            np.array(sound, dtype=np.int8),
        )
    assert found.tolist() == [
        clashes(table, gaps, wanted, sound, g) for g in range(len(gaps.parent))
    ]

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


def listed(table: TreeTable, kind: list[int], category: list[int], x: int) -> bool:
    """Whether a comma joins the stretch that `x` ends, or a node that it begins, to another."""
    if not x:
        return False
    siblings = table.children[table.parent[x]]
    upto = siblings[: siblings.index(x) + 1]
    commas = [at for at, y in enumerate(upto) if kind[y] == _kernels.COMMA]
    own = [y for y in upto[commas[-1] if commas else 0 :] if kind[y] == _kernels.OTHER]
    others = [y for y in upto[: commas[-1] if commas else 0] if kind[y] == _kernels.OTHER]
    if own and others:
        one, other = category[others[-1]], category[own[0]]
        asides = (_kernels.PREPOSITIONAL, _kernels.ADVERBIAL, _kernels.SUBORDINATE)
        return one not in asides if other == _kernels.VERBAL else one == other
    above = table.parent[x]
    begins = [y for y in upto if kind[y] == _kernels.OTHER][:1] == [x]
    return begins and category[above] == category[x] and listed(table, kind, category, above)


def ends_listed(table: TreeTable, kind: list[int], category: list[int], x: int) -> bool:
    """Whether the last two verbs or clauses in `x`, or in the last thing in it, have no `and`."""
    children = table.children[x]
    content = [y for y in children if kind[y] == _kernels.OTHER]
    if len(content) > 1 and not any(kind[y] in JOINING for y in children):
        before, last = content[-2:]
        between = children[children.index(before) + 1]
        alike = category[before] == category[last] in (_kernels.VERBAL, _kernels.CLAUSE)
        if alike and kind[between] == _kernels.COMMA:
            return True
    return bool(content) and ends_listed(table, kind, category, content[-1])


def parts(
    table: TreeTable,
    gaps: Gaps,
    kind: list[int],
    category: list[int],
    late: list[bool],
    gap: int,
) -> bool:
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
    loses = any(kind[x] in JOINING for x in dropped)
    is_last = right < 0 or (kind[right] == _kernels.MARK and right == siblings[-1])
    if is_last and left >= 0 and (loses or late[dropped[-1]]):
        place = siblings.index(left)
        ends = siblings[place - 1] if place and kind[left] == _kernels.COMMA else left
        if listed(table, kind, category, ends) or ends_listed(table, kind, category, ends):
            return True
    if right < 0:
        return left >= 0 and kind[left] in JOINING
    if gaps.pauses[gap]:
        return False
    if left < 0:
        return kind[right] in JOINING
    behind_it = siblings[siblings.index(right) + 1 :]
    if kind[right] in JOINING and gaps.resumes[gap] == 0 and behind_it:
        unlike = category[left] != category[dropped[-1]] == category[behind_it[0]]
        if unlike and kind[left] == _kernels.OTHER:
            return True
    if kind[left] == _kernels.COMMA and kind[right] == _kernels.CONJUNCTION:
        last = dropped[-1]
        if kind[last] == _kernels.OTHER and category[last] == _kernels.NOMINAL:
            return True
    if kind[left] == _kernels.MARK or kind[right] in (_kernels.COMMA, _kernels.MARK):
        return False
    return loses or loses_commas(table, kind, category, [left, *dropped, right])


def loses_commas(table: TreeTable, kind: list[int], category: list[int], run: list[int]) -> bool:
    """Whether the middle one of three that are alike goes with the commas before and behind it."""
    if len(run) < 4:
        return False
    left, first, *_, last, right = run
    both = kind[first] == kind[last] == _kernels.COMMA
    if not both or kind[right] != _kernels.OTHER or category[run[2]] != category[right]:
        return False
    inside = category[table.parent[right]] == category[right] == _kernels.VERBAL
    return inside or category[left] == category[right]


def parting(
    gaps: Gaps, table: TreeTable, kind: list[int], category: list[int], late: list[bool]
) -> np.ndarray:
    kinds, categories = np.array(kind, dtype=np.int8), np.array(category, dtype=np.int16)
    found: np.ndarray = _kernels.parting_gaps(gaps, table.arrays, kinds, categories, np.array(late))
    return found


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
    category = data.draw(st.lists(st.integers(0, 6), min_size=size, max_size=size))
    late = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    with mode():
        found = parting(gaps, table, kind, category, late)
    expected = [parts(table, gaps, kind, category, late, g) for g in range(len(gaps.parent))]
    assert found.tolist() == expected


@each_mode
@pytest.mark.parametrize(
    "kind", [(0, 3, 0, 3, 0), (3, 0, 3, 0, 0), (0, 1, 0, 2, 4), (3, 0, 3, 1, 0)]
)
def test_parting_gaps_of_asides(mode: Any, kind: tuple[int, ...]) -> None:
    table = TreeTable(Tree("S", [Tree("A", word=str(i)) for i in range(5)]))
    gaps = Gaps.of(table.arrays.end)
    kinds = [0, *kind]
    with mode():
        found = parting(gaps, table, kinds, [0] * 6, [False] * 6)
    assert found.any()
    expected = [parts(table, gaps, kinds, [0] * 6, [False] * 6, g) for g in range(len(gaps.parent))]
    assert found.tolist() == expected


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

"""Gaps: all of them listed, and one walk for each way to prune a node."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning import Gaps, _kernels, gaps
from treewright.trees import Tree, TreeTable

from ..grammar.strategies import quick, trees
from ..grammar.test_index import uncompiled

Row = tuple[int, int, int, int, int, int, bool]
each_mode = pytest.mark.parametrize("mode", [nullcontext, lambda: uncompiled(_kernels)])


def gaps_of(tree: Tree) -> Gaps:
    return Gaps.of(np.array(TreeTable(tree).end, dtype=np.int32))


def rows_of(found: Gaps, node: int) -> list[Row]:
    part = slice(*found.pointer[node : node + 2])
    return list(zip(*[column[part].tolist() for column in found[1:]], strict=True))


def flat_tree(children: int) -> Tree:
    return Tree("S", [Tree("A", word=str(i)) for i in range(children)])


def naive_rows(node: int, children: list[int], longest: int) -> list[Row]:
    """Every run of at most `longest` dropped children, with all that may stand at its ends."""
    size = len(children)
    if size < 2:
        return []
    found = []
    for start in range(size + 1):
        for stop in range(start, min(start + longest, size) + 1):
            run = children[start:stop]
            first, last = (run[0], run[-1]) if run else (-1, -1)
            left = children[start - 1] if start else -1
            # Behind a block, what was dropped is full: `longest` children at least.
            for resumes in (0, 1, 2) if start >= longest and run else (0,):
                if stop < size:
                    found.append((node, left, children[stop], first, last, resumes, False))
                elif left >= 0 and resumes != 2:
                    found.append((node, left, -1, first, last, resumes, False))
                if len(run) == longest:
                    found.append((node, left, last, first, last, resumes, True))
    return found


def walks(rows: list[Row]) -> Counter[tuple[int, ...]]:
    """The dropped children of every walk from the left edge to the right."""
    done: Counter[tuple[int, ...]] = Counter()
    agenda: list[tuple[int, int, tuple[int, ...]]] = [(-1, 0, ())]
    while agenda:
        place, mode, dropped = agenda.pop()
        for _, left, right, first, last, resumes, pauses in rows:
            if (left, resumes) != (place, mode):
                continue
            gone = (*dropped, *(range(first, last + 1) if first >= 0 else ()))
            if right < 0:
                done[gone] += 1
            elif pauses:
                agenda.append((right, 1 if mode == 1 or (not mode and left >= 0) else 2, gone))
            else:
                agenda.append((right, 0, gone))
    return done


@each_mode
@pytest.mark.parametrize("longest", [1, 2, 3, 12])
@quick
@given(tree=trees())
def test_all_gaps_are_listed(tree: Tree, longest: int, mode: Any) -> None:
    with pytest.MonkeyPatch.context() as patch, mode():
        patch.setattr(gaps, "LONGEST", longest)
        found = gaps_of(tree)
    skeleton = TreeTable(tree)
    for x in range(len(skeleton.nodes)):
        rows = rows_of(found, x)
        assert sorted(rows) == sorted(naive_rows(x, skeleton.children[x], longest))
        # A walk arrives at a child before it goes on from there.
        order = [right if right >= 0 else len(skeleton.nodes) for _, _, right, *_ in rows]
        assert order == sorted(order)


@pytest.mark.parametrize("longest", [1, 2, 3, 12])
@pytest.mark.parametrize("children", range(1, 9))
def test_every_pruning_is_one_walk(
    children: int, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "LONGEST", longest)
    found = walks(rows_of(gaps_of(flat_tree(children)), 0))
    numbers = range(1, children + 1)
    some_kept = [drop for size in range(children) for drop in combinations(numbers, size)]
    assert found == (Counter(some_kept) if children > 1 else Counter())


def test_long_runs_are_dropped_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaps, "LONGEST", 3)
    rows = rows_of(gaps_of(flat_tree(9)), 0)
    # Children 1 to 9; 2 to 8 go: three, three, and one.
    for row in [
        (0, 1, 4, 2, 4, 0, True),
        (0, 4, 7, 5, 7, 1, True),
        (0, 7, 9, 8, 8, 1, False),
    ]:
        assert row in rows
    assert all(last - first < 3 for _, _, _, first, last, _, _ in rows)


@given(st.integers(2, 60))
def test_there_are_few_gaps(children: int) -> None:
    found = gaps_of(flat_tree(children))
    assert len(found.parent) <= 3 * (gaps.LONGEST + 2) * (children + 1)
    assert found.closes.sum() == (found.right < 0).sum() > 0


def test_words_and_single_children_have_no_gaps() -> None:
    found = gaps_of(Tree("S", [Tree("A", [Tree("B", word="b")])]))
    assert found.pointer.tolist() == [0, 0, 0, 0]
    assert all(len(column) == 0 for column in found[1:])

"""Features of nodes and gaps: their keys, tables of keys, and templates."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import UsageError
from treewright.grammar.features import RULE_TEMPLATES
from treewright.pruning.features import _kernels, attributes, templates
from treewright.pruning.features.keys import KeyMaker, table_size
from treewright.pruning.features.surroundings import hashed

from ..grammar.strategies import quick
from ..grammar.test_index import uncompiled
from ..programs import run_program
from .test_attributes import sentence

WORD = (1 << 64) - 1
FACTOR = 0x9E3779B97F4A7C15
each_mode = pytest.mark.parametrize("mode", [nullcontext, lambda: uncompiled(_kernels)])
numbers = st.one_of(st.integers(0, WORD), st.sampled_from([0, 1, WORD, FACTOR]))


def mix(key: int, value: int) -> int:
    key = ((key ^ value) * FACTOR) & WORD
    return key ^ (key >> 29)


def naive_key(name: str, values: Sequence[int]) -> int:
    key = mix(FACTOR, hashed(name))
    for value in values:
        key = mix(key, value & WORD)
    return max(key, 1)


@each_mode
@quick
@given(
    columns=st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=1, max_size=4),
    parts=st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=4),
)
def test_keys_mix_the_values_of_their_attributes(
    columns: list[list[int]], parts: list[list[int]], mode: Any
) -> None:
    parts = [[member % len(columns) for member in part] for part in parts]
    names = [f"template {number}" for number in range(len(parts))]
    with mode():
        found = _kernels.make_keys(
            np.array(columns, dtype=np.uint64),
            np.array([hashed(name) for name in names], dtype=np.uint64),
            np.cumsum([0, *map(len, parts)]),
            np.array([member for part in parts for member in part], dtype=np.int64),
        )
    assert found.tolist() == [
        [
            naive_key(name, [columns[member][item] for member in part])
            for name, part in zip(names, parts, strict=True)
        ]
        for item in range(2)
    ]


def test_the_order_of_attributes_matters() -> None:
    assert naive_key("a", [1, 2]) != naive_key("a", [2, 1]) != naive_key("b", [2, 1])


def test_hashes_are_the_same_in_every_process() -> None:
    assert hashed("tree") == 3291117689498215039
    program = "from treewright.pruning.features.surroundings import hashed; print(hashed('né'))"
    printed = run_program(sys.executable, "-c", program)
    assert int(printed.stdout) == hashed("né")


# Tables of keys.

# Few distinct upper halves: many keys want the same place.
colliding = st.builds(
    lambda high, low: max((high << 32) + low, 1), st.integers(0, 3), st.integers(0, 5)
)


@each_mode
@quick
@given(
    weights=st.dictionaries(st.one_of(colliding, st.integers(1, WORD)), st.floats(-9, 9)),
    asked=st.lists(st.lists(colliding, min_size=3, max_size=3), max_size=5),
)
def test_tables_are_dictionaries(
    weights: dict[int, float], asked: list[list[int]], mode: Any
) -> None:
    keys = np.array(list(weights), dtype=np.uint64)
    asked += [[key] * 3 for key in weights]
    rows = np.array(asked, dtype=np.uint64).reshape(-1, 3)
    with mode():
        table, number = _kernels.build_table(keys, 1 << (2 * len(keys) + 1).bit_length())
        beside = np.append(list(weights.values()), 0.0)[number]
        sums = _kernels.sum_weights(table, beside, rows)
    assert sums.tolist() == pytest.approx(
        [sum(weights.get(key, 0.0) for key in row) for row in asked]
    )
    assert sorted(number[number >= 0].tolist()) == list(range(len(keys)))


@each_mode
@quick
@given(
    batches=st.lists(
        st.lists(st.lists(colliding, min_size=2, max_size=2), max_size=8), min_size=1, max_size=3
    )
)
def test_keys_are_counted_and_numbered(batches: list[list[list[int]]], mode: Any) -> None:
    arrays = [np.array(batch, dtype=np.uint64).reshape(-1, 2) for batch in batches]
    table, counts = np.zeros(2, dtype=np.uint64), np.zeros(2, dtype=np.int32)
    with mode():
        for array in arrays:
            table, counts = _kernels.count_keys(table, counts, array)
        assert 2 * np.count_nonzero(table) <= len(table)
        kept = np.sort(table[counts >= 2])
        lookup = _kernels.build_table(kept, table_size(len(kept)))
        numbers = [_kernels.number_keys(*lookup, array).tolist() for array in arrays]
    seen = Counter(key for batch in batches for row in batch for key in row)
    often = sorted(key for key, count in seen.items() if count >= 2)
    assert dict(zip(table[table > 0].tolist(), counts[table > 0].tolist(), strict=True)) == seen
    assert numbers == [
        [[often.index(key) if key in often else -1 for key in row] for row in batch]
        for batch in batches
    ]


def test_no_key_is_zero() -> None:
    # The value that would make the key of "a" with one attribute 0.
    before = mix(FACTOR, hashed("a"))
    found = _kernels.make_keys(
        np.array([[before]], dtype=np.uint64),
        np.array([hashed("a")], dtype=np.uint64),
        np.array([0, 1]),
        np.array([0]),
    )
    assert found.tolist() == [[1]]


# Templates.


@pytest.mark.parametrize(
    ("lines", "known"),
    [
        (templates.DROP, attributes.NODE),
        (templates.GAP, attributes.GAP),
        (templates.LOST, attributes.TOKEN),
    ],
)
def test_templates_look_at_attributes_that_exist(
    lines: Mapping[str, tuple[str, ...]], known: Mapping[str, object]
) -> None:
    for name, parts in lines.items():
        assert set(parts) <= set(known), name
        assert len(set(parts)) == len(parts), name


def test_templates_have_names_and_contents_of_their_own() -> None:
    kinds = (templates.DROP, templates.GAP, templates.LOST)
    assert len(templates.KNOWN) == sum(map(len, kinds))
    for lines in kinds:
        assert len({frozenset(parts) for parts in lines.values()}) == len(lines)


def test_an_unknown_template_is_an_error_that_lists_the_others() -> None:
    known = next(iter(templates.KNOWN))
    with pytest.raises(UsageError, match=f"unknown feature template 'nonsense'.*{known}"):
        KeyMaker.of([known, "nonsense"])


def test_groups_name_templates_that_exist() -> None:
    everything = {*templates.KNOWN, *RULE_TEMPLATES}
    for group, members in templates.GROUPS.items():
        assert members, group
        assert set(members) <= everything, group


@pytest.mark.parametrize("group", templates.GROUPS)
def test_a_group_can_be_left_out(group: str) -> None:
    of_rules, others = templates.templates_without([group])
    left_out = set(templates.GROUPS[group])
    assert left_out.isdisjoint({*of_rules, *others})
    assert {*of_rules, *others} | left_out == {*templates.KNOWN, *RULE_TEMPLATES}
    assert KeyMaker.of(others).names == others


def test_an_unknown_group_is_an_error_that_lists_the_others() -> None:
    with pytest.raises(UsageError, match=r"unknown feature group 'tips'.*gaps"):
        templates.templates_without(["tips"])


def test_without_templates_there_are_no_keys() -> None:
    keys = KeyMaker.of(())(sentence())
    assert [part.shape[1] for part in keys] == [0, 0, 0]
    assert KeyMaker.of(()).names == ()

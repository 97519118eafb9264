"""Checks on packed rules that come from a file: kernels trust their arrays, so nothing may be off.

Everything wrong is a `ValueError` that says what.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.grammar.packed import (
    STRING_TARGET,
    Longs,
    PackedRules,
    RuleColumns,
    prepare_work,
)


def check_packed(rules: PackedRules) -> None:
    """Raise a `ValueError` unless these arrays are rules."""
    from treewright.grammar import _table_kernels as kernels

    _check_types(rules)
    prepare_work(rules)
    _check_productions(rules)
    _check_columns(rules.columns, len(rules.labels), len(rules.words))
    bad = kernels.first_bad_rule(rules.productions, rules.columns)
    if bad < len(rules):
        raise ValueError(f"rule {bad} does not fit together")
    if kernels.first_bad_alignment(rules.productions, rules.columns) < len(rules):
        raise ValueError("a word alignment points outside its rule")


def find_repeated(rules: PackedRules) -> int | None:
    """Return the number of a rule that is there before, or `None`."""
    from treewright.grammar import _table_kernels as kernels

    prepare_work(rules)
    found = kernels.hash_rules(rules.columns)
    order = np.argsort(found, kind="stable")
    same = np.flatnonzero(found[order[1:]] == found[order[:-1]])
    for k in same.tolist():
        if rules[int(order[k])] == rules[int(order[k + 1])]:
            return int(order[k + 1])
    return None


def _check_types(rules: PackedRules) -> None:
    arrays: dict[str, NDArray[Any]] = rules.arrays()
    for name, values in arrays.items():
        kind: type[np.generic] = np.int64 if name.endswith("ptr") else np.int32
        if name == "aligned":
            kind = np.bool_
        shape = 2 if name == "alignment" else 1
        if values.dtype != kind or values.ndim != shape:
            raise ValueError(f"{name} holds {values.dtype} in {values.ndim} dimensions")
    if rules.columns.alignment.shape[1] != 2:
        raise ValueError("alignment needs two columns")


def _check_productions(rules: PackedRules) -> None:
    pointer, item = rules.productions
    _check_pointer("production_ptr", pointer, len(item))
    lengths = np.diff(pointer)
    if len(pointer) < 2 or lengths[0] != 0 or (lengths[1:] < 2).any():
        raise ValueError("a production has no children")
    is_head = np.zeros(len(item), dtype=np.bool_)
    is_head[pointer[1:-1]] = True
    of_production = np.repeat(np.arange(len(lengths)), lengths)
    is_word = item < 0
    if (is_word & (is_head | (lengths[of_production] != 2))).any():
        raise ValueError("a word stands where a label must")
    if (item >= len(rules.labels)).any() or (-1 - item[is_word] >= len(rules.words)).any():
        raise ValueError("a production has a label or a word that is not listed")


def _check_columns(columns: RuleColumns, num_labels: int, num_words: int) -> None:
    count = len(columns.target_root)
    for name, size in (
        ("source_ptr", len(columns.source_symbol)),
        ("target_ptr", len(columns.target_symbol)),
        ("link_ptr", len(columns.link)),
        ("alignment_ptr", len(columns.alignment)),
    ):
        pointer = getattr(columns, name)
        if len(pointer) != count + 1:
            raise ValueError(f"{name} is for {len(pointer) - 1} rules, there are {count}")
        _check_pointer(name, pointer, size)
    if len(columns.aligned) != count:
        raise ValueError(f"aligned is for {len(columns.aligned)} rules, there are {count}")
    root, words = columns.target_root, columns.target_symbol
    if ((root < STRING_TARGET) | (root >= num_labels)).any() or (-1 - words >= num_words).any():
        raise ValueError("a target has a label or a word that is not listed")


def _check_pointer(name: str, pointer: Longs, size: int) -> None:
    if len(pointer) == 0 or pointer[0] != 0 or pointer[-1] != size or (np.diff(pointer) < 0).any():
        raise ValueError(f"{name} does not run from 0 to {size}")

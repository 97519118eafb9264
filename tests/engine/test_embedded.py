"""The embedded engine against plain counting."""

from __future__ import annotations

import math
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine import samples
from tests.profiles import examples
from treewright.engine import Columns, Engine, Partition, map_objects, open_engine, read
from treewright.engine import embedded as embedded_module
from treewright.engine.embedded import EmbeddedEngine
from treewright.errors import DataError, Problems, TreewrightError, UsageError

LISTS = st.lists(st.lists(st.text("ab\x00é𝔸", max_size=3), max_size=12), max_size=6)


@pytest.fixture
def embedded() -> Iterator[Engine]:
    with open_engine("embedded") as engine:
        yield engine


@pytest.fixture(scope="module")
def shared() -> Iterator[Engine]:
    with open_engine("embedded") as engine:
        yield engine


@given(LISTS)
@examples(40)
def test_counts_are_those_of_a_counter(shared: Engine, lists: list[list[str]]) -> None:
    mapped = shared.map_partitions(samples.words_of, samples.in_partitions(lists), samples.SCHEMA)
    counts = shared.count_by_key(mapped, ("word", "order"))
    assert samples.rows(counts) == samples.counted(lists)
    lengths = Counter(len(word) for words in lists for word in words)
    again = shared.count_by_key(counts, ("order",), "count")
    assert samples.rows(again) == sorted(lengths.items())


@given(LISTS, st.integers(1, 4))
@examples(40)
def test_the_top_of_each_key_breaks_ties_by_the_other_columns(
    shared: Engine, lists: list[list[str]], k: int
) -> None:
    mapped = shared.map_partitions(samples.words_of, samples.in_partitions(lists), samples.SCHEMA)
    top = shared.top_by_key(shared.count_by_key(mapped, ("word", "order")), ("order",), k)
    assert samples.rows(top) == samples.best(samples.counted(lists), k)


@given(LISTS)
@examples(20)
def test_sums_of_weights_are_those_of_fsum(shared: Engine, lists: list[list[str]]) -> None:
    mapped = shared.map_partitions(samples.words_of, samples.in_partitions(lists), samples.SCHEMA)
    weights: dict[str, list[float]] = {}
    for word in (word for words in lists for word in words):
        weights.setdefault(word, []).append(samples.weight_of(word))
    sums = samples.rows(shared.count_by_key(mapped, ("word",), "weight"))
    assert [word for word, _ in sums] == sorted(weights)
    for word, found in sums:
        assert found == pytest.approx(math.fsum(weights[str(word)]), rel=1e-12)


@given(LISTS, st.integers(1, 5))
@examples(20)
def test_rows_of_a_key_stay_together(shared: Engine, lists: list[list[str]], size: int) -> None:
    counts = shared.count_by_key(
        shared.map_partitions(samples.words_of, samples.in_partitions(lists), samples.SCHEMA),
        ("word", "order"),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded_module, "ROWS", size)
        parts = [part.content for part in counts.partitions("order")]
        assert samples.rows(counts) == samples.counted(lists)
    keys = [set(part["order"].tolist()) for part in parts]
    assert all(left.isdisjoint(right) for n, left in enumerate(keys) for right in keys[:n])
    found = [row for part in parts for row in zip(part["order"], part["word"], strict=True)]
    assert found == sorted((order, word) for word, order, _ in samples.counted(lists))


def numbered(seed: int) -> Columns:
    drawn = np.random.default_rng(seed).integers(0, 1 << 21, (2, 200_000))
    return {"left": drawn[0], "right": drawn[1] & 7}


def test_counts_that_do_not_fit_into_memory_are_the_same() -> None:
    schema = {"left": int, "right": int}
    parts = [Partition(str(seed), seed) for seed in range(8)]
    with EmbeddedEngine(memory=64 << 20) as engine:
        counts = engine.count_by_key(
            engine.map_partitions(numbered, parts, schema), ("left", "right")
        )
        found = read(counts)
    keys = np.concatenate(
        [(d := numbered(part.content))["left"] * 8 + d["right"] for part in parts]
    )
    values, times = np.unique(keys, return_counts=True)
    assert np.array_equal(found["left"] * 8 + found["right"], values)
    assert np.array_equal(found["count"], times)


def test_processes_give_rows_in_the_order_of_the_partitions() -> None:
    parts = samples.in_partitions([[str(n)] * 3 for n in range(20)])
    with open_engine("embedded", jobs=2) as engine:
        mapped = engine.map_partitions(samples.words_of, parts, samples.SCHEMA)
        words = [row[0] for row in samples.rows(mapped)]
    assert words == [str(n) for n in range(20) for _ in range(3)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_broken_partition_is_reported_and_the_others_are_counted(jobs: int) -> None:
    problems = Problems()
    parts = samples.in_partitions([["a"], ["bad"], ["b"], ["bug"], ["a"]])
    with open_engine("embedded", jobs=jobs) as engine:
        mapped = engine.map_partitions(samples.words_of, parts, samples.SCHEMA, problems)
        assert samples.rows(engine.count_by_key(mapped, ("word",))) == [("a", 2), ("b", 1)]
    first, second = map(str, problems.errors)
    assert first == "part 2: this partition failed: line 1: a bad word"
    assert second.startswith("part 4: this partition failed: ZeroDivisionError: a bug (samples.py:")


def test_a_broken_partition_is_raised_if_nobody_collects_problems(embedded: Engine) -> None:
    mapped = embedded.map_partitions(
        samples.words_of, samples.in_partitions([["a"], ["bad"]]), samples.SCHEMA
    )
    with pytest.raises(DataError, match="part 2: this partition failed"):
        embedded.count_by_key(mapped, ("word",))


def killed(words: list[str]) -> Columns:
    os.kill(os.getpid(), signal.SIGKILL)
    return samples.words_of(words)


def test_a_killed_process_ends_the_work_with_an_error() -> None:
    with open_engine("embedded", jobs=2) as engine:
        mapped = engine.map_partitions(killed, samples.in_partitions([["a"]]), samples.SCHEMA)
        with pytest.raises(TreewrightError, match="killed"):
            engine.count_by_key(mapped, ("word",))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"word": ["a"], "order": [1]}, "expected the columns"),
        ({"word": ["a"], "order": [1, 2], "weight": [1.0]}, "the same length"),
        ({"word": ["a"], "order": [1.5], "weight": [1.0]}, "'order' must be of int"),
        ({"word": ["a", None], "order": [1, 2], "weight": [1.0, 2.0]}, "must hold str"),
        ({"word": ["\udc80"], "order": [1], "weight": [1.0]}, "not Unicode"),
    ],
)
def test_columns_that_break_the_schema_are_problems(
    embedded: Engine, columns: Columns, message: str
) -> None:
    mapped = embedded.map_partitions(dict, [Partition("here", columns)], samples.SCHEMA)
    with pytest.raises(DataError, match=f"here: this partition failed: .*{message}"):
        read(mapped)


def test_no_partitions_give_no_rows(embedded: Engine) -> None:
    mapped = embedded.map_partitions(samples.words_of, [], samples.SCHEMA)
    counts = embedded.count_by_key(mapped, ("word",))
    assert {name: column.dtype for name, column in read(counts).items()} == {
        "word": np.dtype(object),
        "count": np.dtype(np.int64),
    }
    assert list(counts.partitions("word")) == []


def test_mapped_rows_are_read_once(embedded: Engine) -> None:
    parts = samples.in_partitions([["a"]])
    mapped = embedded.map_partitions(samples.words_of, parts, samples.SCHEMA)
    embedded.count_by_key(mapped, ("word",))
    with pytest.raises(UsageError, match="once"):
        embedded.count_by_key(mapped, ("order",))


def test_unusable_columns_are_refused(embedded: Engine) -> None:
    mapped = embedded.map_partitions(samples.words_of, [], samples.SCHEMA)
    for key, amount in ((("wort",), None), ((), None), (("word",), "word"), (("word",), "x")):
        with pytest.raises(UsageError):
            embedded.count_by_key(mapped, key, amount)
    for schema in ({}, {"a b": str}, {"_a": str}, {"a": list}):
        with pytest.raises(UsageError):
            embedded.map_partitions(samples.words_of, [], schema)


def test_objects_come_back_in_order() -> None:
    parts = samples.in_partitions([["a"], [], ["b", "c"]])
    with open_engine("embedded", jobs=2) as engine:
        assert list(map_objects(engine, tuple, parts)) == [("a",), (), ("b", "c")]


def test_nothing_stays_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_engine("embedded") as engine:
        mapped = engine.map_partitions(
            samples.words_of, samples.in_partitions([["a"]]), samples.SCHEMA
        )
        engine.count_by_key(mapped, ("word",))
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())

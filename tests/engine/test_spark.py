"""The distributed engine on two executors, processes of their own, of which one is killed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.engine import samples
from tests.spark import bounded, skip_without_spark, started
from treewright.engine import Engine, open_engine
from treewright.errors import Problems, UsageError

skip_without_spark()

WORDS = ["to", "of", "tree", "free", "wright", "é", "\x00", "", "kill"]
PARTITIONS = [[WORDS[(n * m) % 9] for m in range(n + 50)] for n in range(24)]


@pytest.fixture(scope="module")
def spark() -> Iterator[Engine]:
    with started() as engine:
        yield engine


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    with bounded():
        yield


def test_a_killed_executor_changes_no_count(spark: Engine, tmp_path: Path) -> None:
    marker = tmp_path / "killed"
    task = partial(samples.killing, marker)
    mapped = spark.map_partitions(task, samples.in_partitions(PARTITIONS), samples.SCHEMA)
    counts = spark.count_by_key(mapped, ("word", "order"))
    assert marker.exists()
    assert samples.rows(counts) == samples.counted(PARTITIONS)


def test_both_engines_give_the_same(spark: Engine) -> None:
    found = []
    for engine in (spark, open_engine("embedded", jobs=1)):
        mapped = engine.map_partitions(
            samples.words_of, samples.in_partitions(PARTITIONS), samples.SCHEMA
        )
        counts = engine.count_by_key(mapped, ("word", "order"))
        lengths = engine.count_by_key(counts, ("order",), "count")
        top = engine.top_by_key(counts, ("order",), 2)
        schema = {"left": str, "right": str, "product": int}
        paired = engine.map_partitions(samples.pairs_of, counts.partitions("order"), schema)
        joined = engine.count_by_key(paired, ("left", "right"), "product")
        found.append([samples.rows(table) for table in (counts, lengths, top, joined)])
        if engine is not spark:
            engine.__exit__(None, None, None)
    assert found[0] == found[1]
    assert found[0][2] == samples.best(samples.counted(PARTITIONS), 2)


def test_sums_of_weights_are_the_same_to_a_billionth(spark: Engine) -> None:
    mapped = spark.map_partitions(
        samples.words_of, samples.in_partitions(PARTITIONS), samples.SCHEMA
    )
    sums = dict(samples.rows(spark.count_by_key(mapped, ("word",), "weight")))
    for word, _, count in samples.counted(PARTITIONS):
        assert sums[word] == pytest.approx(count * samples.weight_of(word), rel=1e-9)


def test_mapped_rows_come_in_the_order_of_the_partitions(spark: Engine) -> None:
    mapped = spark.map_partitions(
        samples.words_of, samples.in_partitions(PARTITIONS), samples.SCHEMA
    )
    words = [word for words in PARTITIONS for word in words]
    assert [row[0] for row in samples.rows(mapped)] == words
    with pytest.raises(UsageError, match="once"):
        mapped.batches()


def test_a_broken_partition_is_reported(spark: Engine) -> None:
    problems = Problems()
    partitions = samples.in_partitions([["a"], ["bad"], ["b"], ["bug"]])
    mapped = spark.map_partitions(samples.words_of, partitions, samples.SCHEMA, problems)
    counts = spark.count_by_key(mapped, ("word",))
    assert samples.rows(counts) == [("a", 1), ("b", 1)]
    first, second = map(str, problems.errors)
    assert first == "part 2: this partition failed: line 1: a bad word"
    assert second.startswith("part 4: this partition failed: ZeroDivisionError: a bug (samples.py:")


def test_no_partitions_give_no_rows(spark: Engine) -> None:
    mapped = spark.map_partitions(samples.words_of, [], samples.SCHEMA)
    assert samples.rows(spark.count_by_key(mapped, ("word",))) == []

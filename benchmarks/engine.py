"""Counting on the engines: memory limits, growth, Spark against the embedded engine.

    python benchmarks/engine.py > docs/benchmarks/engine.md

Two words with the words before and after them are counted in real text; twice the text is the text
and a copy with other words, so that twice as many pairs are found. Each count is in a process of
its own. CPU seconds are of all its processes (those of Spark's are not known here), and memory is
the peak of the one that counts; of Spark, of the one that asks. What was measured is kept in the
file that `--kept` names, and not measured again.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from run import ROOT, header, table

from treewright.engine import Columns, Partition, open_engine
from treewright.translation.ghkm.occurrences import Occurrences, Runs, counted

LINES = 4000
SCHEMA = {"phrase": str, "context": str}
KEY = ("phrase", "context")
SIZES = (1, 2, 5, 11, 22)
LIMITS = ("embedded=2GB", "embedded=500MB", "embedded=200MB")
LIMITED = 2
SPARK = "spark=local[2]"
SPARK_SIZES = (1,)
SYNTHETIC = 5_000_000
RULES = 4_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--kept", type=Path, help="a file of results, which is added to")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.job is not None:
        job = json.loads(chosen.job)
        print(json.dumps(measured(JOBS[job.pop("what")], **job)))
        return
    folder = chosen.data / "paraphrase" / "corpus"
    if not folder.is_dir():
        parser.error(f"no real data at {folder}; give its folder with --data")
    kept = chosen.kept
    known = json.loads(kept.read_text()) if kept is not None and kept.exists() else {}

    def run(what: str, **arguments: Any) -> dict[str, Any]:
        name = json.dumps({"what": what, **arguments})
        if name not in known:
            if what == "text":
                arguments["folder"] = str(folder)
            job = json.dumps({"what": what, **arguments})
            command = [sys.executable, __file__, "--job", job]
            found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            known[name] = json.loads(found.stdout.splitlines()[-1])
            if kept is not None:
                kept.write_text(json.dumps(known, indent=1))
        return dict(known[name])

    header("Engines", "benchmarks/engine.py > docs/benchmarks/engine.md", "two cores used")
    print("The machine did other work at the same time: compare CPU seconds.\n")
    if known:
        print("Results were kept from earlier runs (`--kept`), at different loads.\n")
    report(run)


def report(run: Callable[..., dict[str, Any]]) -> None:
    growth = {size: run("text", size=size, engine=LIMITS[1]) for size in SIZES}
    print(f"## Growth with the text, `{LIMITS[1]}`, 2 processes\n")
    print_counts((f"{size} M words", growth[size]) for size in SIZES)
    limits = {name: run("text", size=LIMITED, engine=name) for name in LIMITS[::2]}
    limits[LIMITS[1]] = growth[LIMITED]
    print(f"## Memory limits, {LIMITED} M words\n")
    print_counts((f"`{name}`", limits[name]) for name in LIMITS)
    if importlib.util.find_spec("pyspark") is not None:
        print("## Spark on this machine, with its start; memory is of the process that asks\n")
        names = [(size, name) for size in SPARK_SIZES for name in (LIMITS[1], SPARK)]
        print_counts(
            (
                f"{size} M words, `{name}`",
                growth[size] if name != SPARK else run("text", size=size, engine=name),
            )
            for size, name in names
        )
    print("## Which embedded engine: pairs of strings, a 300 MB limit where there is one\n")
    peers = [name for name in ("duckdb", "polars") if importlib.util.find_spec(name) is not None]
    print_counts((name, run(name, rows=SYNTHETIC)) for name in peers)
    print("## Rules by their keys: sorted runs of the translation rooms, and the engine\n")
    print_counts((name, run(name, rows=RULES)) for name in ("runs", "rules"))


def print_counts(rows: Iterator[tuple[str, dict[str, Any]]]) -> None:
    names = ("", "pairs", "different", "seconds", "CPU seconds", "peak MB")
    table(
        names,
        [
            (
                name,
                f"{found['rows']:,}",
                f"{found['keys']:,}",
                f"{found['seconds']:.1f}",
                "–" if SPARK in name else f"{found['cpu']:.1f}",
                found["memory"],
            )
            for name, found in rows
        ],
    )
    sys.stdout.flush()


def measured(job: Callable[..., tuple[int, int]], **arguments: Any) -> dict[str, Any]:
    start = time.perf_counter()
    rows, keys = job(**arguments)
    seconds = time.perf_counter() - start
    own, others = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    cpu = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    memory = own.ru_maxrss >> 10
    return {"rows": rows, "keys": keys, "seconds": seconds, "cpu": cpu, "memory": memory}


def count_text(folder: str, size: int, engine: str) -> tuple[int, int]:
    """Count the pairs of so many million words, then both sides, then the best of each phrase."""
    with open_engine(engine, jobs=2) as opened:
        mapped = opened.map_partitions(pairs_of, partitions(Path(folder), size * 10**6), SCHEMA)
        counts = opened.count_by_key(mapped, KEY)
        phrases = opened.count_by_key(counts, KEY[:1], "count")
        opened.count_by_key(counts, KEY[1:], "count")
        opened.top_by_key(counts, KEY[:1], 10)
        rows = sum(int(batch["count"].sum()) for batch in phrases.batches())
        keys = sum(len(batch["count"]) for batch in counts.batches())
    return rows, keys


def partitions(folder: Path, words: int) -> Iterator[Partition[tuple[str, list[str]]]]:
    """Yield lines until there are so many words; after the last file, words are marked as new."""
    mark = ""
    while words > 0:
        for path in sorted(folder.iterdir()):
            with gzip.open(path, "rt", encoding="utf-8") as file:
                while words > 0 and (lines := list(islice(file, LINES))):
                    words -= sum(line.count(" ") + 1 for line in lines)
                    yield Partition(path.name, (mark, lines))
        mark += "'"


def pairs_of(content: tuple[str, Sequence[str]]) -> Columns:
    mark, lines = content
    phrases: list[str] = []
    contexts: list[str] = []
    for line in lines:
        words = ["<s>", *[word + mark for word in line.lower().split()], "</s>"]
        phrases += map(" ".join, pairwise(words[1:-1]))
        contexts += map(" _ ".join, zip(words[:-3], words[3:], strict=True))
    return {"phrase": np.array(phrases, object), "context": np.array(contexts, object)}


def synthetic(rows: int) -> Iterator[dict[str, np.ndarray[Any, Any]]]:
    draw = np.random.default_rng(1)
    for _ in range(rows // 500_000):
        phrases, contexts = (
            draw.zipf(1.25, 500_000) % 2_000_000,
            draw.zipf(1.15, 500_000) % 8_000_000,
        )
        yield {
            "phrase": np.array([f"phrase {n}" for n in phrases.tolist()], object),
            "context": np.array([f"left {n} right" for n in contexts.tolist()], object),
        }


def count_duckdb(rows: int) -> tuple[int, int]:
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        base = duckdb.connect(
            f"{folder}/pairs",
            config={"memory_limit": "300MB", "threads": 2, "temp_directory": folder},
        )
        base.execute("CREATE TABLE pairs (phrase VARCHAR, context VARCHAR)")
        for batch in synthetic(rows):
            base.register("batch", batch)
            base.execute("INSERT INTO pairs SELECT * FROM batch")
        base.execute(
            "CREATE TABLE counts AS SELECT phrase, context, count(*) AS n FROM pairs "
            "GROUP BY ALL ORDER BY phrase, context"
        )
        [found] = base.execute("SELECT sum(n)::BIGINT, count(*) FROM counts").fetchall()
        base.close()
    return found[0], found[1]


def count_polars(rows: int) -> tuple[int, int]:
    import polars

    with tempfile.TemporaryDirectory() as folder:
        for number, batch in enumerate(synthetic(rows)):
            polars.DataFrame({k: v.tolist() for k, v in batch.items()}).write_parquet(
                f"{folder}/{number}.parquet"
            )
        pairs = polars.scan_parquet(f"{folder}/*.parquet")
        counts = pairs.group_by("phrase", "context").agg(polars.len().alias("n"))
        counts.sort("phrase", "context").sink_parquet(f"{folder}/counts")
        found = polars.scan_parquet(f"{folder}/counts").select(
            polars.col("n").sum().alias("sum"), polars.len().alias("rows")
        )
        [(total, keys)] = found.collect().rows()
    return total, keys


def rule_keys(rows: int) -> Iterator[np.ndarray[Any, Any]]:
    draw = np.random.default_rng(1)
    for _ in range(4):
        source = draw.zipf(1.3, rows // 4).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        target = (draw.zipf(1.6, rows // 4).astype(np.uint64) ^ source) * np.uint64(
            0xC2B2AE3D27D4EB4F
        )
        yield np.array([source, target, target >> np.uint64(60)])


def count_runs(rows: int) -> tuple[int, int]:
    """Sort and merge records of twelve numbers, as the translation rooms do."""
    runs = []
    for keys in rule_keys(rows):
        size = keys.shape[1]
        start, numbers = np.arange(size + 1) * 12, np.zeros(size * 12, np.int32)
        columns = (*keys, np.ones(size, np.int64), np.ones(size, bool), start, numbers)
        runs.append(counted(Occurrences(*columns)))
    total = different = 0
    for chunk in Runs(runs, 1 << 18).chunks():
        total, different = total + int(chunk.times.sum()), different + chunk.times.size
    return total, different


def count_rules(rows: int) -> tuple[int, int]:
    """Count the same keys on the embedded engine, without the records that belong to them."""
    schema = {"source": int, "target": int, "links": int}
    parts = [Partition(str(n), keys.view(np.int64)) for n, keys in enumerate(rule_keys(rows))]
    with open_engine("embedded") as engine:
        mapped = engine.map_partitions(named_keys, parts, schema)
        counts = engine.count_by_key(mapped, ("source", "target", "links"))
        found = [(int(batch["count"].sum()), len(batch["count"])) for batch in counts.batches()]
    return sum(total for total, _ in found), sum(size for _, size in found)


def named_keys(keys: np.ndarray[Any, Any]) -> Columns:
    return dict(zip(("source", "target", "links"), keys, strict=True))


JOBS = {
    "text": count_text,
    "duckdb": count_duckdb,
    "polars": count_polars,
    "runs": count_runs,
    "rules": count_rules,
}

if __name__ == "__main__":
    main()

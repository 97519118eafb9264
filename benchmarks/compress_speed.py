"""The speed of compression from raw text: the tables of docs/benchmarks/speed.md."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from linear import say
from run import best, once, table

from treewright.compression import Compressor, Keep, Limit, Request
from treewright.corpora import is_word, read_records
from treewright.text import join_words, split_sentences, tokenize

Models = dict[str, Path]
Texts = dict[int, list[str]]
"""Sentences by their number of words."""

SENTENCE = (
    "The committee, which met on Tuesday for the third time this month, said that the new bridge "
    "would not open before the end of the year."
)
SIXTY = Limit(rate=0.6)
CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()

MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""
"""Prints a command's peak memory; started by a large process, it would count that one's too."""


def speed(data: Path, models: Models, corpora: Sequence[str], first: int | None) -> None:
    pin(1)
    texts = sentences(data, corpora)
    say(f"{sum(map(len, texts.values()))} sentences")
    print(
        "Everything from raw text to shortened text is timed. The sentences are sources of the "
        "corpora. Run it on a quiet machine. One core, except where two processes are compared.\n"
    )
    table(["model", "file"], [[n, f"{p.stat().st_size / 1e6:.1f} MB"] for n, p in models.items()])
    compressors = {name: Compressor.load(path) for name, path in models.items()}
    throughput(compressors, of_twenty(texts, first or 320))
    growth(compressors, texts, first or 64)
    latency(compressors, texts, first or 600)
    with tempfile.TemporaryDirectory() as folder:
        starts(models, Path(folder))
        streams(models, texts, Path(folder), 10 * first if first else 5000)


def pin(number: int) -> None:
    """Limit this process, and those it starts, to a number of cores."""
    if CORES:
        os.sched_setaffinity(0, set(sorted(CORES)[:number]))


def sentences(data: Path, corpora: Sequence[str]) -> Texts:
    """Return all sources that are one sentence to Treewright too."""
    texts: Texts = {}
    for name in corpora:
        for part in ("train", "dev"):
            for record in read_records(data / f"{name}.{part}.jsonl"):
                text = join_words(record.source.words())
                if len(split_sentences(text)) == 1:
                    texts.setdefault(count(text), []).append(text)
    return {words: list(dict.fromkeys(several)) for words, several in sorted(texts.items())}


def count(text: str) -> int:
    """Return the number of words."""
    return sum(is_word(token.text) for token in tokenize(text))


def of_twenty(texts: Texts, number: int) -> list[str]:
    """Return sentences of 18 to 22 words, of nearly the same number of characters."""
    pool = [text for words in range(18, 23) for text in texts.get(words, ())]
    middle = statistics.median(map(len, pool))
    return sorted(pool, key=lambda text: abs(len(text) - middle))[:number]


def of_length(texts: Texts, words: int, number: int) -> list[str]:
    """Return sentences whose number of words is the nearest; 80 words are two sentences in one."""
    if words > 40:
        halves = of_length(texts, words // 2, 2 * number)
        both = zip(halves[::2], halves[1::2], strict=False)
        return [f"{one.rstrip(' .')}, and {other}" for one, other in both]
    lengths = sorted(texts, key=lambda length: abs(length - words))
    return list(islice((text for length in lengths for text in texts[length]), number))


def evenly(texts: Texts, most: int, number: int) -> list[str]:
    """Return an even sample of the sentences up to a number of words, shuffled."""
    pool = [text for words, several in texts.items() if 0 < words <= most for text in several]
    chosen = [pool[i * len(pool) // number] for i in range(min(number, len(pool)))]
    return [chosen[i] for i in np.random.default_rng(0).permutation(len(chosen))]


def per_second(compressor: Compressor, texts: Sequence[str], request: Request) -> float:
    seconds = best(lambda: list(compressor.compress_each(texts, request)), runs=3)
    return len(texts) / seconds


def throughput(compressors: dict[str, Compressor], texts: Sequence[str]) -> None:
    chars = statistics.mean(map(len, texts))
    most = round(0.8 * chars)
    keep = (Keep.parse("numbers"), Keep.parse("names"))
    requests = {
        "no limit": Request(),
        "rate 0.6": Request(limit=SIXTY),
        f"{most} characters (80 %)": Request(limit=Limit(max_chars=most)),
        "no limit, numbers and names kept": Request(keep=keep),
        "rate 0.6, explained": Request(limit=SIXTY, explain=True),
    }
    rows = []
    costs = []
    for name, compressor in compressors.items():
        rates = [per_second(compressor, texts, request) for request in requests.values()]
        rows.append([f"{rate:.0f}" for rate in rates])
        costs.append(f"{name} {rates[1] / rates[-1]:.1f} times")
        say(f"{name}: throughput")
    print(
        f"## Throughput\n\n{len(texts)} sentences of 18 to 22 words, {chars:.0f} characters on "
        "average, by `compress_each`; best of three runs after warm-up, sentences/s.\n"
    )
    wanted = ["≥ 100", "≥ 100", "≥ 100", "≥ 100", ""]
    table(
        ["limit", *compressors, "wanted"],
        zip(requests, *rows, wanted, strict=True),
    )
    print(f"Explaining takes longer: {', '.join(costs)}.\n")


def growth(compressors: dict[str, Compressor], texts: Texts, number: int) -> None:
    rows = []
    for words in (5, 10, 20, 40, 80):
        chosen = of_length(texts, words, number)
        cells = [
            f"{per_second(compressor, chosen, request):.0f}"
            for compressor in compressors.values()
            for request in (Request(), Request(limit=SIXTY))
        ]
        rows.append([f"{statistics.mean(map(count, chosen)):.1f}", *cells])
    say("by length")
    print(
        f"## By length\n\n{number} sentences of each length, sentences/s as above. Few "
        "have 80 words, so two of 40 are joined.\n"
    )
    columns = [f"{name}, {limit}" for name in compressors for limit in ("no limit", "rate 0.6")]
    table(["mean words", *columns], rows)


def latency(compressors: dict[str, Compressor], texts: Texts, number: int) -> None:
    chosen = evenly(texts, 40, number)
    # As the command does: what lives to the end need not be looked through again and again.
    gc.collect()
    gc.freeze()
    rows = []
    for name, compressor in compressors.items():
        for limit, rate in (("no limit", None), ("rate 0.6", 0.6)):
            for text in chosen[:20]:
                compressor.compress(text, rate=rate)
            times = [
                1000 * once(lambda c=compressor, t=text, r=rate: c.compress(t, rate=r))
                for text in chosen
            ]
            marks = [*np.percentile(times, (50, 95, 99)), max(times)]
            rows.append([name, limit, *[f"{mark:.1f}" for mark in marks], "p99 ≤ 50"])
    say("latency")
    print(
        f"## Latency\n\n{len(chosen)} calls of `compress`, each with a different sentence of up "
        "to 40 words, in the mix of lengths that the corpora have, after warm-up; ms.\n"
    )
    table(["model", "limit", "median", "p95", "p99", "max", "wanted"], rows)


def command(*arguments: str) -> list[str]:
    script = Path(sys.executable).with_name("treewright")
    start = [str(script)] if script.exists() else [sys.executable, "-m", "treewright"]
    return [*start, *arguments]


def surroundings(folder: Path, kernels: str) -> dict[str, str]:
    """Return an environment with bytecode, as an installation has it, and kernels of its own."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    own = {"PYTHONPYCACHEPREFIX": folder / "bytecode", "NUMBA_CACHE_DIR": folder / kernels}
    return {**kept, **{name: str(path) for name, path in own.items()}}


def run(arguments: Sequence[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
    return seconds


def starts(models: Models, folder: Path) -> None:
    """Time one sentence from a cold shell, kernels to be compiled and kernels cached."""
    rows = []
    environment = surroundings(folder, "kernels")
    for name, path in models.items():
        shorten = command("compress", SENTENCE, "--model", str(path))
        run(shorten, environment)
        first = run(shorten, surroundings(folder, f"kernels of {name}"))
        later = statistics.median(run(shorten, environment) for _ in range(7))
        rows.append([f"one sentence, {name}, first run", f"{first:.1f} s", ""])
        rows.append([f"one sentence, {name}, kernels cached", f"{later:.2f} s", "≤ 1.5 s"])
        say(f"{name}: starts")
    helped = statistics.median(run(command("--help"), environment) for _ in range(7))
    rows.append(["`treewright --help`", f"{helped:.2f} s", ""])
    print(
        '## Cold shell\n\n`treewright compress "…"` in a new process, with bytecode as pip leaves '
        "it. First: no compiled kernels are there. Cached: median of 7.\n"
    )
    table(["run", "measured", "wanted"], rows)


def streams(models: Models, texts: Texts, folder: Path, number: int) -> None:
    """Measure the command on lines: its peak memory, and what a second process gains."""
    pool = [text for several in texts.values() for text in several]
    chosen = np.random.default_rng(1).integers(len(pool), size=number)
    lines = [" ".join(pool[i].split()) for i in chosen]
    sizes = [number // 10, number]
    fewer = number * 2 // 5
    rows = []
    for name, path in models.items():
        run(stream(lines[: sizes[0]], path, folder), surroundings(folder, "kernels"))
        memory = [f"{peak_of(stream(lines[:size], path, folder), folder):.0f} MB" for size in sizes]
        one, two = times_of(stream(lines[:fewer], path, folder), folder)
        rows.append([name, *memory, f"{one:.1f} s", f"{two:.1f} s", f"{one / two:.2f} times"])
        say(f"{name}: streams")
    print(
        "## Streams\n\n`treewright compress --lines --rate 0.6` on a file, start included: peak "
        f"memory (required: ≤ 600 MB), and processes on {fewer} lines, all "
        f"{len(CORES) or os.cpu_count()} cores.\n"
    )
    memories = [f"memory, {size} lines" for size in sizes]
    table(["model", *memories, "--jobs 1", "--jobs 2", "gain"], rows)


def stream(lines: Sequence[str], model: Path, folder: Path) -> list[str]:
    """Write lines to a file, and return the command that shortens them."""
    path = folder / "lines.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return command(
        *("compress", "--file", str(path), "--lines"), *("--model", str(model), "--rate", "0.6")
    )


def peak_of(arguments: Sequence[str], folder: Path) -> float:
    """Return the peak memory of a command, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *arguments],
        env=surroundings(folder, "kernels"),
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    return float(done.stdout)


def times_of(arguments: Sequence[str], folder: Path) -> list[float]:
    """Return the seconds of a command with one process and with two."""
    pin(len(CORES))
    environment = surroundings(folder, "kernels")
    times = [run([*arguments, "--jobs", str(jobs)], environment) for jobs in (1, 2)]
    pin(1)
    return times

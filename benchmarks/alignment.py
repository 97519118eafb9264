"""Measure word alignment beside eflomal on every gold set; print docs/benchmarks/alignment.md.

    python benchmarks/alignment.py [--eflomal eflomal-align] > docs/benchmarks/alignment.md

Each run is a process of its own that gets the gold sentences and the training text, lower-cased, in
two files. Times are CPU seconds of the whole process, for both directions, with compiled kernels
kept from before; memory is its peak. eflomal is run where it is found; its links are symmetrized by
ours, so that only the models differ.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from treewright import __version__
from treewright.alignment.statistical.symmetrization import symmetrize
from treewright.corpora import parse_pharaoh
from treewright.evaluation import AlignmentCounts, GoldAlignment

ROOT = Path(__file__).resolve().parents[1]
CURVE = (10_000, 20_000, 40_000, 60_000)
_GOLD = 1_000
"""More pairs than have gold links; others need not be symmetrized."""
WAYS = ("intersection", "grow-diag", "grow-diag-final-and")


@dataclass(frozen=True)
class Task:
    """Gold sets of two languages, and text to learn from beside them."""

    languages: tuple[str, str]
    gold: tuple[str, ...]
    training: tuple[str, ...]


TASKS = {
    "Chinese-English": Task(("zh", "en"), ("tsinghua.dev", "nist02.dev"), ("zh-en/train",)),
    "English-French": Task(
        ("en", "fr"),
        ("hansards.dev", "hansards-trial.dev"),
        ("alignment/hansards.train", "multi30k/train"),
    ),
    "Romanian-English": Task(("ro", "en"), ("romanian.dev",), ()),
}


@dataclass(frozen=True)
class Run:
    """Links of all pairs by symmetrization, and what they cost."""

    links: dict[str, list[str]]
    seconds: float
    megabytes: float
    pairs: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=ROOT.parent / "shared" / "data" / "translation"
    )
    parser.add_argument("--eflomal", default="eflomal-align", help="The program to compare with.")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        parser.error(f"no real data at {arguments.data}; give its folder with --data")
    print("# Word alignment\n")
    print("Printed by `python benchmarks/alignment.py > docs/benchmarks/alignment.md`.\n")
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True
    ).stdout.strip()
    print(f"{date.today()}, commit {commit}, Treewright {__version__}, {os.cpu_count()} cores.\n")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.data, arguments.eflomal, Path(folder))
        bench.warm()
        for name, task in TASKS.items():
            quality(bench, name, task)
        curve(bench)


class Bench:
    """Runs aligners on files in a folder."""

    def __init__(self, data: Path, eflomal: str, folder: Path) -> None:
        self.data = data
        self.eflomal = shutil.which(eflomal)
        self.folder = folder

    def warm(self) -> None:
        """Have all kernels compiled."""
        self.write(TASKS["Romanian-English"], None)
        for method in ("bayes", "hmm", "ibm1"):
            self.ours(method)

    def write(self, task: Task, limit: int | None) -> int:
        """Write the text of a task, gold sentences first; return the number of pairs."""
        for side, language in zip(("src", "tgt"), task.languages, strict=True):
            lines: list[str] = []
            for name in task.gold:
                lines += _lines(self.data / "alignment" / f"{name}.{language}")
            training: list[str] = []
            for name in task.training:
                training += _lines(self.data / f"{name}.{language}")
            lines += training if limit is None else _spread(training, limit)
            (self.folder / side).write_text("".join(f"{line.lower()}\n" for line in lines))
        return len(lines)

    def ours(self, method: str) -> Run:
        """Align by one of our methods."""
        links = {}
        command = [sys.executable, "-m", "treewright", "align", "src", "tgt", "-o", "out"]
        seconds, megabytes = self._timed([*command, "--method", method])
        links["posterior"] = _lines(self.folder / "out")
        return Run(links, seconds, megabytes, len(links["posterior"]))

    def theirs(self) -> Run | None:
        """Align by eflomal, if there is one."""
        if self.eflomal is None:
            return None
        command = [self.eflomal, "-s", "src", "-t", "tgt", "-f", "fwd", "-r", "rev", "--overwrite"]
        seconds, megabytes = self._timed(command)
        sides = [_lines(self.folder / name) for name in ("fwd", "rev", "src", "tgt")]
        gold = [side[:_GOLD] for side in sides]
        links = {way: list(_symmetrized(*gold, way)) for way in WAYS}
        return Run(links, seconds, megabytes, len(sides[0]))

    def _timed(self, command: Sequence[str]) -> tuple[float, float]:
        timer = ["/usr/bin/time", "-f", "%U %S %M", "-o", "time", *command]
        subprocess.run(timer, cwd=self.folder, check=True, capture_output=True)
        user, system, kilobytes = map(float, _lines(self.folder / "time")[-1].split())
        return user + system, kilobytes / 1024


def quality(bench: Bench, name: str, task: Task) -> None:
    pairs = bench.write(task, None)
    print(f"## {name}, {pairs:,} pairs\n")
    columns = [f"{gold} {score}" for gold in task.gold for score in ("AER", "F1")]
    print_row("system", *columns, "CPU s", "pairs a CPU s", "MB")
    print_row(*["---"] * (len(columns) + 4))
    runs = [(f"`--method {m}`", bench.ours(m)) for m in ("bayes", "hmm", "ibm1")]
    other = bench.theirs()
    if other is not None:
        runs.append(("eflomal", other))
    for system, run in runs:
        for way, links in run.links.items():
            scores = [
                f"{100 * value:.1f}"
                for counts in scored(bench, task, links)
                for value in (counts.aer, counts.f1)
            ]
            cost = f"{run.seconds:.0f}", f"{run.pairs / run.seconds:,.0f}", f"{run.megabytes:.0f}"
            print_row(f"{system}, {way}", *scores, *cost)
    print(flush=True)


def curve(bench: Bench) -> None:
    task = TASKS["Chinese-English"]
    print("## Learning curve, Chinese-English\n")
    print(
        "AER after learning from this many pairs, every part of the training text in proportion.\n"
    )
    print_row("pairs", *[f"{gold}, {who}" for gold in task.gold for who in ("ours", "eflomal")],
              "CPU s, ours", "CPU s, eflomal")  # fmt: skip
    print_row(*["---"] * (2 * len(task.gold) + 3))
    for limit in CURVE:
        bench.write(task, limit)
        own, other = bench.ours("bayes"), bench.theirs()
        ours = scored(bench, task, own.links["posterior"])
        theirs = None if other is None else scored(bench, task, other.links["grow-diag"])
        cells = []
        for number, counts in enumerate(ours):
            cells.append(f"{100 * counts.aer:.1f}")
            cells.append("" if theirs is None else f"{100 * theirs[number].aer:.1f}")
        cost = f"{own.seconds:.0f}", "" if other is None else f"{other.seconds:.0f}"
        print_row(f"{limit:,}", *cells, *cost)
        sys.stdout.flush()


def scored(bench: Bench, task: Task, links: Sequence[str]) -> list[AlignmentCounts]:
    """Score the gold sets, which come first in the text."""
    results, begin = [], 0
    for name in task.gold:
        gold = _lines(bench.data / "alignment" / f"{name}.align")
        own = links[begin : begin + len(gold)]
        begin += len(gold)
        counts = [
            AlignmentCounts.of(parse_pharaoh(line), GoldAlignment.parse(truth))
            for line, truth in zip(own, gold, strict=True)
        ]
        results.append(sum(counts, AlignmentCounts()))
    return results


def _symmetrized(
    forward: Sequence[str],
    reverse: Sequence[str],
    sources: Sequence[str],
    targets: Sequence[str],
    way: str,
) -> Iterator[str]:
    """Combine the links of two directions as our own are combined."""
    for pair in zip(forward, reverse, sources, targets, strict=True):
        sizes = len(pair[2].split()), len(pair[3].split())
        matrices = []
        for line in pair[:2]:
            matrix = np.zeros(sizes, np.float32)
            for link in parse_pharaoh(line):
                matrix[link] = 1
            matrices.append(matrix.ravel())
        lengths = (np.array([size], np.int64) for size in sizes)
        yield next(symmetrize(*matrices, *lengths, method=way, threshold=0).lines())


def print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |")


def _spread(lines: Sequence[str], number: int) -> list[str]:
    """Return this many lines, evenly from the whole."""
    return [lines[k * len(lines) // number] for k in range(min(number, len(lines)))]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    main()

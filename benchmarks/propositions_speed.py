"""How long propositions take: raw text to instances, learning, growth with instances."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from run import table

from treewright.errors import Problems
from treewright.parsing import open_parser
from treewright.propositions import (
    Gathered,
    PropositionLearner,
    read_all,
    read_passages,
    save_model,
)
from treewright.propositions.evidence import Evidence
from treewright.propositions.sentence import Kind
from treewright.randomness import generator

if TYPE_CHECKING:
    from propositions import Data

TEXT = "nba.train.jsonl.gz"


def speed(data: Data) -> None:
    """Raw text to instances on one core, and learning."""
    print("\n## Speed\n")
    with gzip.open(data.folder / TEXT, "rt", encoding="utf-8") as handle:
        text = "\n\n".join(
            json.loads(line)["text"] for line, _ in zip(handle, range(3000), strict=False)
        )
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "text.txt"
        path.write_text(text, encoding="utf-8")
        open_parser().parse([["Warm", "up", "."]])
        start = time.process_time()
        passages = list(read_passages(path, Problems()))
        number = sum(1 for _ in read_all(passages, "embedded", Problems()))
        taken = time.process_time() - start
    rate = 60 * number / taken
    print(f"- raw text to instances: {rate:,.0f} sentences a minute of CPU ({number:,} read)")
    gathered = data.gathered("nba", most=10_000)
    some = Gathered(evidence=gathered.evidence, nouns=gathered.nouns, times=gathered.times)
    some.articles, some.labelled, some.contexts = (
        gathered.articles,
        gathered.labelled,
        gathered.contexts,
    )
    total = 0
    for key, count in gathered.instances.items():
        some.instances[key] = count
        total += count
        if total >= 50_000:
            break
    start = time.process_time()
    model = PropositionLearner().fit(some).model_
    taken = time.process_time() - start
    what = "learning from 50,000 instances, with the evidence of 10,000 sentences"
    print(f"- {what}: {taken:.1f} s of CPU")
    with tempfile.TemporaryDirectory() as name:
        start = time.process_time()
        save_model(model, Path(name) / "m")
        print(f"- writing the model: {time.process_time() - start:.1f} s, {size(Path(name) / 'm')}")


def size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


def growth(data: Data) -> None:
    """Learning from synthetic instances; each size is a process of its own."""
    print("\n## Growth\n")
    print(
        "Synthetic instances, nearly all distinct, of 5,000 names in 200 classes and 2,000 verbs.\n"
    )
    rows = []
    for number in (10_000, 100_000, 1_000_000):
        command = [
            sys.executable,
            str(Path(__file__).with_name("propositions.py")),
            "--synthetic",
            str(number),
        ]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        rows.append([f"{number:,}", f"{float(told[0]):.1f} s", f"{float(told[1]):,.0f} MB"])
    table(["instances", "CPU", "peak memory"], rows)


def synthetic(number: int) -> None:
    draw = generator(7)
    gathered = Gathered()
    names = [f"First{place}_Last{place}" for place in range(5000)]
    for place, name in enumerate(names[:4000]):
        for other in range(3):
            noun = f"class{(place * (other + 1)) % 200}"
            gathered.evidence.append(Evidence(name, noun, "", "modifier"))
        gathered.times[name] += 1
    kinds = (Kind.NAME, Kind.VERB, Kind.NOUN, Kind.PREPOSITION, Kind.NAME)
    first, verb, noun, last = (
        draw.integers(size, size=number) for size in (5000, 2000, 3000, 5000)
    )
    for row in zip(first.tolist(), verb.tolist(), noun.tolist(), last.tolist(), strict=True):
        words = (names[row[0]], f"verb{row[1]}", f"noun{row[2]}", "to", names[row[3]])
        gathered.instances["NVNPN", words, kinds] += 1
    start = time.process_time()
    PropositionLearner().fit(gathered)
    taken = time.process_time() - start
    print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)

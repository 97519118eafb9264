"""Large grammars: a million rules in a model file, loaded, indexed and matched."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from run import header

from treewright.alignment import align_pairs
from treewright.corpora import Pair, read_pairs
from treewright.errors import Problems
from treewright.grammar import Extraction, FlatUnseen, Grammar, PackedRules, Rule, TargetString
from treewright.pruning import Model
from treewright.transduction import Transducer
from treewright.trees import Tree

CORPORA = ("google.train.jsonl", "written.train.jsonl", "broadcast.train.jsonl")
FEATURES = 14


def real_pairs(folder: Path) -> Iterator[Pair]:
    for name in CORPORA:
        pairs = read_pairs(folder / "compression" / name, problems=Problems())
        yield from align_pairs(pairs, Problems())


def many_rules(folder: Path, number: int) -> dict[Rule, float]:
    """Real rules, cut from pairs, and those again with strings for targets, until there are enough.

    A rule's strings differ by a word, as those of a translation system's rules do.
    """
    extraction = Extraction(parts=2, variables=6, depth=6, min_count=1)
    rules: dict[Rule, float] = dict(extraction(real_pairs(folder), problems=Problems()))
    real = list(rules)
    for version in range(number):
        for rule in real:
            if len(rules) >= number:
                return rules
            if isinstance(rule.target, Tree):
                leaves = [node.word for node in rule.target.nodes() if not node.children]
                items = (f"v{version}", *leaves)
                rules[Rule(rule.source, TargetString(items), rule.links)] = 1.0
    return rules


def build(folder: Path, number: int, path: Path) -> None:
    rules = many_rules(folder, number)
    counts = np.array(list(rules.values()))
    start = time.perf_counter()
    packed = PackedRules.pack(rules)
    seconds = time.perf_counter() - start
    features = np.random.default_rng(0).normal(size=(len(packed), FEATURES)).astype(np.float32)
    names = tuple(f"f{i}" for i in range(FEATURES))
    grammar = Grammar(packed, np.zeros(len(packed)), counts, features, names)
    Model(grammar.normalised(counts)).save(path)
    print(f"| rules packed per second | {len(packed) / seconds:,.0f} |")
    print(f"| model file | {path.stat().st_size / 1e6:.0f} MB |", flush=True)


def measure(folder: Path, path: Path) -> None:
    """Load, index and match in a process that does nothing else; print rows of a table."""
    before = peak()
    start = time.perf_counter()
    grammar = Model.load(path).grammar
    loaded = time.perf_counter()
    index = grammar.index
    indexed = time.perf_counter()
    weighted = grammar.weighted(dict.fromkeys(grammar.feature_names, 0.1))
    pairs = list(read_pairs(folder / "compression" / "broadcast.dev.jsonl", problems=Problems()))
    sources = [pair.source for pair in pairs]
    transducer = Transducer(weighted, FlatUnseen({}, {}, other=(-9.0, -9.0)))
    edges = 0
    transducer.forest(sources[0])
    begin = time.perf_counter()
    for source in sources:
        edges += transducer.forest(source).forest.num_edges
    seconds = time.perf_counter() - begin
    states = len(index.trie.fragment_ptr) - 1
    print(f"| rules | {len(grammar):,} |")
    print(f"| features per rule | {len(grammar.feature_names)} |")
    print(f"| states of the trie | {states:,} |")
    print(f"| seconds to load and check | {loaded - start:.1f} |")
    print(f"| seconds to index | {indexed - loaded:.1f} |")
    print(f"| memory of the process, at its peak | {peak():.0f} MB |")
    print(f"| of that before the model was loaded | {before:.0f} MB |")
    print(f"| dev trees matched per second | {len(sources) / seconds:,.0f} |")
    print(f"| edges per forest | {edges / len(sources):,.0f} |")


def peak() -> float:
    """Return the peak memory of this process in MB; `getrusage` would count its parent's too."""
    status = Path("/proc/self/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rules", type=int, default=1_000_000)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure is not None:
        measure(arguments.data, arguments.measure)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.model"
        header("Large grammars", "benchmarks/grammar.py > docs/benchmarks/grammar.md")
        print(
            "Rules are cut from real pairs, general and conjoined ones; until there are enough, "
            "they come again with strings for targets. A process of its own loads, indexes and "
            "matches; its kernels are compiled already.\n"
        )
        print("| measured | result |\n|---|---|", flush=True)
        command = [sys.executable, __file__, "--data", str(arguments.data), "--measure", str(path)]
        build(arguments.data, arguments.rules, path)
        # The first process compiles and keeps the kernels; the second is measured.
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()

"""Measure the embedded parser on the treebanks' dev parts: quality, speed, start, memory.

taskset -c 0 python benchmarks/parser.py > docs/benchmarks/parser.md
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from run import ROOT, best, header, peak_memory, table

from treewright.parsing.embedded import EmbeddedParser
from treewright.parsing.embedded.parser import SHIPPED
from treewright.parsing.scoring import BracketScores, score_brackets
from treewright.parsing.treebanks import read_treebank
from treewright.text import join_words, tokenize
from treewright.trees import Tree

BANKS = {"wsj": "wsj-sample.dev.mrg", "gum": "gum.dev.mrg"}
WANTED = {"wsj": "≥ 90.5, aim 91", "gum": "≥ 87.5, aim 88"}
ONE_LINE = "The quick brown fox jumps over the lazy dog .\n"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    chosen = arguments.parse_args()
    header("The embedded parser", "benchmarks/parser.py > docs/benchmarks/parser.md")
    print("Run under `taskset -c 0`, that is, on one core.\n")
    dev = {
        name: list(read_treebank(chosen.data / "treebank" / file)) for name, file in BANKS.items()
    }
    quality(dev)
    speed(dev)
    starts()
    print(f"Peak memory of all the above: {peak_memory():.0f} MB (required: < 500).")


def quality(dev: dict[str, list[Tree]]) -> None:
    print(
        f"## Quality\n\nModel file: {SHIPPED.stat().st_size / 1e6:.1f} MB. Gold tokens,"
        " predicted tags.\n"
    )
    rows = []
    parsers = {style: EmbeddedParser.load(treebank=style) for style in (None, "wsj", "gum")}
    for name, trees in dev.items():
        sentences = [tree.words() for tree in trees]
        for style, parser in parsers.items():
            scores = score_brackets(trees, parser.parse(sentences))
            wanted = WANTED[name] if style is None else ""
            rows.append(
                [f"{name} dev", style or f"{parser.treebank} (own)", *_cells(scores), wanted]
            )
    columns = ["treebank", "style", "F1", "P", "R", "exact", "tags", "crossing", "wanted F1"]
    table(columns, rows)
    table(["treebank", "mistake", "missing", "extra"], _mistakes(dev, parsers[None]))


def _cells(scores: BracketScores) -> list[str]:
    shares = (scores.f1, scores.precision, scores.recall, scores.exact, scores.token_tag_accuracy)
    return [*(f"{100 * share:.2f}" for share in shares), f"{scores.crossing:.2f}"]


def _mistakes(dev: dict[str, list[Tree]], parser: EmbeddedParser) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = []
    for name, trees in dev.items():
        scores = score_brackets(trees, parser.parse([tree.words() for tree in trees]))
        rows += [[name, kind, *counts] for kind, counts in scores.errors().items()]
    return rows


def speed(dev: dict[str, list[Tree]]) -> None:
    print(
        "## Speed\n\nOne core, batches of 128 sentences; words of both dev parts, cut to length.\n"
    )
    words = [word for trees in dev.values() for tree in trees for word in tree.words()]
    parser = EmbeddedParser.load()
    rows = []
    for length in (5, 10, 20, 40, 60, 80, 120):
        count = max(128, 12_800 // length)
        text = (words * 3)[: length * count]
        sentences = [text[i : i + length] for i in range(0, len(text), length)]
        batches = [sentences[i : i + 128] for i in range(0, len(sentences), 128)]
        seconds = best(lambda batches=batches: [parser.parse(batch) for batch in batches], runs=3)
        alone = sentences[:32]
        single = best(lambda alone=alone: [parser.parse([one]) for one in alone], runs=3)
        rows.append(
            [
                length,
                f"{len(sentences) / seconds:.0f}",
                f"{len(text) / seconds:.0f}",
                f"{1000 * single / len(alone):.1f} ms",
                "≥ 400" if length == 20 else "",
            ]
        )
    table(["words", "sentences/s", "words/s", "one alone", "wanted"], rows)
    texts = [join_words(tree.words()) for tree in dev["wsj"]]
    seconds = best(lambda: [tokenize(text) for text in texts], runs=3)
    print(f"Tokenising: {len(texts) / seconds:.0f} sentences/s.\n")


def starts() -> None:
    print("## Start\n\n`treewright parse --tokenized`, one sentence, from a cold shell.\n")
    with tempfile.TemporaryDirectory() as cache:
        first = _run(cache)
        later = min(_run(cache) for _ in range(5))
    rows = [
        ["very first run, no compiled kernels", f"{first:.1f} s", "≤ 20 s"],
        ["later runs, kernels cached", f"{later:.2f} s", "≤ 1.5 s"],
    ]
    table(["run", "measured", "wanted"], rows)


def _run(cache: str) -> float:
    command = [sys.executable, "-m", "treewright", "parse", "--tokenized"]
    started = time.perf_counter()
    subprocess.run(
        command,
        input=ONE_LINE,
        text=True,
        check=True,
        capture_output=True,
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
    )
    return time.perf_counter() - started


if __name__ == "__main__":
    main()

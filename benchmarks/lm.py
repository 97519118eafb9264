"""Language models: perplexity, time and memory, beside KenLM where it is installed.

    python benchmarks/lm.py [--lmplz PROGRAM] > docs/benchmarks/lm.md

`lmplz` estimates KenLM's models; the Python package `kenlm` (extra `peers`) reads and scores them.
Each estimate is a process of its own, started and ended; its kernels are compiled already.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from run import ROOT, header, table

from treewright.corpora import read_tokens
from treewright.lm import LanguageModel, open_lm

TREEWRIGHT = (sys.executable, "-m", "treewright")
TEXTS = {
    "zh-en/train.en": ["zh-en/dev.news.en", "zh-en/dev.captions.en", "zh-en/dev.everyday.en"],
    "multi30k/train.de": ["multi30k/dev.de"],
    "multi30k/train.en": ["multi30k/dev.en"],
    "multi30k/train.fr": ["multi30k/dev.fr"],
}
ORDERS = (3, 5)
RUNS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--lmplz", default=shutil.which("lmplz"))
    chosen = parser.parse_args()
    data = chosen.data / "translation"
    if not data.is_dir():
        parser.error(f"no real data at {data}; give its folder with --data")
    header("Language models", "benchmarks/lm.py > docs/benchmarks/lm.md")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for text in [text for train, dev in TEXTS.items() for text in (train, *dev)]:
            low = folder / text.replace("/", ".")
            low.write_text((data / text).read_text(encoding="utf-8").lower(), encoding="utf-8")
        perplexities(folder, chosen.lmplz)
        estimation(folder, chosen.lmplz)
        pruning(folder, chosen.lmplz)
        scoring(folder)


def measured(command: Sequence[str | Path], **streams: object) -> tuple[float, float]:
    """Run a program; return its CPU seconds and its peak memory in MB."""
    process = subprocess.Popen(
        [str(part) for part in command], stderr=subprocess.DEVNULL, **streams
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def train(text: Path, order: int, model: Path, *more: str) -> tuple[float, float]:
    command = [*TREEWRIGHT, "lm", "train", text, "--order", str(order), "--model", model, *more]
    return measured(command)


def lmplz(program: str, text: Path, order: int, arpa: Path, *more: str) -> tuple[float, float]:
    command = [program, "-o", str(order), "-S", "1G", "-T", text.parent, *more]
    with text.open("rb") as given, arpa.open("wb") as written:
        return measured(command, stdin=given, stdout=written)


def perplexity(model: Path, text: Path) -> dict[str, float]:
    command = [*TREEWRIGHT, "lm", "perplexity", str(model), str(text), "--json"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(told.stdout))


def perplexities(folder: Path, program: str | None) -> None:
    print("## Perplexity of the dev sets\n")
    print(
        "Lower-cased text, with unknown words; in brackets without them. KenLM's are those of the "
        "model that `lmplz` estimates from the same text.\n"
    )
    rows = []
    for trained, texts in TEXTS.items():
        found: dict[str, list[str]] = {text: [] for text in texts}
        for order in ORDERS:
            path = folder / trained.replace("/", ".")
            made = {"ours": folder / f"{order}.lm"}
            train(path, order, made["ours"])
            if program:
                made["kenlm"] = folder / f"{order}.arpa"
                lmplz(program, path, order, made["kenlm"])
            for text, cells in found.items():
                for model in made.values():
                    figures = perplexity(model, folder / text.replace("/", "."))
                    with_all, known = figures["perplexity"], figures["perplexity_without_oov"]
                    cells.append(f"{with_all:.2f} ({known:.2f})")
        for text, cells in found.items():
            figures = perplexity(folder / "3.lm", folder / text.replace("/", "."))
            share = f"{100 * figures['oov'] / (figures['tokens'] - figures['sentences']):.1f} %"
            rows.append([f"`{text}`", share, *cells])
    systems = ["ours", "KenLM"] if program else ["ours"]
    columns = [f"{order}-gram, {system}" for order in ORDERS for system in systems]
    table(["text", "unknown", *columns], rows)


def estimation(folder: Path, program: str | None) -> None:
    whole = (folder / "zh-en.train.en").read_text(encoding="utf-8").splitlines(keepends=True)
    part = folder / "part"
    rows = []
    for share in (8, 4, 2, 1):
        part.write_text("".join(whole[::share]), encoding="utf-8")
        words = sum(map(len, read_tokens(part)))
        for order in ORDERS:
            model = folder / "part.lm"
            runs = [train(part, order, model) for _ in range(RUNS)]
            theirs = (
                [lmplz(program, part, order, folder / "part.arpa") for _ in range(RUNS)]
                if program
                else []
            )
            rows.append([f"{words:,}", order, *_costs(model, runs, theirs)])
    print("## Estimation\n")
    print(f"Of parts of `zh-en/train.en`; the best of {RUNS} runs each. {_PEER}\n")
    table(["words", "order", *_COLUMNS], rows)


_PEER = (
    "`lmplz` writes an ARPA file, ours a model file; its memory is what it is told to use, so only "
    "the time is compared."
)
_COLUMNS = ["n-grams", "model file", "memory", "CPU s", "KenLM", "ratio"]


def _costs(
    model: Path, runs: list[tuple[float, float]], theirs: list[tuple[float, float]]
) -> list[object]:
    own = min(seconds for seconds, _ in runs)
    peer = min((seconds for seconds, _ in theirs), default=None)
    return [
        f"{len(LanguageModel.load(model)):,}",
        f"{model.stat().st_size / 2**20:.0f} MB",
        f"{max(memory for _, memory in runs):.0f} MB",
        f"{own:.2f}",
        "" if peer is None else f"{peer:.2f}",
        "" if peer is None else f"{own / peer:.1f}",
    ]


def pruning(folder: Path, program: str | None) -> None:
    text, dev = folder / "zh-en.train.en", folder / "zh-en.dev.captions.en"
    rows = []
    for cutoffs in ("0", "0 0 1", "0 1", "0 1 2"):
        model, arpa = folder / "pruned.lm", folder / "pruned.arpa"
        runs = [train(text, 5, model, "--prune", cutoffs)]
        theirs = [lmplz(program, text, 5, arpa, "--prune", *cutoffs.split())] if program else []
        peer = f"{perplexity(arpa, dev)['perplexity']:.2f}" if program else ""
        found = f"{perplexity(model, dev)['perplexity']:.2f}"
        rows.append([f"`--prune '{cutoffs}'`", *_costs(model, runs, theirs), found, peer])
    for share in ("3e-8", "1e-7", "3e-7", "1e-6"):
        runs = [train(text, 5, model, "--prune-entropy", share)]
        found = f"{perplexity(model, dev)['perplexity']:.2f}"
        rows.append([f"`--prune-entropy {share}`", *_costs(model, runs, []), found, ""])
    print("## Pruning\n\n5-grams of `zh-en/train.en`; perplexity of `dev.captions.en`.\n")
    table(["", *_COLUMNS, "perplexity", "KenLM"], rows)


def scoring(folder: Path) -> None:
    model, arpa = folder / "whole.lm", folder / "whole.arpa"
    train(folder / "zh-en.train.en", 5, model, "--arpa", str(arpa))
    sentences = list(read_tokens(folder / "zh-en.train.en"))[::4]
    tokens = sum(len(words) + 1 for words in sentences)
    rows = []
    for what, path in (("model file", model), ("ARPA file", arpa)):
        start = time.process_time()
        opened = open_lm(path)
        rows.append([f"ours: load the {what}", f"{time.process_time() - start:.2f} s"])
    encoded = opened.encode(sentences)
    opened.score_all(encoded)
    start = time.process_time()
    opened.score_all(encoded)
    speed = tokens / (time.process_time() - start)
    rows.append(["ours: score numbered text in one call", f"{speed / 1e6:.2f} M tokens/s"])
    start = time.process_time()
    opened.perplexity(sentences)
    speed = tokens / (time.process_time() - start)
    rows.append(["ours: the same from strings", f"{speed / 1e6:.2f} M tokens/s"])
    if importlib.util.find_spec("kenlm"):
        rows += kenlm_scoring(arpa, [" ".join(words) for words in sentences], tokens)
    print("## Scoring\n\nThe 5-gram model of `zh-en/train.en`; CPU seconds.\n")
    table(["what", "measured"], rows)


def kenlm_scoring(arpa: Path, lines: list[str], tokens: int) -> list[list[str]]:
    import kenlm

    start = time.process_time()
    model = kenlm.Model(str(arpa))
    loading = time.process_time() - start
    start = time.process_time()
    for line in lines:
        model.score(line)
    speed = tokens / (time.process_time() - start)
    return [
        ["KenLM's Python module: load the ARPA file", f"{loading:.2f} s"],
        ["KenLM's Python module: score sentence by sentence", f"{speed / 1e6:.2f} M tokens/s"],
    ]


if __name__ == "__main__":
    main()

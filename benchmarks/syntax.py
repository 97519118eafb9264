"""Translation with rules: BLEU with and without span alignment, search, speed, memory.

    python benchmarks/syntax.py --work DIR [--only NAME] > docs/benchmarks/syntax.md

Every result is kept in DIR, so that a run can be interrupted, or made in parts with `--only`. The
odd lines of the dev sets are tuned on, the even ones are only translated. Times are CPU seconds,
with kernels compiled already.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from run import ROOT, header, peak_memory, table

from treewright.data import parallel_path
from treewright.forest import viterbi
from treewright.parsing import open_parser
from treewright.translation import RuleDecoder, RuleModel, RuleSearch, scan_tree_lines
from treewright.trees import Tree

TREEWRIGHT = (sys.executable, "-m", "treewright")
PARSERS = {"en": "embedded", "zh": "chinese"}
CORPORA = {
    "en-de": ("multi30k/train", {"captions": "multi30k/dev"}),
    "zh-en": (
        "zh-en/train",
        {
            "news": "zh-en/dev.news",
            "captions": "zh-en/dev.captions",
            "everyday": "zh-en/dev.everyday",
        },
    ),
}
CORPORA["en-zh"] = CORPORA["zh-en"]
ALIGNERS = {
    "bayes": (),
    "hmm": ("--method", "hmm", "--symmetrize", "grow-diag-final-and"),
}
SIZES: dict[str, tuple[str, ...]] = {
    "minimal": ("--parts", "1"),
    "composed": (),
    "phrases": ("--phrases", "5"),
    "large": (
        *("--parts", "4", "--size", "30", "--depth", "8", "--variables", "6"),
        *("--phrases", "5", "--unaligned", "every", "--places", "4"),
    ),
}
SEEDS = (0, 1, 2)
ROUNDS = 5
NARROW = (1, 2, 5, 10)
BEAMS = (5, 10, 20, 50, 100, 200, 500)
LENGTHS = (5, 10, 15, 20, 25, 30, 40)


@dataclass(frozen=True)
class System:
    """A pair of languages, the kind of rules, and the aligner that span alignment starts from."""

    pair: str
    kind: str
    aligner: str
    seeds: tuple[int, ...] = SEEDS

    @property
    def name(self) -> str:
        return f"{self.pair} {self.kind} {self.aligner}"


SYSTEMS = (
    System("en-de", "t2s", "bayes"),
    System("en-de", "t2s", "hmm"),
    System("zh-en", "t2s", "bayes"),
    System("zh-en", "t2s", "hmm"),
    System("zh-en", "t2t", "bayes"),
    System("en-zh", "t2s", "bayes"),
)


@dataclass(frozen=True)
class Desk:
    """Where the data is, and what has been made of it."""

    data: Path
    work: Path

    def made(self, name: str, make: Callable[[Path], None]) -> Path:
        path = self.work / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            make(path)
        return path

    def result(self, name: str, measure: Callable[[], Any]) -> Any:
        """Return what was measured, now or earlier."""
        path = self.made(
            f"results/{name.replace(' ', '_')}.json",
            lambda path: path.write_text(json.dumps(measure())),
        )
        return json.loads(path.read_text())

    def text(self, stem: str, language: str) -> Path:
        return self.data / f"{stem}.{language}"

    def trees(self, stem: str, language: str) -> Path:
        source = self.text(stem, language)
        command = ("parse", "--tokenized", "--parser", PARSERS[language], source)
        return self.made(f"{stem}.{language}.trees", lambda path: run(*command, "-o", path))

    def links(self, pair: str, aligner: str, *, refined: bool) -> Path:
        stem, languages = CORPORA[pair][0], pair.split("-")
        lower = [self.made(f"{stem}.lower.{name}", self._lower(stem, name)) for name in languages]
        plain = self.made(
            f"{pair}.{aligner}.align",
            lambda path: run("align", *lower, *ALIGNERS[aligner], "-o", path),
        )
        if not refined:
            return plain
        return self.made(
            f"{pair}.{aligner}.tsa.align",
            lambda path: run("align", "refine", *lower, plain, "-o", path),
        )

    def _lower(self, stem: str, language: str) -> Callable[[Path], object]:
        text = self.text(stem, language).read_text(encoding="utf-8").lower()
        return lambda path: path.write_text(text, encoding="utf-8")

    def half(self, pair: str, domain: str, language: str, first: int) -> Path:
        """Every second line of a dev set, or of all (`*`)."""
        devs = CORPORA[pair][1]
        chosen = devs.values() if domain == "*" else [devs[domain]]

        def write(path: Path) -> None:
            texts = [self.text(stem, language).read_text(encoding="utf-8") for stem in chosen]
            lines = [line for text in texts for line in text.splitlines()[first::2]]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")

        name = f"{pair}.{'all' if domain == '*' else domain}.{'odd' if first == 0 else 'even'}"
        return self.made(f"{name}.{language}", write)

    def model(self, system: System, *, refined: bool, seed: int) -> Path:
        source, target = system.pair.split("-")
        stem = CORPORA[system.pair][0]
        name = f"{system.name.replace(' ', '.')}{'.tsa' if refined else ''}"
        command = [
            *("train", "ghkm", self.text(stem, source), self.text(stem, target)),
            *("--kind", system.kind, "--iterations", str(ROUNDS), "--seed", str(seed)),
            *("--dev", *[self.half(system.pair, "*", name, 0) for name in (source, target)]),
            *("--trees", self.trees(stem, source), "--parser", PARSERS[source], "--jobs", "1"),
            *("--alignment", self.links(system.pair, system.aligner, refined=refined)),
            *("--work", self.work / f"{name}.parts"),
        ]
        if system.kind == "t2t":
            command += ["--target-trees", self.trees(stem, target)]
        return self.made(f"{name}.{seed}.model", lambda path: run(*command, "--model", path))


def run(*command: object, output: Path | None = None) -> float:
    """Run treewright; return its CPU seconds."""
    stdout = subprocess.DEVNULL if output is None else output.open("wb")
    process = subprocess.Popen([*TREEWRIGHT, *map(str, command)], stdout=stdout)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed")
    return used.ru_utime + used.ru_stime


def evaluated(output: Path, reference: Path, *more: object) -> dict[str, Any]:
    told = subprocess.run(
        [
            *(*TREEWRIGHT, "evaluate", "translation", output, reference),
            *("--lowercase", "--json", *map(str, more)),
        ],
        capture_output=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def translation(desk: Desk, system: System) -> dict[str, Any]:
    """Train with and without span alignment, for all seeds; score what was not tuned on."""
    found: dict[str, Any] = {}
    source, target = system.pair.split("-")
    for refined in (False, True):
        rows = []
        for seed in system.seeds:
            model = desk.model(system, refined=refined, seed=seed)
            loaded = RuleModel.load(model)
            row: dict[str, Any] = {"rules": len(loaded.grammar), "dev": loaded.metadata["bleu"]}
            for domain in CORPORA[system.pair][1]:
                output = model.with_suffix(f".{domain}")
                seconds = run(
                    "translate", model, desk.half(system.pair, domain, source, 1), output=output
                )
                reference = desk.half(system.pair, domain, target, 1)
                row[domain] = evaluated(output, reference)["bleu"]
                row[f"{domain} seconds"] = seconds
                if refined:
                    base = desk.model(system, refined=False, seed=seed).with_suffix(f".{domain}")
                    against = evaluated(output, reference, "--against", base)
                    row[f"{domain} p"] = against["comparisons"]["bleu"]["p_value"]
            rows.append(row)
        found["tsa" if refined else "plain"] = rows
    return found


def whole(desk: Desk) -> dict[str, float]:
    """English to German as the peer was measured: tuned on the whole dev set, and scored on it."""
    stem, devs = CORPORA["en-de"]
    dev = [desk.text(devs["captions"], language) for language in ("en", "de")]
    model, output = desk.work / "whole.model", desk.work / "whole.out"
    training = run(
        *("train", "ghkm", desk.text(stem, "en"), desk.text(stem, "de"), "--dev", *dev),
        *("--trees", desk.trees(stem, "en"), "--jobs", "1", "--model", model),
        *("--alignment", desk.links("en-de", "bayes", refined=False)),
    )
    seconds = run("translate", model, dev[0], output=output)
    found = evaluated(output, dev[1])
    words = found["words"]
    return {
        "bleu": found["bleu"],
        "ratio": words["output"] / words["reference"],
        "rules": len(RuleModel.load(model).grammar),
        "empty": sum(not line.strip() for line in output.read_text("utf-8").splitlines()),
        "training": training,
        "translating": seconds,
    }


def prepared(desk: Desk, pair: str, most: int) -> tuple[RuleModel, list[Tree]]:
    """A tuned model, and the trees of sentences that it was not tuned on."""
    system = next(each for each in SYSTEMS if each.pair == pair)
    model = RuleModel.load(desk.model(system, refined=False, seed=0))
    source = pair.split("-")[0]
    trees = desk.made(
        f"{pair}.even.trees",
        lambda path: run(
            *("parse", "--tokenized", "--parser", PARSERS[source]),
            *(desk.half(pair, "*", source, 1), "-o", path),
        ),
    )
    read = (tree for _, tree in scan_tree_lines(trees) if isinstance(tree, Tree))
    return model, [model.prepare(tree) for tree in islice(read, most)]


def search(desk: Desk) -> list[list[Any]]:
    """Model scores and speed by beam; exact search where it is affordable."""
    model, trees = prepared(desk, "en-de", 300)
    rows = []
    for beam in BEAMS:
        decoder = RuleDecoder(model.grammar, model.lm, RuleSearch(beam=beam))
        decoder.decode(trees[0], model.weights)
        begin, scores, sizes = time.process_time(), [], []
        for tree in trees:
            graph = decoder.decode(tree, model.weights).graph
            best = viterbi(graph.forest, graph.scores(model.weights))
            assert best is not None
            scores.append(best[0])
            sizes.append(graph.forest.num_edges)
        seconds = time.process_time() - begin
        rows.append([beam, scores, mean(sizes), len(trees) / seconds])
    return rows


def exact(desk: Desk) -> list[list[float]]:
    """Scores of exact search and of each beam, with rules of the package's sample."""
    train, dev = (
        [parallel_path(part, language) for language in ("en", "de")] for part in ("train", "dev")
    )
    path = desk.made(
        "sample.model",
        lambda path: run("train", "ghkm", *train, "--dev", *dev, "--model", path),
    )
    model = RuleModel.load(path)
    sentences = [line.split() for line in Path(dev[0]).read_text(encoding="utf-8").splitlines()]
    trees = [model.prepare(tree) for tree in open_parser(model.parser).parse(sentences)]
    rows = []
    for beam in (0, *NARROW):
        decoder = RuleDecoder(model.grammar, model.lm, RuleSearch(beam=beam))
        scores = []
        for tree in trees:
            graph = decoder.decode(tree, model.weights).graph
            best = viterbi(graph.forest, graph.scores(model.weights))
            assert best is not None
            scores.append(best[0])
        rows.append([beam, *scores])
    return rows


def speed(desk: Desk) -> list[list[float]]:
    """Sentences a CPU second by length, at the default beam."""
    rows = []
    for pair in ("en-de", "zh-en"):
        model, trees = prepared(desk, pair, 10_000)
        decoder = RuleDecoder(model.grammar, model.lm, model.search)
        decoder.decode(trees[0], model.weights)
        for length in LENGTHS:
            near = [tree for tree in trees if abs(len(tree.words()) - length) <= 1][:60]
            if not near:
                continue
            begin, edges = time.process_time(), 0
            for tree in near:
                edges += decoder.decode(tree, model.weights).forest.forest.num_edges
            seconds = time.process_time() - begin
            words = mean(len(tree.words()) for tree in near)
            rows.append([pair, words, len(near), edges / len(near), len(near) / seconds])
    return rows


def size(desk: Desk) -> list[dict[str, Any]]:
    """Memory and speed by the number of rules, English to Chinese; the last leaves nothing out."""
    stem = CORPORA["zh-en"][0]
    rows = []
    for name, settings in SIZES.items():
        grammar = desk.made(
            f"{name}.rules",
            lambda path, settings=settings: run(
                *("rules", "extract", desk.trees(stem, "en"), desk.text(stem, "zh")),
                *(desk.links("en-zh", "bayes", refined=False), "--model", path, *settings),
            ),
        )
        told = subprocess.run(
            [sys.executable, __file__, "--measure", grammar, "--work", desk.work],
            capture_output=True,
            check=True,
            text=True,
        )
        rows.append({"name": name, **json.loads(told.stdout)})
    return rows


def measure(grammar: Path, desk: Desk) -> None:
    """Decode with the rules of a file, in a process of its own."""
    from treewright.translation import load_rules

    model, trees = prepared(desk, "en-zh", 200)
    lm, search, weights = model.lm, model.search, model.weights
    del model
    begin = time.process_time()
    rules, _ = load_rules(grammar)
    decoder = RuleDecoder(rules, lm, search)
    decoder.decode(trees[0], weights)
    loaded = time.process_time() - begin
    begin = time.process_time()
    for tree in trees:
        decoder.decode(tree, weights)
    seconds = time.process_time() - begin
    found = {"rules": len(rules), "loading": loaded, "peak": peak_memory()}
    print(json.dumps({**found, "rate": len(trees) / seconds}))


def print_whole(found: dict[str, float]) -> None:
    print("\n## English to German, tree to string\n")
    print(
        "Tuned on the dev set and scored on it, as the peer was: the toolkit that the paper used, "
        "measured elsewhere on the same data and kind of machine (eflomal's links, one run of "
        "MERT).\n"
    )
    peer = ["the peer", "35.2", "", "121 K", "12 % of the sentences", "", "105"]
    own = [
        "ours",
        f"{found['bleu']:.1f}",
        f"{found['ratio']:.2f}",
        f"{found['rules'] / 1000:,.0f} K",
        f"{found['empty']:.0f}",
        f"{found['training']:.0f}",
        f"{1014 / found['translating']:.0f}, parsing and start included",
    ]
    columns = ["", "BLEU", "length", "rules", "without a translation", "training, CPU s"]
    table([*columns, "sentences a CPU s"], [own, peer])


def print_translation(results: dict[str, dict[str, Any]]) -> None:
    print("\n## With and without span alignment (the paper's table 5)\n")
    print(
        "BLEU, lower-cased, means over the seeds of tuning, on the lines that were tuned on (all "
        "sets together) and on the others. In brackets the p-value of each seed, by paired "
        "bootstrap.\n"
    )
    domains = ("captions", "everyday", "news")
    rows = []
    for name, found in results.items():
        for links in ("plain", "tsa"):
            runs = found[links]
            cells = [name if links == "plain" else "+ TSA", f"{runs[0]['rules']:,}"]
            cells.append(f"{mean(row['dev'] for row in runs):.2f}")
            rows.append(cells + [_cell(runs, domain) for domain in domains])
    table(["languages, rules, aligner", "rules", "tuned on", *domains], rows)


def _cell(runs: Sequence[dict[str, Any]], domain: str) -> str:
    if domain not in runs[0]:
        return ""
    shown = f"{mean(row[domain] for row in runs):.2f}"
    if f"{domain} p" in runs[0]:
        values = [f"{row[f'{domain} p']:.2f}" for row in runs]
        shown += f" ({', '.join(values)})"
    return shown


def print_search(rows: list[list[Any]], exact_rows: list[list[float]]) -> None:
    print("\n## Search\n")
    print(
        "300 English sentences, 13 words on average. `behind` is how much lower the model scores "
        "the translation than the best that any beam found; `worse` in how many sentences. A node "
        "looks at twice as many combinations as the beam keeps states.\n"
    )
    best = np.max([row[1] for row in rows], axis=0)
    lines = []
    for beam, scores, edges, rate in rows:
        lost = best - np.array(scores)
        cells = [f"{lost.mean():.4f}", f"{(lost > 1e-6).mean():.1%}"]
        lines.append([f"{beam}", *cells, f"{edges:,.0f}", f"{rate:.0f}"])
    table(["beam", "behind", "worse", "edges found", "sentences a CPU s"], lines)
    number = len(exact_rows[0]) - 1
    print(
        f"\nAgainst exact search, {number} sentences of the package's sample, 7 words on average:\n"
    )
    wanted = np.array(exact_rows[0][1:])
    lines = []
    for beam, *scores in exact_rows[1:]:
        lost = wanted - np.array(scores)
        lines.append([f"{beam:.0f}", f"{lost.mean():.4f}", f"{(lost > 1e-6).mean():.1%}"])
    table(["beam", "behind", "worse"], lines)


def print_speed(rows: list[list[Any]]) -> None:
    print("\n## Growth with length\n")
    print("At the default beam; trees are given.\n")
    table(
        ["languages", "words", "sentences", "edges before the language model", "sentences a CPU s"],
        [
            [pair, f"{words:.1f}", f"{number}", f"{edges:,.0f}", f"{rate:.0f}"]
            for pair, words, number, edges, rate in rows
        ],
    )


def print_size(rows: list[dict[str, Any]]) -> None:
    print("\n## Growth with the number of rules\n")
    print(
        "English to Chinese, 200 sentences, 13 words on average; trees are given. Peak memory is "
        "that of the process, language model and all. `large` has up to four parts in a rule, and "
        "unlinked words go to every place.\n"
    )
    table(
        ["", "rules", "loading and indexing, CPU s", "peak, MB", "sentences a CPU s"],
        [
            [
                row["name"],
                f"{row['rules']:,}",
                f"{row['loading']:.1f}",
                f"{row['peak']:,.0f}",
                f"{row['rate']:.0f}",
            ]
            for row in rows
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--only", help="a system, such as 'en-de t2s bayes', or another part")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    data = chosen.data / "translation"
    if not data.is_dir():
        parser.error(f"no real data at {data}; give its folder with --data")
    desk = Desk(data, chosen.work)
    if chosen.measure:
        measure(chosen.measure, desk)
        return
    parts: dict[str, Callable[[], Any]] = {
        system.name: lambda system=system: translation(desk, system) for system in SYSTEMS
    }
    parts |= {
        "whole": lambda: whole(desk),
        "search": lambda: search(desk),
        "exact": lambda: exact(desk),
        "speed": lambda: speed(desk),
        "size": lambda: size(desk),
    }
    if chosen.only:
        if chosen.only not in parts:
            parser.error(f"--only takes one of {', '.join(parts)}")
        desk.result(chosen.only, parts[chosen.only])
        return
    found = {name: desk.result(name, part) for name, part in parts.items()}
    header("Translation with rules", "benchmarks/syntax.py --work DIR > docs/benchmarks/syntax.md")
    print_whole(found["whole"])
    print_translation({system.name: found[system.name] for system in SYSTEMS})
    print_search(found["search"], found["exact"])
    print_speed(found["speed"])
    print_size(found["size"])


if __name__ == "__main__":
    main()

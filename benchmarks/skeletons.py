"""Skeletons: the systems of the paper's table 1, with BLEU and TER, by language and length.

    python benchmarks/skeletons.py --work DIR [--only NAME] > docs/benchmarks/skeletons.md

Every result is kept in DIR, so that a run can be interrupted, or made in parts with `--only`. The
odd lines of the dev sets are tuned on, the even ones are only translated. Skeletons of Chinese are
found by a model that `recipes/chinese_skeletons.sh` makes; `--chinese` names it. Times are CPU
seconds, with kernels compiled already.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from run import ROOT, header, table
from syntax import CORPORA, Desk, evaluated, run

from treewright.corpora import read_tokens
from treewright.translation import (
    VARIANTS,
    PhraseModel,
    Translator,
    read_skeleton_lists,
    read_skeletons,
)

CORPORA["en-fr"] = CORPORA["en-de"]
FINDERS = {"en": ("--model", "news"), "zh": ("--parser", "chinese")}
RATES = {"en": 0.65, "zh": 0.68}
SEEDS = (0, 1, 2)
ROUNDS = 5
BASELINE = "baseline"
NAMES = {
    BASELINE: "baseline",
    "full": "skeletons",
    "no-lm": "− lm′",
    "no-phrases": "− m′",
    "space": "s-space",
    "feature": "s-feat.",
    "soft": "skeletons, soft",
    "mert": "skeletons, MERT",
    "full@0.5": "skeletons, rate 0.5",
    "full@0.8": "skeletons, rate 0.8",
    "soft@0.8": "skeletons, soft, rate 0.8",
}
LENGTHS = ((1, 10), (11, 15), (16, 25), (26, 500))
COMPARED = (BASELINE, "full", "soft")
PAIRS = ("en-de", "zh-en", "en-fr")


@dataclass(frozen=True)
class System:
    pair: str
    variant: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.pair}.{self.variant}.{self.seed}"

    @property
    def rate(self) -> float:
        """How much of a sentence skeletons keep at most."""
        _, _, given = self.variant.partition("@")
        return float(given) if given else RATES[self.pair.split("-")[0]]

    @property
    def use(self) -> str:
        return "full" if self.variant == "mert" else self.variant.partition("@")[0]


@dataclass(frozen=True)
class SkeletonDesk(Desk):
    """Where models with skeletons are made."""

    chinese: Path | None = None

    def found(self, text: Path, language: str, rate: float, *more: object) -> Path:
        """The skeletons of a text."""
        command = ["skeleton", text, *FINDERS[language], "--rate", rate, "--format", "positions"]
        if language == "zh":
            command += ["--model", self.chinese]
        at = "" if rate == RATES[language] else f"@{rate}"
        name = "".join(map(str, (text.parent.name, ".", text.name, at, *more, ".skeletons")))
        return self.made(name, lambda path: run(*command, *more, "-o", path))

    def parts(self, pair: str) -> Path:
        """Word links, phrase table and language model, which all systems share."""
        self.trained(System(pair, BASELINE, 0))
        return self.work / f"{pair}.parts"

    def trained(self, system: System) -> Path:
        source, target = system.pair.split("-")
        stem = CORPORA[system.pair][0]
        dev = [self.half(system.pair, "*", name, 0) for name in (source, target)]
        text = [self.text(stem, name) for name in (source, target)]
        folder = self.work / f"{system.pair}.parts"
        command: list[object] = [
            *("train", "phrase", *text, "--dev", *dev, "--seed", system.seed),
            *("--iterations", ROUNDS, "--jobs", "1"),
        ]
        first = system == System(system.pair, BASELINE, 0)
        if not first:
            folder, parts = self.work / f"{system.name}.parts", self.parts(system.pair)
            command += ["--links", parts / "links.align", "--table", parts / "phrases.model"]
        if system.variant != BASELINE:
            command += ["--skeleton", system.use, "--skeletons"]
            command += [self.found(each, source, system.rate) for each in (text[0], dev[0])]
        if system.variant == "mert":
            command += ["--tuning", "mert"]
        return self.made(
            f"{system.name}.model", lambda path: run(*command, "--work", folder, "--model", path)
        )

    def translated(self, system: System, domain: str) -> Path:
        source = system.pair.split("-")[0]
        text = self.half(system.pair, domain, source, 1)
        command: list[object] = ["translate", self.trained(system), text]
        if system.variant != BASELINE:
            command += ["--skeletons", self.found(text, source, system.rate)]
        name = f"{system.name}.{domain}"
        return self.made(name, lambda path: run(*command, output=path) and None)


def scored(desk: SkeletonDesk, system: System) -> dict[str, Any]:
    """Score a system on what it was not tuned on, against the baseline of the same seed."""
    target = system.pair.split("-")[1]
    found: dict[str, Any] = {"dev": PhraseModel.load(desk.trained(system)).metadata["bleu"]}
    for domain in CORPORA[system.pair][1]:
        reference = desk.half(system.pair, domain, target, 1)
        more: list[object] = []
        if system.variant != BASELINE:
            base = System(system.pair, BASELINE, system.seed)
            more = ["--against", desk.translated(base, domain)]
        told = evaluated(desk.translated(system, domain), reference, *more)
        found[domain] = {"bleu": told["bleu"], "ter": told["ter"]}
        if more:
            found[domain]["p"] = {
                name: told["comparisons"][name]["p_value"] for name in ("bleu", "ter")
            }
    return found


def lengths(desk: SkeletonDesk, pair: str) -> list[list[Any]]:
    """Score systems on sentences by length, all domains and seeds together."""
    source, target = pair.split("-")
    seeds = [
        seed
        for seed in SEEDS
        if all(kept(desk, System(pair, name, seed)).exists() for name in COMPARED)
    ]
    rows = []
    for least, most in LENGTHS:
        row: list[Any] = []
        for name in COMPARED:
            chosen: list[tuple[str, str]] = []
            for seed in seeds:
                for domain in CORPORA[pair][1]:
                    outputs = desk.translated(System(pair, name, seed), domain)
                    texts = [
                        path.read_text(encoding="utf-8").splitlines()
                        for path in (
                            desk.half(pair, domain, source, 1),
                            outputs,
                            desk.half(pair, domain, target, 1),
                        )
                    ]
                    chosen += [
                        (output, reference)
                        for words, output, reference in zip(*texts, strict=True)
                        if least <= len(words.split()) <= most
                    ]
            paths = [desk.work / f"lengths.{side}" for side in ("out", "ref")]
            for side, path in enumerate(paths):
                path.write_text("".join(f"{each[side]}\n" for each in chosen), encoding="utf-8")
            told = evaluated(*paths)
            row += [told["bleu"], told["ter"]]
        rows.append([least, most, len(chosen) // len(seeds), *row])
    return rows


def speed(desk: SkeletonDesk) -> list[list[Any]]:
    """Sentences a CPU second with the same search, skeletons given, one after the other."""
    text = desk.half("en-de", "captions", "en", 1)
    sentences = list(read_tokens(text))
    rate = RATES["en"]
    skeletons = read_skeletons(desk.found(text, "en", rate), sentences)
    several = read_skeleton_lists(desk.found(text, "en", rate, "--nbest", 4), sentences)
    rows = []
    for variant in (BASELINE, *VARIANTS):
        model = PhraseModel.load(desk.trained(System("en-de", variant, 0)))
        translator = Translator(model)
        for name, lists in (("", [[each] for each in skeletons]), (", 4 skeletons", several)):
            if variant != "full" and name:
                continue
            given = [[] for _ in lists] if variant == BASELINE else lists
            translator(sentences[0], skeletons=given[0])
            best = None
            for _ in range(3):
                begin = time.process_time()
                for words, kept in zip(sentences, given, strict=True):
                    translator(words, skeletons=kept)
                taken = time.process_time() - begin
                best = taken if best is None else min(best, taken)
            rows.append([NAMES[variant] + name, len(sentences) / best])
    return rows


def several(desk: SkeletonDesk, pair: str, variant: str) -> list[list[Any]]:
    """BLEU with the best of several skeletons, as the model chooses."""
    source, target = pair.split("-")
    rows = []
    for count in (1, 2, 4, 8):
        row: list[Any] = [count]
        for domain in CORPORA[pair][1]:
            text = desk.half(pair, domain, source, 1)
            model = desk.trained(System(pair, variant, 0))
            found = desk.found(text, source, RATES[source], "--nbest", count)
            output = desk.made(
                f"{pair}.{variant}.nbest{count}.{domain}",
                lambda path, model=model, text=text, found=found: (
                    run("translate", model, text, "--skeletons", found, output=path) and None
                ),
            )
            told = evaluated(output, desk.half(pair, domain, target, 1))
            row += [told["bleu"], told["ter"]]
        rows.append(row)
    return rows


def print_table(desk: SkeletonDesk, pairs: Sequence[str]) -> None:
    print("\n## The paper's table 1\n")
    print(
        "BLEU and TER, lower-cased, on lines that were not tuned on: mean and standard deviation "
        "over the seeds of tuning. In brackets the p-value of each seed against the baseline of "
        "the same seed, by paired bootstrap. `tuned on` is BLEU on the lines that were.\n"
    )
    rows = []
    for pair in pairs:
        for variant, name in NAMES.items():
            runs = [
                json.loads(path.read_text())
                for seed in SEEDS
                if (path := kept(desk, System(pair, variant, seed))).exists()
            ]
            if not runs:
                continue
            for domain in CORPORA[pair][1]:
                rows.append(
                    [
                        f"{pair} {domain}",
                        name,
                        len(runs),
                        f"{mean(each['dev'] for each in runs):.2f}",
                        *(
                            _cell([each[domain] for each in runs], score)
                            for score in ("bleu", "ter")
                        ),
                    ]
                )
    rows.sort(key=lambda row: row[0])
    table(["", "system", "seeds", "tuned on", "BLEU", "TER"], rows)


def _cell(runs: Sequence[dict[str, Any]], score: str) -> str:
    values = [each[score] for each in runs]
    shown = f"{mean(values):.2f}"
    if len(values) > 1:
        shown += f" ± {stdev(values):.2f}"
    if "p" in runs[0]:
        chances = [f"{each['p'][score]:.2f}" for each in runs]
        shown += f" ({', '.join(chances)})"
    return shown


def kept(desk: SkeletonDesk, system: System) -> Path:
    return desk.work / "results" / f"{system.name}.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--chinese", type=Path, help="the model that finds Chinese skeletons")
    parser.add_argument("--pairs", nargs="+", default=PAIRS, choices=PAIRS)
    parser.add_argument("--variants", nargs="+", default=list(NAMES), choices=list(NAMES))
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS)
    parser.add_argument("--only", choices=("train", "print"))
    chosen = parser.parse_args()
    if not chosen.data.is_dir():
        parser.error(f"no real data at {chosen.data}; give its folder with --data")
    if "zh-en" in chosen.pairs and chosen.chinese is None:
        parser.error("--chinese: name the model that finds Chinese skeletons")
    desk = SkeletonDesk(chosen.data / "translation", chosen.work, chosen.chinese)
    if chosen.only != "print":
        for seed in chosen.seeds:
            for pair in chosen.pairs:
                for variant in chosen.variants:
                    system = System(pair, variant, seed)
                    desk.result(system.name, lambda system=system: scored(desk, system))
    if chosen.only == "train":
        return
    header("Skeletons", "benchmarks/skeletons.py --work DIR > docs/benchmarks/skeletons.md")
    print_table(desk, chosen.pairs)
    print("\n## By length of the source\n")
    print("All sets and seeds of a pair of languages together.\n")
    columns = ["", "words", "sentences"]
    columns += [f"{NAMES[name]}, {score}" for name in COMPARED for score in ("BLEU", "TER")]
    rows = [
        [pair, f"{row[0]}–{row[1]}", row[2], *(f"{value:.2f}" for value in row[3:])]
        for pair in chosen.pairs
        for row in desk.result(f"lengths.{pair}", lambda pair=pair: lengths(desk, pair))
    ]
    table(columns, rows)
    print("\n## Several skeletons\n")
    rows = [
        [NAMES[variant], row[0], *(f"{value:.2f}" for value in row[1:])]
        for variant in ("full", "soft")
        for row in desk.result(
            f"several.{variant}", lambda variant=variant: several(desk, "en-de", variant)
        )
    ]
    print("English to German, seed 0; the model chooses.\n")
    table(["", "up to", "BLEU", "TER"], rows)
    print("\n## Speed\n")
    rates = desk.result("speed", lambda: speed(desk))
    table(
        ["", "sentences a CPU s", "time, baseline = 1"],
        [[name, f"{rate:.0f}", f"{rates[0][1] / rate:.2f}"] for name, rate in rates],
    )


if __name__ == "__main__":
    main()

"""What each part of the network behind `compress` is worth: docs/benchmarks/neural.md.

    python benchmarks/neural.py --work DIR [--encoder FOLDER] [--only NAME …]

DIR has google-large.train.jsonl (recipes/google_large.py) and keeps the figures of each row, so
that rows may be measured one by one. All settings but those of the row are those of the recipes. A
row takes from ten minutes to two hours of one core.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from compress_quality import CORPORA, Dev, aligned, decode, score
from linear import say
from run import ROOT, header, table

from treewright.compression import Recipe
from treewright.corpora import Pair
from treewright.learning.neural import NeuralCRF, NeuralData, Teacher, ask, styled_pairs
from treewright.parsing import Parser, open_parser

LARGE = "google-large.train"
SECOND = {
    "news": (("broadcast.train", "written.train"), ("broadcast.train#1", "written.train")),
    "headline": (("google.train",), ("google.train",)),
}
"""What the second stage of each model learns from, and the styles of the model; without editors, so
that rows can be compared with those of before.
"""


@dataclass(frozen=True)
class Row:
    """One way to train: how many of the large corpus's pairs, and what differs from the recipe."""

    name: str
    large: int
    settings: dict[str, Any]
    taught: bool = False


ROWS = [
    Row("without google-large", 0, {}),
    Row("20,000 of its pairs", 20_000, {}),
    Row("20,000, without scores of neighbours", 20_000, {"seam": 0}),
    Row("20,000, with a teacher", 20_000, {}, taught=True),
    Row("60,000 of its pairs", 60_000, {}),
    Row("all 181,155 pairs", 181_155, {}),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, help="the teacher's transformer")
    parser.add_argument("--only", action="append", help="measure this row; repeat")
    chosen = parser.parse_args()
    wanted = [row for row in ROWS if not chosen.only or row.name in chosen.only]
    wanted = [row for row in wanted if not result(chosen.work, row).is_file()]
    if wanted:
        measure(wanted, chosen.data / "compression", chosen.work, chosen.encoder)
    header("The network behind the compressor", "benchmarks/neural.py --work DIR")
    lines = []
    for row in ROWS:
        if result(chosen.work, row).is_file():
            found = json.loads(result(chosen.work, row).read_text(encoding="utf-8"))
            lines.append([row.name, *found["scores"].values(), f"{found['minutes']:.0f}"])
    table(["", *CORPORA, "CPU minutes"], lines)


def result(work: Path, row: Row) -> Path:
    return work / f"{row.name}.json"


def measure(rows: list[Row], data: Path, work: Path, encoder: Path | None) -> None:
    parser = open_parser()
    devs = {
        name: Dev.of(aligned(data / f"{name}.dev.jsonl", target, None), parser)
        for name, target in CORPORA.items()
    }
    prepared = prepare(data, work, parser, max(row.large for row in rows))
    for row in rows:
        began = time.process_time()
        models = train(row, limited(prepared, row.large), encoder)
        minutes = (time.process_time() - began) / 60
        scores = {}
        for name, dev in devs.items():
            model = models["headline" if name == "google" else "news"]
            [_, kept] = decode(model, dev, [dev.gold_rate])
            scores[name] = str(score(dev, kept))
        say(f"{row.name}: {scores}")
        found = {"scores": scores, "minutes": minutes}
        result(work, row).write_text(json.dumps(found), encoding="utf-8")


def prepare(data: Path, work: Path, parser: Parser, large: int) -> NeuralData:
    def read() -> Iterator[tuple[Pair, str]]:
        for corpus in CORPORA:
            path = data / f"{corpus}.train.jsonl"
            yield from styled_pairs(path, f"{corpus}.train", parser=parser)
        if large:
            pairs = styled_pairs(work / f"{LARGE}.jsonl", LARGE, parser=parser)
            for number, pair in enumerate(pairs, start=1):
                yield pair
                if number == large:
                    return

    return NeuralCRF().prepare_styled(read())


def limited(data: NeuralData, large: int) -> NeuralData:
    """Return the data with the first examples of the large corpus."""
    if LARGE not in data.styles:
        return data
    style = data.styles.index(LARGE)
    first = [e for e in data.examples if e.style == style][:large]
    return replace(data, examples=[e for e in data.examples if e.style != style] + first)


def train(row: Row, data: NeuralData, encoder: Path | None) -> dict[str, Any]:
    """Return both models: a first stage for both, and a second for each."""
    recipes = {name: Recipe.load(name) for name in ("news", "headline")}
    first = {**recipes["news"].stages[0].settings, **row.settings}
    if row.taught:
        if encoder is None:
            raise SystemExit("a teacher needs --encoder")
        teacher = Teacher().fit(encoder, data)
        data = replace(data, examples=ask(teacher, data.examples))
    network = NeuralCRF(**first).fit_prepared(data).network_
    models = {}
    for name, recipe in recipes.items():
        corpora, styles = SECOND[name]
        own = [s for s in data.styles if s.partition("#")[0] in corpora]
        learner = NeuralCRF(**{**recipe.stages[1].settings, **row.settings})
        learner.fit_prepared(data.only(own), start=copy.deepcopy(network), styles=styles)
        models[name] = learner.model_
    return models


if __name__ == "__main__":
    main()

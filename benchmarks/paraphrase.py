"""Paraphrases: precision and coverage of each method, entailments, substitutes, speed.

    python benchmarks/paraphrase.py MODELS > docs/benchmarks/paraphrase.md

MODELS is a folder with the models `pd-paper`, `pd-best`, `br-best`, `pivot` and `combined`
(`.model`), harvested as docs/paraphrase.md says.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
from pathlib import Path
from typing import Any

from run import ROOT, header, table

from treewright.evaluation.paraphrases import (
    average_precision,
    precision_of_best,
    read_gold,
    read_phrases,
    score_paraphrases,
    substitution_scores,
)
from treewright.paraphrase import Comparison, open_model, paraphrases, phrase_of
from treewright.paraphrase.reading import Read
from treewright.parsing import open_parser, tag_each

DATA = ROOT.parent / "shared" / "data" / "paraphrase"
DEPTHS = (1, 5, 10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path)
    folder = parser.parse_args().models
    names = ("pd-paper", "pd-best", "br-best", "pivot", "combined")
    models: dict[str, Any] = {name: open_model(folder / f"{name}.model") for name in names}
    models["br exact"] = dataclasses.replace(models["br-best"], index=None)
    header("Paraphrases", "benchmarks/paraphrase.py MODELS > docs/benchmarks/paraphrase.md")
    for without in ((), ("ppdb",)):
        print(f"## Dev phrases{' without PPDB in the gold' if without else ''}\n")
        table(*precision(models, without))
    print("## Other sets\n")
    table(("set", "measured", "wanted"), others(models["pd-best"], models["pivot"]))


def precision(models: dict[str, Any], without: tuple[str, ...]) -> tuple[Any, Any]:
    judge = read_gold(DATA / "gold.dev.json", DATA / "verb-forms.tsv", without)
    phrases = read_phrases(DATA / "phrases.dev.jsonl")
    rows = []
    for name, model in models.items():
        for redundancy in (model.redundancy, *({"other"} - {model.redundancy})):
            start = time.process_time()
            found = {
                phrase.lower(): [
                    item.text for item in paraphrases(model, phrase, redundancy=redundancy)
                ]
                for phrase in phrases
            }
            milliseconds = 1000 * (time.process_time() - start) / len(phrases)
            scores = score_paraphrases(found, phrases, judge)
            figures = [
                "/".join(f"{scores.precision(measure, k):.3f}"[1:] for k in DEPTHS)
                for measure in ("lenient", "strict", "lenient_nr", "strict_nr")
            ]
            rows.append(
                (name, redundancy, f"{scores.coverage:.3f}", f"{scores.redundancy:.2f}", *figures,
                 f"{milliseconds:.0f}")
            )  # fmt: skip
    columns = ("model", "wanted", "coverage", "redundant", "lenient", "strict", "lenient nr")
    return (*columns, "strict nr", "CPU ms a phrase"), rows


def others(model: Any, pivots: Any) -> list[tuple[str, str, str]]:
    parser = open_parser()
    rows = [json.loads(line) for line in (DATA / "levy-holt.dev.jsonl").open()]
    sides = [
        read_relations([row[side] for row in rows], parser) for side in ("premise", "hypothesis")
    ]
    compare = Comparison(model, pivots)
    pairs = [
        (compare.entailment(one, other, swapped=is_swapped(row)), row["entails"])
        for one, other, row in zip(*sides, rows, strict=True)
    ]
    verbs = [
        row for row in map(json.loads, (DATA / "coinco.dev.jsonl").open()) if row["tag"] == "V"
    ]
    sentences = [row["text"].split() for row in verbs]
    reads = [Read(*pair, None) for pair in zip(sentences, tag_each(parser, sentences), strict=True)]
    gold = {row["id"]: row["substitutes"] for row in verbs}
    found = [("Levy/Holt, average precision", f"{average_precision(pairs):.3f}", "≥ .36")]
    found.append(("Levy/Holt, precision of the best tenth", f"{precision_of_best(pairs):.3f}", ""))
    for name, known in (("text alone", Comparison(model)), ("text and translations", compare)):
        given = {
            row["id"]: known.substitutes(read, row["at"] - 1, row["lemma"])
            for row, read in zip(verbs, reads, strict=True)
        }
        oot, best = substitution_scores(given, gold)
        found.append((f"CoInCo verbs, oot, {name}", f"{oot:.3f}", "≥ .25"))
        found.append((f"CoInCo verbs, best, {name}", f"{best:.3f}", ""))
    return found


def is_swapped(row: dict[str, Any]) -> bool:
    return bool(row["premise"][0].lower() != row["hypothesis"][0].lower())


def read_relations(items: list[list[str]], parser: Any) -> list[Any]:
    """Tag relations between their arguments."""
    parts = [[part.split() for part in item] for item in items]
    tags = tag_each(parser, [[*x, *p, *y] for x, p, y in parts])
    return [
        phrase_of(p, found[len(x) : len(x) + len(p)])
        for (x, p, _), found in zip(parts, tags, strict=True)
    ]


if __name__ == "__main__":
    main()

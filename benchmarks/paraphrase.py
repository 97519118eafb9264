"""Paraphrases: precision and coverage of each method, entailments, substitutes, growth, speed.

    python benchmarks/paraphrase.py WORK > docs/benchmarks/paraphrase.md

WORK is a folder with the models `pd-paper`, `pd-best`, `br-best`, `pivot` and `pivot-typed`
(`models/NAME.model`, harvested as docs/paraphrase.md says), variants of `pd` to compare
(`variants/NAME.model`), the language model `lm3.model`, and the text with tags, `tagged/NAME.txt`.
Each harvest that is timed is a process of its own. What was measured is kept in `results/` and not
measured again.
"""

from __future__ import annotations

import argparse
import dataclasses
import fileinput
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from run import ROOT, header, table

from treewright.evaluation import paraphrases as scoring
from treewright.lm import open_lm
from treewright.paraphrase import (
    CombinedModel,
    InContext,
    PhraseComparison,
    Place,
    open_model,
    paraphrases,
    phrase_of,
)
from treewright.paraphrase.contexts import Sentence
from treewright.paraphrase.harvesting import spans
from treewright.paraphrase.reading import Read
from treewright.paraphrase.settings import HarvestSettings
from treewright.parsing import open_parser, tag_each
from treewright.text import lemma

DATA = ROOT.parent / "shared" / "data" / "paraphrase"
DEPTHS = (1, 5, 10)
MEASURES = ("lenient", "strict", "lenient_nr", "strict_nr")
SMALL = "embedded=500MB"
RUNS = [
    *(("pd", "best", "embedded", size) for size in (1, 2, 5, 11)),
    ("pd", "best", SMALL, 11),
    ("pd", "paper", "embedded", 11),
    ("pd", "paper", "embedded=1500MB", 11),
    ("br", "best", "embedded", 11),
]
PAPER = {
    "pd-paper": ("PD", ".48/.42/.36", ".25/.22/.19", ".26/.22/.20", ".19/.16/.15"),
    "br-best": ("BR", ".83/.65/.52", ".16/.17/.15", ".05/.10/.11", ".04/.05/.05"),
    "pivot": ("BCB-S", ".63/.45/.34", ".22/.17/.13", ".24/.25/.20", ".17/.14/.10"),
}
"""Tables 2 and 3 of Metzler, Hovy and Zhang (2011)."""
Figures = tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    work = parser.parse_args().work
    names = ("pd-paper", "pd-best", "br-best", "pivot", "pivot-typed")
    models: dict[str, Any] = {name: open_model(work / f"models/{name}.model") for name in names}
    models["br exact"] = dataclasses.replace(models["br-best"], index=None)
    parts = [models[name] for name in ("pd-best", "pivot", "br-best")]
    models["pd + pivot"] = CombinedModel.of(parts[:2])
    models["pd + pivot + br"] = CombinedModel.of(parts)
    models["the same by ranks"] = CombinedModel.of(parts, by="ranks")
    header("Paraphrases", "benchmarks/paraphrase.py WORK > docs/benchmarks/paraphrase.md")
    print("The machine did other work at the same time: compare CPU seconds.\n")
    print("What is kept of earlier runs was measured at different loads.\n")
    quality(models, work)
    print("## Other sets\n")
    found = kept(work, "others", lambda: others(models["pd-best"], models["pivot"]))
    table(("set", "measured", "wanted"), found)
    print("## In context: the verbs of CoInCo that are in phrases, with a language model\n")
    lm = work / "lm3.model"
    found = kept(work, "in context", lambda: in_context(models["pd-best"], open_lm(str(lm))))
    table(("weight of the language model", "oot", "best"), found)
    print("## Harvesting text with tags, two processes\n")
    table(
        ("what", "engine", "million words", "seconds", "CPU seconds", "peak MB of all processes"),
        harvests(work),
    )


def kept(work: Path, name: str, measure: Callable[[], Any]) -> Any:
    """Return what was measured under a name, now or in an earlier run."""
    path = work / "results" / f"{name}.json"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(measure()))
    return json.loads(path.read_text())


def quality(models: dict[str, Any], work: Path) -> None:
    """Print precision: of all models, without PPDB, with antonyms, and of variants."""
    names = ("coverage", "redundant", "lenient", "strict", "lenient nr", "strict nr")
    found = [
        (name, redundancy, *found_by(work, name, model, redundancy=redundancy))
        for name, model in models.items()
        for redundancy in (model.redundancy, *({"other"} - {model.redundancy}))
    ]
    for without in ((), ("ppdb",)):
        print(f"## Dev phrases{' without PPDB in the gold' if without else ''}\n")
        rows = [
            (name, redundancy, *precision(output, without), f"{milliseconds:.1f}")
            for name, redundancy, output, milliseconds in found
        ]
        table(("model", "wanted", *names, "CPU ms a phrase"), rows)
    print("## Tables 2 and 3 of the paper, judged by people, and the same here\n")
    for name, redundancy, output, _ in found:
        if name in PAPER and redundancy == "any":
            method, *theirs = PAPER[name]
            table((method, *names[2:]), [("there", *theirs), ("here", *precision(output)[2:])])
    print("## Antonyms kept\n")
    rows = [
        (name, *precision(found_by(work, name, models[name], keep_antonyms=True)[0]))
        for name in ("pd-best", "br-best", "pivot", "pd + pivot + br")
    ]
    table(("model", *names), rows)
    print("## Variants of `pd`, 1.7 million words with trees\n")
    paths = sorted(work.glob("variants/*.model"))
    table(
        ("contexts", *names),
        [(path.stem, *precision(found_by(work, path.stem, open_model(path))[0])) for path in paths],
    )


def found_by(work: Path, name: str, model: Any, **options: Any) -> tuple[Any, float]:
    """Return what a model finds for the dev phrases, and CPU milliseconds for each of them."""
    full = " ".join([name, *(f"{option} {value}" for option, value in options.items())])
    found, milliseconds = kept(work, full, lambda: looked_up(model, options))
    return found, milliseconds


def looked_up(model: Any, options: dict[str, Any]) -> tuple[dict[str, list[str]], float]:
    phrases = scoring.read_phrases(DATA / "phrases.dev.jsonl")
    paraphrases(model, phrases[0], **options)
    start = time.process_time()
    found = {
        phrase.lower(): [item.text for item in paraphrases(model, phrase, **options)]
        for phrase in phrases
    }
    return found, 1000 * (time.process_time() - start) / len(phrases)


def precision(found: dict[str, list[str]], without: tuple[str, ...] = ()) -> Figures:
    judge = scoring.read_gold(DATA / "gold.dev.json", DATA / "verb-forms.tsv", without)
    phrases = scoring.read_phrases(DATA / "phrases.dev.jsonl")
    scores = scoring.score_paraphrases(found, phrases, judge)
    figures = [
        "/".join(f"{scores.precision(measure, k):.3f}"[1:] for k in DEPTHS) for measure in MEASURES
    ]
    return (f"{scores.coverage:.3f}", f"{scores.redundancy:.2f}", *figures)


def others(model: Any, pivots: Any) -> list[Figures]:
    parser = open_parser()
    rows = [json.loads(line) for line in (DATA / "levy-holt.dev.jsonl").open()]
    sides = [
        read_relations([row[side] for row in rows], parser) for side in ("premise", "hypothesis")
    ]
    compare = PhraseComparison(model, pivots)
    pairs = [
        (compare.entailment(one, other, swapped=is_swapped(row)), row["entails"])
        for one, other, row in zip(*sides, rows, strict=True)
    ]
    best = scoring.precision_of_best(pairs)
    found = [("Levy/Holt, average precision", f"{scoring.average_precision(pairs):.3f}", "≥ .36")]
    found.append(("Levy/Holt, precision of the best tenth", f"{best:.3f}", ""))
    verbs, reads = read_verbs()
    for name, known in (
        ("text alone", PhraseComparison(model)),
        ("text and translations", compare),
    ):
        given = {
            row["id"]: known.substitutes(read, row["at"] - 1, row["lemma"])
            for row, read in zip(verbs, reads, strict=True)
        }
        oot, first = scoring.substitution_scores(given, gold_of(verbs))
        found.append((f"CoInCo verbs, oot, {name}", f"{oot:.3f}", "≥ .25"))
        found.append((f"CoInCo verbs, best, {name}", f"{first:.3f}", ""))
    return found


def in_context(model: Any, lm: Any) -> list[Figures]:
    """Rank the paraphrases of verbs in their sentences with more and more of a language model."""
    verbs, reads = read_verbs()
    places = [place_of(read, row["at"] - 1) for row, read in zip(verbs, reads, strict=True)]
    chosen = [
        (row, read.words, place)
        for row, read, place in zip(verbs, reads, places, strict=True)
        if place is not None and model.read(place.text) is not None
    ]
    found = []
    for weight in (0.0, 0.25, 0.5, 1.0):
        ranker = InContext(model, lm if weight else None, weight=weight, redundancy="each")
        given = {
            row["id"]: [verb_of(model, item.text) for item in ranker.paraphrases(words, place)]
            for row, words, place in chosen
        }
        oot, first = scoring.substitution_scores(given, gold_of([row for row, _, _ in chosen]))
        found.append((f"{weight} ({len(chosen)} verbs)", f"{oot:.3f}", f"{first:.3f}"))
    return found


def place_of(read: Read, main: int) -> Place | None:
    """The phrase whose main verb is at a place."""
    for start, end in spans(Sentence.of(read), HarvestSettings()):
        phrase = phrase_of(read.words[start:end], read.tags[start:end])
        if start + phrase.main == main:
            return Place(phrase.text, start, end)
    return None


def verb_of(model: Any, text: str) -> str:
    phrase = model.read(text)
    return str(phrase.verb if phrase is not None else lemma(text.split()[0], "VB"))


def read_verbs() -> tuple[list[Any], list[Read]]:
    rows = map(json.loads, (DATA / "coinco.dev.jsonl").open())
    verbs = [row for row in rows if row["tag"] == "V"]
    sentences = [row["text"].split() for row in verbs]
    tags = tag_each(open_parser(), sentences)
    return verbs, [Read(*pair, None) for pair in zip(sentences, tags, strict=True)]


def gold_of(rows: Sequence[Any]) -> dict[str, Any]:
    return {row["id"]: row["substitutes"] for row in rows}


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


def harvests(work: Path) -> Iterator[Figures]:
    for method, named, engine, size in RUNS:
        command = [
            *(sys.executable, "-m", "treewright", "paraphrase", "harvest", method),
            *(str(work / f"tagged-{size}.txt"), "--as", named, "--engine", engine),
            *("--model", str(work / f"timed-{size}.model")),
        ]
        name = f"{method} {named} {engine} {size}"
        seconds, cpu, memory = kept(work, name, partial(timed, work, size, command))
        what = f"{method} --as {named}" if named != "best" else method
        yield (f"`{what}`", f"`{engine}`", str(size), f"{seconds:.0f}", f"{cpu:.0f}", f"{memory}")


def timed(work: Path, size: int, command: Sequence[str]) -> tuple[float, float, int]:
    text_of(work, size)
    return measured(command)


def text_of(work: Path, millions: int) -> Path:
    """So many words of the tagged text, as many as there are."""
    path = work / f"tagged-{millions}.txt"
    if not path.exists():
        left = millions * 10**6
        with (
            path.open("w") as out,
            fileinput.input(sorted((work / "tagged").glob("*.txt"))) as lines,
        ):
            for line in lines:
                if left <= 0:
                    break
                left -= line.count(" ") + 1
                out.write(line)
    return path


def measured(command: Sequence[str]) -> tuple[float, float, int]:
    """Run a command; return seconds, CPU seconds, and the most memory of all its processes."""
    start, before = time.perf_counter(), spent()
    peak = 0
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(memory_of, family(process.pid))))
            time.sleep(0.25)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return time.perf_counter() - start, spent() - before, peak >> 10


def spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def family(process: int) -> list[int]:
    """A process and all below it."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(below for child in children for below in family(int(child)))]


def memory_of(process: int) -> int:
    """The kilobytes of a process, those it shares in part."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


if __name__ == "__main__":
    main()

"""Propositions: facts, roles, sensible tuples, the paper's measures, enrichment, speed, growth.

    python benchmarks/propositions.py [--trees FOLDER] > docs/benchmarks/propositions.md

Text is parsed by the embedded parser. `--trees` names a folder with parses made before
(`nba.dev.trees` and so on), which changes no figure but saves time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from propositions_speed import growth, speed, synthetic
from run import ROOT, header, table

from treewright.errors import Problems
from treewright.lm import LanguageModel, train_lm
from treewright.propositions import (
    PAPER_SHAPES,
    SHAPES,
    WAYS,
    Enricher,
    Found,
    Gathered,
    Instance,
    Passage,
    PropositionLearner,
    PropositionModel,
    paper,
    perplexity,
    rank_roles,
    read_all,
    read_passages,
    read_role_items,
    read_tuple_items,
    spread,
)
from treewright.propositions.classes import ClassSettings
from treewright.propositions.evidence import PAPER_WAYS
from treewright.propositions.sentence import Kind
from treewright.randomness import generator

DOMAINS = {
    "nba": "nba.train.jsonl.gz",
    "nfl": "nfl.train.jsonl",
    "bbcsport": "bbcsport.train.jsonl",
}
SCORES = ("facts P", "R", "F1", "typing", "seen", "unseen", "reversed", "replaced")
SENTENCES = 4_000
"""Sentences of a domain that the paper's measures and enrichment learn from."""
Rows = list[tuple[Passage, Found]]


class Data:
    """The text of the domains, each part read once."""

    def __init__(self, folder: Path, trees: Path | None) -> None:
        self.folder, self.trees = folder, trees
        self._parts: dict[tuple[str, int | None], Rows] = {}

    def parser(self, name: str) -> str:
        return "embedded" if self.trees is None else f"file={self.trees / name}.trees"

    def rows(self, name: str, most: int | None = None) -> Rows:
        if (name, most) not in self._parts:
            domain, part = name.split(".")
            file = DOMAINS[domain] if part == "train" else f"{name}.jsonl"
            passages = islice(read_passages(self.folder / file, Problems()), most)
            self._parts[name, most] = list(read_all(passages, self.parser(name), Problems()))
        return self._parts[name, most]

    def gathered(
        self, *names: str, shapes: Sequence[str] = SHAPES, most: int | None = None
    ) -> Gathered:
        found = Gathered()
        for name in names:
            for passage, one in self.rows(f"{name}.train", most):
                found.add(passage.id, passage.text, restricted(one, shapes))
        return found


def restricted(found: Found, shapes: Sequence[str]) -> Found:
    kept = tuple(one for one in found.instances if one.shape in shapes)
    return Found(kept, found.evidence, found.nouns, found.mentions, found.examples)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    options.add_argument("--trees", type=Path)
    options.add_argument("--only", nargs="*", choices=SECTIONS)
    chosen = options.parse_args()
    folder = chosen.data / "propositions"
    if not folder.is_dir():
        options.error(f"no real data at {folder}; give its folder with --data")
    header("Propositions", "benchmarks/propositions.py > docs/benchmarks/propositions.md")
    data = Data(folder, chosen.trees)
    for name in chosen.only or SECTIONS:
        SECTIONS[name](data)


def quality(data: Data) -> None:
    """Facts, roles and sensible tuples of the dev part, by the data's own scorer."""
    print("\n## Facts, roles, sensible tuples\n")
    print(
        "One model of all three domains, scored on the dev part by the data's `score.py`. "
        "Facts: pairs of an entity and a number against the records. Roles: the noun deleted "
        "before a name, for names that have one in training and for others. Sensible: a real "
        "tuple against one with subject and object exchanged, or with another word in one "
        "place.\n"
    )
    every = data.gathered(*DOMAINS)
    two = data.gathered(*DOMAINS, shapes=PAPER_SHAPES)
    systems: dict[str, tuple[Callable[[], PropositionLearner], Gathered]] = {
        "our default": (PropositionLearner, every),
        "the paper's recipe": (paper, two),
    }
    rows = []
    for name, (make, gathered) in systems.items():
        model = make().fit(gathered).model_
        rows.append([name, *scores(data, model)])
    table(["model", *SCORES], rows)
    print(
        "\nThe baseline that gives a number to the last entity before it has P .833, R .805, F1 "
        ".819. Typing: does the class tell players from teams? The roles of the paper's "
        "recipe are ranked by the same function."
    )


def sources(data: Data) -> None:
    """What each further source of classes adds."""
    print("\n## Sources of classes\n")
    print("The default with the paper's three sources and role letters, and with others added.\n")
    gathered = data.gathered(*DOMAINS)
    first = (*PAPER_WAYS, "letters")
    chosen = {"the four": first, "all, our default": WAYS}
    chosen |= {f"… and {way}": (*first, way) for way in WAYS if way not in first}
    rows = []
    for name, ways in chosen.items():
        model = PropositionLearner(classes=ClassSettings(ways=ways)).fit(gathered).model_
        found = model.metadata
        rows.append(
            [name, str(found["names with classes"]), str(found["classes"]), *scores(data, model)]
        )
    table(["sources", "names", "classes", *SCORES], rows)


def scores(data: Data, model: PropositionModel) -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "labels", labels(model, data.rows("nba.dev")))
        items = read_role_items(data.folder / "roles.dev.jsonl", Problems())
        ranked = rank_roles(model, items, data.parser("roles.dev"), Problems())
        write(folder / "roles", ({"id": item.id, "classes": found} for item, found in ranked))
        pairs = read_tuple_items(data.folder / "sensible.dev.jsonl", Problems())
        write(
            folder / "pairs",
            (
                {
                    "id": item.id,
                    "a": model.log_sense(item.a, item.a_names),
                    "b": model.log_sense(item.b, item.b_names),
                }
                for item in pairs
            ),
        )
        scorer = [sys.executable, str(data.folder / "score.py"), "--labels", str(folder / "labels")]
        scorer += ["--roles", str(folder / "roles"), "--sensible", str(folder / "pairs")]
        lines = subprocess.run(
            scorer, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    facts = next(line.split() for line in lines if line.startswith("facts"))
    typing = next(line.split() for line in lines if line.startswith("typing all"))
    found = [facts[2], facts[4], facts[6], typing[typing.index("accuracy") + 1]]
    for start in ("roles all", "sensible all"):
        for line in [line.split() for line in lines if line.startswith(start)][:2]:
            found.append(line[line.index("accuracy") + 1])
    return found


def labels(model: PropositionModel, rows: Rows) -> Iterator[dict[str, object]]:
    for passage, found in rows:
        made = []
        for one in restricted(found, model.shapes).instances:
            best = model.propositions(one)[0]
            spans = [[first + 1, last + 1] for first, last in one.at]
            made.append(
                {"instance": best.words, "classes": best.classes, "at": spans, "known": best.known}
            )
        yield {"id": passage.id, "propositions": made}


def write(path: Path, rows: Iterator[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


CHANGES: dict[str, dict[str, object]] = {
    "… with a chain": {"structure": "chain"},
    "… with plain emissions": {"smoothing": 0.0},
    "… without classes from what names do": {"infer": False},
}


def _labelled(model: PropositionModel, one: Instance) -> tuple[str, ...]:
    return model.propositions(one)[0].classes


def measures(data: Data) -> None:
    """Figures 4 to 6 of the paper."""
    print("\n## The paper's measures\n")
    print(
        "A model of each domain (its first 4,000 sentences), two shapes (noun verb noun, "
        "with or without preposition and noun). `train` is the text that was learned from, "
        "as in the paper; `dev` is other text; `unknown` are its propositions with a name "
        "that the text calls nothing. In brackets, the lowest entropy that so many distinct "
        "propositions can have. Perplexity is per token, under our trigram model of the "
        "domain's training text in lower case.\n"
    )
    rows = []
    for domain in ("nfl", "nba"):
        gathered = data.gathered(domain, shapes=PAPER_SHAPES, most=SENTENCES)
        source = data.rows(f"{domain}.train", SENTENCES)
        text = [[word.lower() for word in passage.words] for passage, _ in source]
        judge = train_lm(text, 3)
        plain = paper().fit(gathered).model_
        ours = PropositionLearner(shapes=PAPER_SHAPES).fit(gathered).model_
        others = {
            name: replace(PropositionLearner(shapes=PAPER_SHAPES), **change).fit(gathered).model_
            for name, change in CHANGES.items()
        }
        for part, rows_of in (
            ("train", source),
            ("dev", data.rows(f"{domain}.dev", SENTENCES)),
        ):
            rows += measured(domain, part, rows_of, plain, ours, judge, others)
    titles = ["text", "system", "propositions", "generalisation", "entropy (best)", "perplexity"]
    table(titles, rows)
    print(
        "\nThe paper, on 1.4 million sentences about American football: generalisation .04 "
        "(random), .12 (most frequent class), .25 (model); with unknown names .01, .09, .66. "
        "Entropy 1.00, .99, .89; with unknown names 1.00, .99, .50."
    )


def most_frequent(
    model: PropositionModel, words: Sequence[str], kinds: Sequence[Kind]
) -> tuple[str, ...]:
    """Return the commonest class of each name, whatever it does."""
    lexicon = model.lexicon
    found = []
    for symbol in lexicon.symbols(words, kinds):
        counts = lexicon.counts.get(symbol)
        if counts:
            found.append(max(counts, key=lambda noun: (counts[noun], noun)))
        else:
            # The candidates of unknown names are in the order of frequency.
            candidates = lexicon.candidates.get(symbol)
            found.append(candidates[0][0] if candidates else symbol)
    return tuple(found)


def random_classes(
    model: PropositionModel,
    words: Sequence[str],
    kinds: Sequence[Kind],
    draw: np.random.Generator,
) -> tuple[str, ...]:
    """Return any of the classes that each name may have."""
    lexicon = model.lexicon
    found = []
    for symbol in lexicon.symbols(words, kinds):
        candidates = lexicon.candidates.get(symbol)
        found.append(candidates[int(draw.integers(len(candidates)))][0] if candidates else symbol)
    return tuple(found)


def measured(
    domain: str,
    part: str,
    source: Rows,
    plain: PropositionModel,
    ours: PropositionModel,
    judge: LanguageModel,
    others: dict[str, PropositionModel],
) -> list[list[str]]:
    draw = generator(1)
    systems: dict[str, tuple[PropositionModel, Callable[..., tuple[str, ...]]]] = {
        "random": (plain, lambda one: random_classes(plain, one.words, one.kinds, draw)),
        "most frequent class": (plain, lambda one: most_frequent(plain, one.words, one.kinds)),
        "the paper's model": (plain, lambda one: plain.propositions(one)[0].classes),
        "our default": (ours, lambda one: ours.propositions(one)[0].classes),
        **{name: (model, partial(_labelled, model)) for name, model in others.items()},
    }
    rows = []
    instances = [one for _, found in source for one in found.instances if one.shape in PAPER_SHAPES]
    for name, (model, label) in systems.items():
        pairs = [
            (label(one), all(map(model.lexicon.is_known, one.words, one.kinds)))
            for one in instances
        ]
        for kind, some in (
            (part, [classes for classes, _ in pairs]),
            (f"{part}, unknown", [classes for classes, known in pairs if not known]),
        ):
            found = spread(some)
            rows.append(
                [
                    f"{domain} {kind}",
                    name,
                    f"{found.number:,}",
                    f"{found.generalization:.3f}",
                    f"{found.entropy:.3f} ({found.best_entropy:.3f})",
                    f"{perplexity(some, judge):.1f}",
                ]
            )
    return sorted(rows, key=lambda row: row[0])


def enrichment(data: Data) -> None:
    """How often the verb (and object) between a name and a preposition's noun is guessed."""
    print("\n## Enrichment\n")
    print(
        "Instances of the dev part with a name as subject, of which only subject, preposition "
        "and last noun are given. Right: the verb, or the verb and the object, that stood "
        "there.\n"
    )
    rows = []
    for domain in ("nfl", "nba"):
        model = PropositionLearner().fit(data.gathered(domain, most=SENTENCES)).model_
        enricher = Enricher(model)
        items = [
            one
            for _, found in data.rows(f"{domain}.dev", SENTENCES)
            for one in found.instances
            if one.shape == "NVNPN" and one.kinds[0] is Kind.NAME
        ][:3000]
        verb = whole = three = answered = 0
        for one in items:
            ends = (one.words[0], one.kinds[0]), one.words[3], (one.words[4], one.kinds[4])
            guesses = enricher.complete(*ends)
            answered += bool(guesses)
            verb += bool(guesses) and guesses[0].instance[1] == one.words[1]
            whole += bool(guesses) and guesses[0].instance[1:4] == one.words[1:4]
            three += any(guess.instance[1] == one.words[1] for guess in guesses)
        number = len(items)
        shares = [f"{count / number:.3f}" for count in (answered, verb, three, whole)]
        rows.append([domain, f"{number:,}", *shares])
    table(["domain", "items", "answered", "verb", "verb in first three", "verb and object"], rows)


SECTIONS: dict[str, Callable[[Data], None]] = {
    "quality": quality,
    "sources": sources,
    "measures": measures,
    "enrichment": enrichment,
    "speed": speed,
    "growth": growth,
}


if __name__ == "__main__":
    if "--synthetic" in sys.argv:
        synthetic(int(sys.argv[-1]))
    else:
        main()

"""Translation span alignment against the links it starts from; print docs/benchmarks/spans.md.

    python benchmarks/spans.py [--pairs N] [--part NAME] > docs/benchmarks/spans.md

The gold sentences and the training text are aligned together, lower-cased; phrases come from all of
it. Speed is that of one thread, in CPU seconds, kernels compiled before.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from run import ROOT, header, table

from treewright.alignment import AlignmentSettings, align_text, learned_links
from treewright.alignment import Text as Aligning
from treewright.alignment.statistical.em import Maximisation, Maximiser
from treewright.corpora import Links, Sentences, Vocabulary, read_bitext
from treewright.evaluation import AlignmentCounts, GoldAlignment
from treewright.parsing import open_parser
from treewright.translation import (
    RELAXATIONS,
    ForcedDecoder,
    Forcing,
    LinkRefinement,
    PhraseSettings,
    PhraseTable,
    Vote,
    build_phrases,
    refine_alignment,
    refine_links,
    sampled,
    usable_constituents,
)
from treewright.trees import Tree

GOLD = ("tsinghua.dev", "nist02.dev")
DEFAULT = "bayes, posterior (default)"
ALONE = "HMM of older toolkits: each direction alone, grow-diag-final-and"
BASELINES = {
    "IBM 1, grow-diag-final-and": AlignmentSettings(
        method="ibm1", symmetrize="grow-diag-final-and"
    ),
    ALONE: AlignmentSettings(method="hmm", symmetrize="grow-diag-final-and"),
    "HMM, directions agree, grow-diag-final-and": AlignmentSettings(
        method="hmm", symmetrize="grow-diag-final-and"
    ),
    DEFAULT: AlignmentSettings(),
}
SCORES = [f"{gold} {score}" for gold in GOLD for score in ("P", "R", "F1", "AER")]
COLUMNS = [*SCORES, *[f"{gold} usable" for gold in GOLD], "deleted", "added"]
PARTS = ["quality", "search", "curve", "iterations"]
CURVE = (10_000, 30_000)
ITERATED = 10_000
EVERY = 5
"""Speed is measured on every so many pairs."""
TSA = LinkRefinement()
BEST = replace(TSA, derivations=1)
VARIANTS = {
    "TSA": TSA,
    "best derivation alone (the paper)": BEST,
    "the same, confidence 0.2": replace(BEST, confidence=0.2),
    "the same, own counts kept": replace(BEST, forcing=replace(TSA.forcing, leave_one_out=False)),
    "TSA, confidence 0.2": replace(TSA, confidence=0.2),
    "every one-to-one pair adds its link": replace(TSA, confidence=0.0),
    "links deleted only": replace(TSA, add=False),
    "links added only": replace(TSA, delete=False),
}


@dataclass(frozen=True, eq=False)
class Text:
    """Parallel text, the gold sentences first."""

    sources: list[list[str]]
    targets: list[list[str]]
    gold: list[list[GoldAlignment]]
    trees: list[Tree]
    """Of the gold sentences, English."""

    @classmethod
    def read(cls, data: Path) -> Text:
        names = [f"alignment/{name}" for name in GOLD] + ["zh-en/train"]
        pairs = [
            ([word.lower() for word in f], [word.lower() for word in e])
            for name in names
            for f, e in read_bitext(data / f"{name}.zh", data / f"{name}.en")
        ]
        gold = [
            [GoldAlignment.parse(line) for line in lines]
            for name in GOLD
            for lines in [(data / f"alignment/{name}.align").read_text().splitlines()]
        ]
        # The parser sees cased words.
        lines = [(data / f"alignment/{name}.en").read_text().splitlines() for name in GOLD]
        trees = open_parser("embedded").parse([line.split() for part in lines for line in part])
        return cls([f for f, _ in pairs], [e for _, e in pairs], gold, trees)

    @property
    def num_gold(self) -> int:
        return sum(map(len, self.gold))

    def spread(self, number: int) -> Text:
        """Return the gold sentences and this many others, evenly from the whole."""
        rest = len(self.sources) - self.num_gold
        chosen = [*range(self.num_gold)]
        chosen += [self.num_gold + k * rest // number for k in range(min(number, rest))]
        return replace(
            self,
            sources=[self.sources[k] for k in chosen],
            targets=[self.targets[k] for k in chosen],
        )

    def encoded(self) -> tuple[Sentences, Sentences, Vocabulary, Vocabulary]:
        vocabularies = Vocabulary(), Vocabulary()
        sides = (self.sources, self.targets)
        texts = [
            Sentences.encode(side, words) for side, words in zip(sides, vocabularies, strict=True)
        ]
        return (texts[0], texts[1], *vocabularies)

    def align(self, name: str) -> Links:
        text = Aligning.of(zip(self.sources, self.targets, strict=True), lowercase=True)
        if name != ALONE:
            return align_text(text, BASELINES[name])
        model = Maximiser(text, Maximisation(hmm=5))
        for markov in model.steps():
            model.advance(markov)
        return learned_links(model, text, BASELINES[name])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--pairs", type=int, default=61_111, help="Training pairs of the table.")
    parser.add_argument("--part", choices=PARTS, action="append", help="Only this. Repeat.")
    chosen = parser.parse_args()
    parts = chosen.part or PARTS
    data = chosen.data / "translation"
    if not data.is_dir():
        parser.error(f"no real data at {data}; give its folder with --data")
    whole = Text.read(data)
    text = whole.spread(chosen.pairs)
    header("Translation span alignment", "benchmarks/spans.py > docs/benchmarks/spans.md")
    whole_text = {"quality", "search"}.intersection(parts)
    links = {name: text.align(name) for name in BASELINES if whole_text}
    if "quality" in parts:
        quality(text, links)
    if "search" in parts:
        search(text, links[DEFAULT])
    if "curve" in parts:
        curve(whole)
    if "iterations" in parts:
        iterations(whole.spread(ITERATED))


def quality(text: Text, baselines: dict[str, Links]) -> None:
    print(f"## Chinese-English, {len(text.sources):,} pairs\n")
    print(
        "Per cent; links deleted and added per gold sentence. Usable: English constituents of two "
        "or more words, the root excepted, that are frontier nodes; trees by the embedded parser.\n"
    )
    sure = Links.of(tuple(sorted(pair.sure)) for part in text.gold for pair in part)
    rows = [["gold links, the sure ones", *[""] * len(SCORES), *usable(text, sure), "", ""]]
    for name, links in baselines.items():
        rows.append([f"**{name}**", *measured(text, links), "", ""])
        phrases = phrases_of(text, links)
        for what, settings in VARIANTS.items():
            rows.append([what, *changed(text, links, refined_gold(text, links, phrases, settings))])
    table(["links", *COLUMNS], rows)


def phrases_of(text: Text, links: Links) -> PhraseTable:
    source, target, *vocabularies = text.encoded()
    settings = PhraseSettings(limit=0, smoothing="none")
    return build_phrases(source, target, links, *vocabularies, settings=settings)


def refined_gold(text: Text, links: Links, phrases: PhraseTable, settings: LinkRefinement) -> Links:
    """Refine the links of the gold sentences, phrases being those of the whole text."""
    source, target, *_ = text.encoded()
    decoder = ForcedDecoder(phrases, settings.forcing)
    forced = sampled(decoder, source, target, links, number=settings.derivations)
    found = []
    for k, votes in enumerate(islice(forced, text.num_gold)):
        sizes = len(text.sources[k]), len(text.targets[k])
        cast = [Vote.of(each, settings) for each in votes]
        found.append(refine_alignment(links[k], cast, sizes, delete=settings.delete))
    return Links.of(found)


def changed(text: Text, links: Links, found: Links) -> list[str]:
    changes = np.zeros(2)
    for k in range(text.num_gold):
        old, new = set(links[k]), set(found[k])
        changes += len(old - new), len(new - old)
    return [*measured(text, found), *[f"{each:.2f}" for each in changes / text.num_gold]]


def measured(text: Text, links: Links) -> list[str]:
    return [*scores(text, links), *usable(text, links)]


def scores(text: Text, links: Links) -> list[str]:
    cells: list[str] = []
    begin = 0
    for gold in text.gold:
        total = sum(
            (AlignmentCounts.of(links[begin + k], truth) for k, truth in enumerate(gold)),
            AlignmentCounts(),
        )
        begin += len(gold)
        values = (total.precision, total.recall, total.f1, total.aer)
        cells += [f"{100 * value:.1f}" for value in values]
    return cells


def usable(text: Text, links: Links) -> list[str]:
    cells: list[str] = []
    begin = 0
    for gold in text.gold:
        span = range(begin, begin + len(gold))
        begin += len(gold)
        found = usable_constituents(
            (text.trees[k], tuple(sorted((j, i) for i, j in links[k]))) for k in span
        )
        cells.append(f"{100 * found.share:.1f}")
    return cells


def search(text: Text, links: Links) -> None:
    print("## Search\n")
    print(
        f"Derivations of {len(range(0, len(text.sources), EVERY)):,} pairs, evenly from the text, "
        "with the links of the default aligner.\n"
    )
    phrases = phrases_of(text, links)
    rows = []
    for beam, number in ((10, 1), (100, 1), (100, 8), (500, 1)):
        decoder = ForcedDecoder(phrases, Forcing(beam=beam))
        rows.append([beam, number, "no", *searched(decoder, number, text, links)])
    decoder = ForcedDecoder(phrases, Forcing(leave_one_out=False))
    rows.append([100, 1, "yes", *searched(decoder, 1, text, links)])
    figures = ["pairs a CPU s", "score", "sure to be best", "span pairs"]
    relaxed = [f"relaxed: {name}" for name in RELAXATIONS]
    table(["beam", "derivations", "own counts", *figures, *relaxed], rows)


def searched(decoder: ForcedDecoder, number: int, text: Text, links: Links) -> Sequence[object]:
    chosen = range(0, len(text.sources), EVERY)
    words = decoder.table.source, decoder.table.target
    source = Sentences.encode((text.sources[k] for k in chosen), words[0], grow=False)
    target = Sentences.encode((text.targets[k] for k in chosen), words[1], grow=False)
    own = Links.of(links[k] for k in chosen)
    start = time.process_time()
    drawn = sampled(decoder, source, target, own, number=number)
    found = [each[0] for each in drawn if each]
    seconds = time.process_time() - start
    reached = Counter(forced.relaxation for forced in found)
    return [
        f"{len(found) / seconds:,.0f}",
        f"{np.mean([forced.score for forced in found]):.3f}",
        f"{100 * np.mean([forced.exact for forced in found]):.1f} %",
        f"{np.mean([len(forced.spans) for forced in found]):.2f}",
        *[f"{100 * reached[name] / len(found):.1f} %" for name in RELAXATIONS],
    ]


def iterations(text: Text) -> None:
    print("## Iterations\n")
    print(f"With {ITERATED:,} pairs. Each takes its phrases from the links of the last.\n")
    rows = []
    source, target, *vocabularies = text.encoded()
    for name in (ALONE, DEFAULT):
        baseline = links = text.align(name)
        rows.append([f"**{name}**", *measured(text, links), "", ""])
        for number in (1, 2):
            links = refine_links(source, target, links, *vocabularies, settings=TSA).links
            rows.append([f"iteration {number}", *changed(text, baseline, links)])
    table(["links", *COLUMNS], rows)


def curve(whole: Text) -> None:
    print("## By size of the training text\n")
    print("With all pairs: see the first table.\n")
    rows = []
    for number in CURVE:
        text = whole.spread(number)
        for name in list(BASELINES)[1:]:
            links = text.align(name)
            phrases = phrases_of(text, links)
            rows.append([f"{number:,}", f"**{name}**", *measured(text, links), "", ""])
            for what in ("TSA", "best derivation alone (the paper)"):
                found = refined_gold(text, links, phrases, VARIANTS[what])
                rows.append([f"{number:,}", what, *changed(text, links, found)])
    table(["pairs", "links", *COLUMNS], rows)


if __name__ == "__main__":
    main()

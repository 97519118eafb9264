"""The quality of compression from raw text: the tables of docs/benchmarks/quality.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from linear import say
from run import table

from treewright.alignment import align_pair
from treewright.alignment.reparsing import reparse
from treewright.compression import AnyModel, Compressor, Limit, Request, Rewriter
from treewright.compression.compressor import BATCH
from treewright.compression.models import (
    AnyForest,
    load_model,
)
from treewright.compression.sharing import cap_budget, leave_words, share_words
from treewright.corpora import Pair, count_words, is_word, read_pairs
from treewright.errors import DataError
from treewright.evaluation import evaluate, first_words_at
from treewright.forest import CountCurve
from treewright.learning import CRF, EM, SVM, VB, Deletion, Gibbs
from treewright.parsing import Parser, open_parser
from treewright.parsing.embedded.blas import one_blas_thread
from treewright.text import Sentence, join_words, split_sentences
from treewright.trees import Tree, TreeTable, prune_to
from treewright.trees.relations import relations

CORPORA = {"broadcast": 1, "written": 0, "google": 0}
"""Each corpus with the target that systems learn and are scored against."""
RATES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

LEARNERS: list[dict[str, Any]] = [
    {"deletion (McDonald)": Deletion()},
    {"EM": EM(kappa=3000.0), "VB": VB(kappa=3000.0)},
    {"GS, 300 sweeps": Gibbs(iterations=300)},
    {"SVM": SVM(), "CRF": CRF()},
]
"""Those of docs/benchmarks/linear-quality.md; each group learns from the same prepared data."""
TOO_SLOW = {"google": "GS, 300 sweeps"}

Span = tuple[int, int]
Kept = frozenset[int]

INTRODUCTION = """\
The tokens of each dev source are joined into plain text. Everything after that is Treewright's own:
sentences, tokens, trees from the embedded parser, the model, the deletions. Outputs are scored on
the corpus's tokens, matched by character position: the corpus's source tree is pruned to the tokens
that were kept, and its grammatical relations are compared with those of the target's tree. Both
trees come from a 2010 parser.

Each cell is *RelF1 / token F1* in per cent, summed over sentences. Token F1 compares the positions
that are kept and counts all tokens, punctuation included; linear-quality.md leaves punctuation out.
Rates count words, not punctuation. RelF1 depends on the rate: compare systems within a column."""

COMPARISON = """\
Systems at matched lengths. At each rate, every system has one budget of words for the whole dev
part and spends it where that costs least. *No budget* is the output without one, followed by its
word rate. Forests have no guards (for negation and so on). Models with probabilities are decoded by
minimum Bayes risk (MBR), the deletion model and the SVM by best score. All systems except the
shipped models were trained on the train part of this corpus ({train} pairs), over the embedded
parser's trees. Treewright's tokens are not always the corpus's, so actual rates differ from those
in the table's header, by at most {off:.1f} points.{left_out}"""

ANNOTATORS = """

The annotators are compared with annotator 2 in two ways: with their own trees (from a 2010 parser),
as in the data's README, and as the systems are, with the source tree pruned to their words."""

USERS = """\
What users get from `compress`: each text on its own, with all guards on, without a limit and with
`rate=R`, which no text exceeds. The number after *at* is the word rate of the output. *Not met*
counts the texts, over all rates, that had no admissible version short enough."""


def quality(data: Path, models: dict[str, Path], corpora: Sequence[str], first: int | None) -> None:
    print(f"{INTRODUCTION}\n")
    parser = open_parser()
    shipped = {name: load_model(path) for name, path in models.items()}
    for name in corpora:
        target = CORPORA[name]
        train = list(reparse(aligned(data / f"{name}.train.jsonl", target, first), parser))
        dev = Dev.of(aligned(data / f"{name}.dev.jsonl", target, first), parser)
        say(f"{name}: {len(train)} and {len(dev.items)} pairs parsed")
        print(f"## {name}\n\n{dev.about()}\n")
        people = {
            f"annotator {number + 1}": aligned(data / f"{name}.dev.jsonl", number, first)
            for number in ((0, 2) if name == "broadcast" else ())
        }
        compare(name, train, dev, shipped, people)
        users(dev, {label: Compressor(model, parser=parser) for label, model in shipped.items()})


def aligned(path: Path, target: int, first: int | None) -> list[Pair]:
    return [align_pair(pair) for pair in islice(read_pairs(path, target=target), first)]


@dataclass(frozen=True)
class Item:
    """A dev pair as text, where the corpus's tokens stand there, and which its target keeps."""

    pair: Pair
    text: str
    spans: tuple[Span, ...]
    gold: Kept

    @classmethod
    def of(cls, pair: Pair) -> Item:
        words = pair.source.words()
        text = join_words(words)
        return cls(pair, text, find_spans(words, text), places(pair))

    def covered(self, kept: Iterable[Span]) -> Kept:
        """Return the corpus's tokens of which a letter or digit, if they have any, is kept."""
        stays = {place for start, end in kept for place in range(start, end)}
        return frozenset(p for p, span in enumerate(self.spans) if stays & self._core(*span))

    def _core(self, start: int, end: int) -> set[int]:
        everything = set(range(start, end))
        return {place for place in everything if self.text[place].isalnum()} or everything


def places(pair: Pair) -> Kept:
    """Return the source's tokens that an aligned pair keeps."""
    assert pair.alignment is not None
    return frozenset(source for source, _ in pair.alignment)


def find_spans(words: Sequence[str], text: str) -> tuple[Span, ...]:
    """Find tokens in the text they were joined to.

    A stop that joining left out is that of the abbreviation before it.
    """
    spans: list[Span] = []
    end = 0
    for word in words:
        written = join_words([word])
        start = end + (text[end : end + 1] == " ")
        if text.startswith(written, start):
            end = start + len(written)
            spans.append((start, end))
        else:
            assert word == ".", f"{word!r} is not in the text"
            spans.append((end - 1, end))
    assert end == len(text), "the text is longer than its tokens"
    return tuple(spans)


class Unit(NamedTuple):
    """A sentence that Treewright finds in the text of an item, with its tree."""

    item: int
    sentence: Sentence
    tree: Tree


@dataclass(frozen=True)
class Dev:
    """The dev part of a corpus, read by Treewright."""

    items: list[Item]
    units: list[Unit]

    @classmethod
    def of(cls, pairs: Sequence[Pair], parser: Parser) -> Dev:
        items = [Item.of(pair) for pair in pairs]
        found = [
            (number, sentence)
            for number, item in enumerate(items)
            for sentence in split_sentences(item.text)
            if any(map(is_word, sentence.words))
        ]
        trees: list[Tree] = []
        for start in range(0, len(found), BATCH):
            trees += parser.parse([s.words for _, s in found[start : start + BATCH]])
        units = [Unit(*each, tree) for each, tree in zip(found, trees, strict=True)]
        return cls(items, units)

    @property
    def pairs(self) -> list[Pair]:
        return [item.pair for item in self.items]

    @property
    def gold_rate(self) -> float:
        words = [sum(map(count_words, side)) for side in zip(*self._trees(), strict=True)]
        return words[1] / words[0]

    def _trees(self) -> Iterator[tuple[Tree, Tree]]:
        return ((pair.source, pair.target) for pair in self.pairs)

    def about(self) -> str:
        tokens: list[list[Span]] = [[] for _ in self.items]
        for unit in self.units:
            tokens[unit.item] += [(token.start, token.end) for token in unit.sentence.tokens]
        same = sum(tuple(t) == i.spans for t, i in zip(tokens, self.items, strict=True))
        return (
            f"{len(self.items)} dev sentences, {len(self.units)} as Treewright splits them; in "
            f"{same} its tokens are the corpus's. Gold rate {100 * self.gold_rate:.1f} %."
        )


class Score(NamedTuple):
    relations: float
    tokens: float
    rate: float

    def __str__(self) -> str:
        return f"{100 * self.relations:.1f} / {100 * self.tokens:.1f}"

    @property
    def with_rate(self) -> str:
        return f"{self} at {100 * self.rate:.1f}"


@lru_cache(maxsize=1 << 16)
def relations_once(tree: Tree) -> tuple[tuple[str, int, int], ...]:
    return tuple(relations(tree))


def score(dev: Dev, outputs: Sequence[Kept], trees: Sequence[Tree | None] | None = None) -> Score:
    """Score kept places, by the source trees pruned to them or by trees of their own."""
    if trees is None:
        trees = [
            prune_to(item.pair.source, kept) for item, kept in zip(dev.items, outputs, strict=True)
        ]
    result = evaluate(trees, dev.pairs, relations=relations_once)
    both = sum(len(kept & item.gold) for item, kept in zip(dev.items, outputs, strict=True))
    all_kept = sum(
        len(kept) + len(item.gold) for item, kept in zip(dev.items, outputs, strict=True)
    )
    return Score(result.score("relation_f1"), 2 * both / all_kept, result.score("word_rate"))


def compare(
    corpus: str,
    train: Sequence[Pair],
    dev: Dev,
    shipped: dict[str, AnyModel],
    people: dict[str, list[Pair]],
) -> None:
    """Print all systems at matched rates."""
    rates = [dev.gold_rate, *RATES]
    rows = [*baselines(dev, rates), *annotators(dev, people)]
    off = 0.0
    for name, model in chain(learned(corpus, train), shipped.items()):
        free, *matched = [score(dev, outputs) for outputs in decode(model, dev, rates)]
        off = max(off, *[abs(s.rate - rate) for s, rate in zip(matched, rates, strict=True)])
        rows.append([name, free.with_rate, *matched])
        say(f"{name}: {matched[0]}")
    left_out = TOO_SLOW.get(corpus)
    about = COMPARISON.format(
        train=len(train),
        off=100 * off,
        left_out=f" {left_out}, is left out here: it would take too long." if left_out else "",
    )
    print(about + (ANNOTATORS if people else "") + "\n")
    titles = [f"gold: {100 * rates[0]:.1f}", *[f"{100 * rate:.0f}" for rate in RATES]]
    table(["system", "no budget", *titles], rows)


def baselines(dev: Dev, rates: Sequence[float]) -> list[list[object]]:
    whole = [frozenset(range(len(item.spans))) for item in dev.items]
    gold = [item.gold for item in dev.items]
    blank = [""] * len(rates)
    return [
        ["copy all", score(dev, whole).with_rate, *blank],
        ["first words", "", *[score(dev, first_places(dev, rate)) for rate in rates]],
        ["ceiling: gold words", score(dev, gold).with_rate, *blank],
    ]


def first_places(dev: Dev, rate: float) -> list[Kept]:
    trees = first_words_at(dev.pairs, rate)
    return [frozenset(range(0 if tree is None else len(tree.words()))) for tree in trees]


def annotators(dev: Dev, people: dict[str, list[Pair]]) -> list[list[object]]:
    rows: list[list[object]] = []
    blank = [""] * (1 + len(RATES))
    for name, pairs in people.items():
        kept = [places(pair) for pair in pairs]
        own = score(dev, kept, [pair.target for pair in pairs])
        rows.append([f"{name}, own trees", own.with_rate, *blank])
        rows.append([f"{name}, scored as a system", score(dev, kept).with_rate, *blank])
    return rows


def learned(corpus: str, train: Sequence[Pair]) -> Iterator[tuple[str, AnyModel]]:
    for group in LEARNERS:
        chosen = {name: each for name, each in group.items() if name != TOO_SLOW.get(corpus)}
        data = next(iter(chosen.values())).prepare(train) if chosen else None
        for name, learner in chosen.items():
            yield name, learner.fit_prepared(data).model_


def decode(model: AnyModel, dev: Dev, rates: Sequence[float]) -> list[list[Kept]]:
    """Return what is kept without a budget, then at each rate.

    Forests are made twice rather than kept: for all lengths to choose from, and for those chosen.
    """
    words = sum(count_words(unit.tree) for unit in dev.units)
    kept = []
    for limit in [Limit(), *[Limit(rate=rate) for rate in rates]]:
        share = limit.share_of(words)
        scores = [curve.scores for _, curve in read(model, dev.units, share)]
        if limit.is_given:
            plan = list(share_words(scores, limit.room_of(words)).counts)
        else:
            plan = [cap_budget(leave_words(curve), len(curve)) for curve in scores]
        kept.append(cut_out(dev, read(model, dev.units, share), plan))
    return kept


def cut_out(
    dev: Dev, found: Iterable[tuple[AnyForest, CountCurve]], plan: Sequence[int]
) -> list[Kept]:
    """Return what versions of the planned lengths keep of each text."""
    spans: list[list[Span]] = [[] for _ in dev.items]
    for unit, (forest, curve), length in zip(dev.units, found, plan, strict=True):
        tokens = [unit.sentence.tokens[p] for p in forest.positions(curve.edge_uses(length))]
        spans[unit.item] += [(token.start, token.end) for token in tokens]
    return [item.covered(own) for item, own in zip(dev.items, spans, strict=True)]


def read(
    model: AnyModel, units: Sequence[Unit], share: float
) -> Iterator[tuple[AnyForest, CountCurve]]:
    """Yield the forest of each sentence and its best version of every length."""
    rewriter = Rewriter(model=model, decode="mbr" if model.has_probabilities else "viterbi")
    for start in range(0, len(units), BATCH):
        trees = [TreeTable(unit.tree) for unit in units[start : start + BATCH]]
        with one_blas_thread():
            engines = rewriter.engine.at(share).ready(trees)
        for each, tree in zip(engines, trees, strict=True):
            forest = rewriter.prepared(each.forest(tree))
            yield forest, rewriter.curve(forest)


def users(dev: Dev, compressors: dict[str, Compressor]) -> None:
    """Print what `compress` gives, text by text."""
    limits = [Limit(), *[Limit(rate=rate) for rate in RATES]]
    rows: list[list[object]] = []
    for name, compressor in compressors.items():
        cells: list[object] = []
        unmet = 0
        for limit in limits:
            outputs, over = compressed(compressor, dev, Request(limit=limit))
            cells.append(score(dev, outputs).with_rate)
            unmet += over
        rows.append([name, *cells, unmet])
        say(f"{name}, as users get it")
    print(f"{USERS}\n")
    titles = ["no limit", *[f"rate {rate}" for rate in RATES]]
    table(["model", *titles, "not met"], rows)


def compressed(compressor: Compressor, dev: Dev, request: Request) -> tuple[list[Kept], int]:
    outputs: list[Kept] = []
    unmet = 0
    results = compressor.compress_each([item.text for item in dev.items], request)
    for item, result in zip(dev.items, results, strict=True):
        if isinstance(result, DataError):
            raise result
        tokens = [token for part in result.sentences for token in part.sentence.tokens]
        outputs.append(item.covered([tokens[p][1:] for p in result.kept]))
        unmet += not result.met
    return outputs, unmet

"""Measure the linear models on real data, one page per part.

    python benchmarks/linear.py quality > docs/benchmarks/linear-quality.md
    python benchmarks/linear.py losses > docs/benchmarks/linear-losses.md
    python benchmarks/linear.py speed > docs/benchmarks/linear-speed.md

Quality: broadcast, written and google. Losses: those of the large-margin paper's Figure 4. Speed:
training, decoding, and the search for the greatest violation by the length of a sentence.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from run import ROOT, best, header, peak_memory, table

from treewright.alignment import align_pair
from treewright.compiling import expect_work
from treewright.compression import AnyModel, Limit, Rewriter, score_model
from treewright.corpora import Pair, read_pairs
from treewright.evaluation import ceiling, copy_all, evaluate, first_words_at
from treewright.learning import CRF, EM, SVM, VB, AveragedPerceptron, Deletion, Gibbs
from treewright.learning.linear.examples import ExampleSet
from treewright.learning.linear.problem import ForestProblem
from treewright.learning.margin.losses import LOSSES
from treewright.pruning import Pruner

PAPER = SVM(
    rules=True,
    open=False,
    loss="precision-bp2",
    by_place=False,
    rescaling="slack",
    optimiser="n-slack",
    c=0.01,
    min_rule_count=1,
)
"""The large-margin paper's system: extracted rules, slack rescaling, precision with BP2."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["quality", "losses", "speed"])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    chosen = parser.parse_args()
    data, part = chosen.data / "compression", chosen.part
    header(
        f"Linear models: {part}", f"benchmarks/linear.py {part} > docs/benchmarks/linear-{part}.md"
    )
    expect_work()
    train = aligned(data / "broadcast.train.jsonl", 1)
    if part == "speed":
        speed(train)
        print(f"Peak memory of all the above: {peak_memory():.0f} MB.")
        return
    dev = aligned(data / "broadcast.dev.jsonl", 1)
    if part == "losses":
        losses(train, dev)
        return
    broadcast(data, train, dev)
    for name in ("written", "google"):
        paths = [data / f"{name}.{which}.jsonl" for which in ("train", "dev")]
        other(name, *[aligned(path, 0) for path in paths])


def say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def aligned(path: Path, target: int) -> list[Pair]:
    return [align_pair(pair) for pair in read_pairs(path, target=target)]


COLUMNS = [
    "system",
    "RelF1 as decoded",
    "word rate",
    "token F1",
    "at the gold rate",
    "token F1",
    "training",
]


def score(
    name: str, model: AnyModel, dev: Sequence[Pair], decode: str, seconds: float
) -> list[str]:
    decoded, matched = score_model(model, dev, decode=decode)
    say(name)
    return [
        name,
        *[f"{100 * decoded.score(c):.2f}" for c in ("relation_f1", "word_rate", "token_f1")],
        *[f"{100 * matched.score(c):.2f}" for c in ("relation_f1", "token_f1")],
        f"{seconds:.0f} s",
    ]


def trained(learner: object, pairs: Sequence[Pair]) -> tuple[AnyModel, float]:
    begin = time.perf_counter()
    model: AnyModel = learner.fit(pairs).model_  # type: ignore[attr-defined]
    return model, time.perf_counter() - begin


def baselines(dev: list[Pair]) -> list[list[str]]:
    gold = evaluate(ceiling(dev), dev, name="ceiling").score("gold_word_rate")
    systems: dict[str, Callable[[], object]] = {
        "copy all": lambda: copy_all(dev),
        "first words at the gold rate": lambda: first_words_at(dev, gold),
        "ceiling": lambda: ceiling(dev),
    }
    rows = []
    for name, outputs in systems.items():
        result = evaluate(outputs(), dev, name=name)
        cells = [f"{100 * result.score(c):.2f}" for c in ("relation_f1", "word_rate", "token_f1")]
        rows.append([name, *cells, "", "", ""])
    return rows


def rows_of(
    learners: dict[str, object], pairs: Sequence[Pair], dev: Sequence[Pair]
) -> list[list[str]]:
    rows = []
    for name, learner in learners.items():
        model, seconds = trained(learner, pairs)
        rows.append(score(name, model, dev, "viterbi", seconds))
        if isinstance(learner, CRF | EM | VB | Gibbs | SVM):
            rows.append(score(f"{name}, MBR", model, dev, "mbr", seconds))
    return rows


def broadcast(data: Path, train: list[Pair], dev: list[Pair]) -> None:
    learners = {
        "EM": EM(),
        "EM, κ = 3000": EM(kappa=3000.0),
        "VB, κ = 3000": VB(kappa=3000.0),
        "GS, 300 sweeps": Gibbs(iterations=300),
        "deletion (McDonald)": Deletion(),
        "perceptron": AveragedPerceptron(),
        "SVM of the paper, C = 0.01": PAPER,
        "SVM of the paper, C = 1": replace(PAPER, c=1.0, tolerance=0.05, rounds=60),
        "SVM of the paper, open, C = 1": replace(
            PAPER, open=True, min_rule_count=2, c=1.0, tolerance=0.05, rounds=60
        ),
        "SVM, rules and open": SVM(rules=True),
        "SVM": SVM(),
        "CRF, rules and open": CRF(rules=True),
        "CRF": CRF(),
    }
    rows = rows_of(learners, train, dev)
    pooled = [
        pair for target in range(3) for pair in aligned(data / "broadcast.train.jsonl", target)
    ]
    rows += rows_of({"CRF, all three targets": CRF()}, pooled, dev)
    for target in (0, 2):
        other = [pair.target for pair in aligned(data / "broadcast.dev.jsonl", target)]
        result = evaluate(other, dev, name=f"annotator {target + 1}")
        cells = [f"{100 * result.score(c):.2f}" for c in ("relation_f1", "word_rate", "token_f1")]
        rows.append([result.name, *cells, "", "", ""])
    print("## broadcast: annotator 2, train to dev\n")
    table(COLUMNS, [*baselines(dev), *rows])


def other(name: str, train: list[Pair], dev: list[Pair]) -> None:
    learners = {
        "EM, κ = 3000": EM(kappa=3000.0),
        "deletion (McDonald)": Deletion(),
        "SVM": SVM(),
        "CRF": CRF(),
    }
    print(f"## {name}: train ({len(train)} pairs) to dev ({len(dev)})\n")
    table(COLUMNS, [*baselines(dev), *rows_of(learners, train, dev)])


def losses(train: list[Pair], dev: list[Pair]) -> None:
    """Figure 4 of the paper, and the effect of C and of how tokens are compared."""
    data = PAPER.prepare(train)
    rows = []
    for by_place in (False, True):
        for loss in LOSSES:
            cells = []
            for c in (0.01, 0.1):
                learner = replace(
                    PAPER, loss=loss, by_place=by_place, c=c, tolerance=0.05, rounds=40
                )
                model = learner.fit_prepared(data).model_
                decoded, matched = score_model(model, dev)
                cells += [
                    f"{100 * decoded.score('relation_f1'):.2f}",
                    f"{100 * decoded.score('word_rate'):.1f}",
                    f"{100 * matched.score('relation_f1'):.2f}",
                ]
            rows.append(["place" if by_place else "word", loss, *cells])
            say(f"{loss} {by_place}")
    print(
        "## The loss: rules only, slack rescaling, n-slack (Figure 4 of the paper), broadcast dev\n"
    )
    names = ["RelF1 as decoded", "word rate", "at the gold rate"]
    table(["tokens by", "loss", *[f"C = {c}: {name}" for c in (0.01, 0.1) for name in names]], rows)


def speed(train: list[Pair]) -> None:
    rows: list[list[str]] = []
    data: ExampleSet | None = None
    for c in (0.01, 0.001):
        learner = replace(PAPER, c=c, open=True)
        begin = time.perf_counter()
        data = learner.prepare(train) if data is None else data
        learner.fit_prepared(data)
        seconds = time.perf_counter() - begin
        last = learner.result_.reports[-1]
        gap = f"{last.round} rounds, gap {last.gap:.2g} of {last.primal:.2g}"
        name = f"SVM, n-slack, C = {c}, slack rescaling"
        rows.append([name, f"{seconds:.1f} s ({gap})", "≤ 600 s"])
    assert data is not None
    margin = replace(PAPER, c=0.01, optimiser="frank-wolfe", rescaling="margin", open=True)
    begin = time.perf_counter()
    margin.fit_prepared(data)
    rows.append(
        [
            "SVM, frank-wolfe, C = 0.01, margin rescaling",
            f"{time.perf_counter() - begin:.1f} s",
            "≤ 600 s",
        ]
    )
    rows += decoding(train)
    print("## Speed, broadcast train, two threads for training\n")
    table(["what", "measured", "wanted"], rows)
    growth(data)


def decoding(train: list[Pair]) -> list[list[str]]:
    rows = []
    trees = [pair.source for pair in train[:300]]
    for name, learner in {"CRF": CRF(), "SVM, rules and open": SVM(rules=True)}.items():
        model = learner.fit(train).model_
        gc.freeze()
        transducer = Pruner.of(model)
        seconds = best(lambda: [transducer.forest(tree).best() for tree in trees], 3)  # noqa: B023
        rows.append(
            [f"{name}: forest and best tree", f"{len(trees) / seconds:.0f} trees/s", "≥ 500"]
        )
        for decode in ("viterbi", "mbr"):
            rewriter = Rewriter(model=model, limit=Limit(rate=0.6, per="sentence"), decode=decode)
            seconds = best(lambda: list(rewriter(trees)), 2)  # noqa: B023
            rows.append(
                [f"{name}: at most 60 % by {decode}", f"{len(trees) / seconds:.0f} trees/s", ""]
            )
    return rows


def growth(data: ExampleSet) -> None:
    """Time the search for the greatest violation by the length of the sentence."""
    problem = ForestProblem(data, LOSSES["precision-bp2"])
    weights = np.random.default_rng(0).normal(0.0, 0.1, problem.num_features)
    lengths = np.array([len(example.places) for example in data.examples])
    rows = []
    for wanted in (5, 10, 20, 30, 40, 60, 80):
        near = np.argsort(np.abs(lengths - wanted), kind="stable")[:5].tolist()
        forests = [data.examples[k].source.forest for k in near]
        seconds = best(lambda: problem.separate(weights, near, "slack"), 5) / len(near)  # noqa: B023
        edges = np.mean([forest.num_edges for forest in forests])
        rows.append(
            [
                f"{np.mean(lengths[near]):.0f}",
                f"{edges:.0f}",
                f"{1000 * seconds:.2f}",
                f"{1e6 * seconds / edges:.1f}",
            ]
        )
    print("## Loss-augmented search by length (rules and open deletions; ≤ 100 ms at 40 words)\n")
    table(["tokens", "edges", "ms", "µs per edge"], rows)


if __name__ == "__main__":
    main()

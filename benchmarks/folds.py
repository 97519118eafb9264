"""Compare learners and their settings on five folds; print docs/benchmarks/folds.md.

    python benchmarks/folds.py > docs/benchmarks/folds.md

Train and dev together are cut into five contiguous folds; each is scored, at its own gold rate, by
models trained on the other four. Dev alone has 170 sentences and cannot tell such settings apart.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from run import ROOT, header, table

from treewright.alignment import align_pair
from treewright.compression import score_model
from treewright.corpora import Pair, read_pairs
from treewright.grammar import Extraction
from treewright.learning import EM, VB, Gibbs, TrainingSet, flat
from treewright.pruning import Model

FOLDS = 5
Train = Callable[[TrainingSet], Model]


def untrained(data: TrainingSet) -> Model:
    return Model(*flat(data.grammar, data.grammar.counts, 1.0))


def trained(learner: EM | VB) -> Train:
    return lambda data: learner.fit_prepared(data).model_


def sampled(learner: Gibbs) -> Train:
    return lambda data: learner.fit(data.pairs).model_


SYSTEMS: dict[int, dict[str, Train]] = {
    1: {
        "add-one counts, untrained": untrained,
        "GS of the paper (flat, no pruning), 300 sweeps": sampled(
            Gibbs(iterations=300, smoothing="flat", pruning=False)
        ),
        "GS, 300 sweeps": sampled(Gibbs(iterations=300)),
    },
    2: {
        "EM plain, no pruning": trained(EM(pruning=False)),
        "EM plain, κ = 300 (default)": trained(EM()),
        "EM plain, κ = 3000": trained(EM(kappa=3000.0)),
        "VB plain, κ = 300 (default)": trained(VB()),
        "VB plain, κ = 3000": trained(VB(kappa=3000.0)),
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    data = parser.parse_args().data / "compression"
    pairs = [
        align_pair(pair)
        for part in ("train", "dev")
        for pair in read_pairs(data / f"broadcast.{part}.jsonl", target=1)
    ]
    rows = [
        (parts, name, *cells)
        for parts, systems in SYSTEMS.items()
        for name, cells in compare(pairs, parts, systems)
    ]
    header("Five folds of broadcast", "benchmarks/folds.py > docs/benchmarks/folds.md")
    table(
        [
            "parts",
            "system",
            "RelF1 at gold rate",
            "the same by MBR",
            *[f"MBR, fold {k + 1}" for k in range(FOLDS)],
            "word rate as decoded",
        ],
        rows,
    )


def compare(
    pairs: Sequence[Pair], parts: int, systems: dict[str, Train]
) -> list[tuple[str, list[str]]]:
    scores: dict[str, list[float]] = {name: [] for name in systems}
    by_mbr: dict[str, list[float]] = {name: [] for name in systems}
    rates: dict[str, list[float]] = {name: [] for name in systems}
    bounds = [k * len(pairs) // FOLDS for k in range(FOLDS + 1)]
    for low, high in itertools.pairwise(bounds):
        training = TrainingSet.prepare([*pairs[:low], *pairs[high:]], Extraction(parts=parts))
        for name, train in systems.items():
            model = train(training)
            decoded, matched = score_model(model, pairs[low:high])
            _, agreed = score_model(model, pairs[low:high], decode="mbr")
            by_mbr[name].append(100 * agreed.score("relation_f1"))
            scores[name].append(100 * matched.score("relation_f1"))
            rates[name].append(100 * decoded.score("word_rate"))
    return [
        (
            name,
            [
                f"{np.mean(values):.2f}",
                f"{np.mean(by_mbr[name]):.2f}",
                *[f"{value:.1f}" for value in by_mbr[name]],
                f"{np.mean(rates[name]):.1f}",
            ],
        )
        for name, values in scores.items()
    ]


if __name__ == "__main__":
    main()

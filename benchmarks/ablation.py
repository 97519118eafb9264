"""Leave out one group of features at a time, on five folds; print docs/benchmarks/ablation.md.

    python benchmarks/ablation.py > docs/benchmarks/ablation.md

Folds as in `folds.py`; the CRF without rules, at each fold's own gold rate.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np
from folds import FOLDS
from run import ROOT, header, table

from treewright.alignment import align_pair
from treewright.compression import score_model
from treewright.corpora import Pair, read_pairs
from treewright.learning import CRF
from treewright.pruning.features.templates import GROUPS

WITHOUT = ["", *[name for name in GROUPS if not name.startswith("rule ")]]


@lru_cache(maxsize=1)
def all_pairs(data: Path) -> list[Pair]:
    return [
        align_pair(pair)
        for part in ("train", "dev")
        for pair in read_pairs(data / f"broadcast.{part}.jsonl", target=1)
    ]


def score(data: Path, group: str, fold: int) -> tuple[float, float, int]:
    pairs = all_pairs(data)
    low, high = fold * len(pairs) // FOLDS, (fold + 1) * len(pairs) // FOLDS
    learner = CRF(without=group, threads=1).fit([*pairs[:low], *pairs[high:]])
    found = [
        100 * score_model(learner.model_, pairs[low:high], decode=decode)[1].score("relation_f1")
        for decode in ("viterbi", "mbr")
    ]
    print(f"{time.strftime('%H:%M:%S')} {group or 'all'} {fold}", file=sys.stderr, flush=True)
    return found[0], found[1], len(learner.weights_)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    data = chosen.data / "compression"
    with ProcessPoolExecutor(chosen.jobs) as pool:
        runs = {
            group: [pool.submit(score, data, group, fold) for fold in range(FOLDS)]
            for group in WITHOUT
        }
        results = {group: [run.result() for run in several] for group, several in runs.items()}
    header("What each feature group adds", "benchmarks/ablation.py > docs/benchmarks/ablation.md")
    print("RelF1 at the gold rate of broadcast, annotator 2: means of five folds.\n")
    whole = np.mean(results[""], axis=0)
    rows = []
    for group, values in results.items():
        viterbi, mbr, features = np.mean(values, axis=0)
        rows.append(
            [
                f"without {group}" if group else "all features",
                f"{viterbi:.2f}",
                f"{mbr:.2f}",
                f"{mbr - whole[1]:+.2f}" if group else "",
                " ".join(f"{value[1]:.1f}" for value in values),
                f"{features:.0f}",
            ]
        )
    columns = ["features", "Viterbi", "MBR", "difference", "MBR, folds 1 to 5", "weights"]
    table(columns, rows)


if __name__ == "__main__":
    main()

"""Measure the Gibbs sampler on broadcast and print docs/benchmarks/gibbs.md.

    python benchmarks/gibbs.py > docs/benchmarks/gibbs.md

Times are of one core. The machine is noisy: compare ratios measured in one run, not days.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path

from run import ROOT, best, header, once, peak_memory, table

from learning.gibbs import naive
from treewright.alignment import align_pair
from treewright.compression import score_model
from treewright.corpora import Pair, read_pairs
from treewright.grammar import Grammar, format_rule
from treewright.learning import EM, VB, Gibbs, TrainingSet, flat
from treewright.learning.gibbs import PackedPairs, Sampler, Spread, fit_chains
from treewright.pruning import Model

CHAINS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    data = parser.parse_args().data / "compression"
    pairs = aligned(data / "broadcast.train.jsonl", target=1)
    dev = list(read_pairs(data / "broadcast.dev.jsonl", target=1))
    header("The Gibbs sampler", "benchmarks/gibbs.py > docs/benchmarks/gibbs.md")
    speed(pairs)
    growth([*pairs, *aligned(data / "google.train.jsonl")])
    print(f"Peak memory of all the above: {peak_memory():.0f} MB (required: < 1 GB).\n")
    rules(quality(pairs, dev)[0])


def aligned(path: Path, target: int = 0) -> list[Pair]:
    return [align_pair(pair) for pair in read_pairs(path, target=target)]


def chain(learner: Gibbs, packed: PackedPairs) -> Sampler:
    return learner.sampler(packed, learner.base(packed))


def speed(pairs: list[Pair]) -> None:
    learner = Gibbs()
    packed = learner.prepare(pairs)
    sampler = chain(learner, packed)
    rows = []
    for temperature in (5.0, 2.0, 1.0, 0.5, 0.0):
        for _ in range(20):
            sampler.sweep(temperature)
        seconds = best(lambda t=temperature: [sampler.sweep(t) for _ in range(10)]) / 10
        rows.append((temperature, f"{packed.sites / seconds / 1e6:.2f}", sampler.rules))
    print(f"## Speed: {len(packed.pairs)} pairs of broadcast, {packed.sites} sites\n")
    table(["temperature", "million updates/s (required ≥ 1.5, aim 3)", "distinct rules"], rows)
    few = learner.prepare(pairs[:100])
    base = learner.base(few)
    kernel = learner.sampler(few, base)
    twin = naive.State(pairs[:100], base, alpha=learner.alpha)
    twin.copy_alignments(kernel.to.tolist())
    twin_seconds = once(lambda: naive.sweep(twin, kernel.random, 1.0))
    kernel_seconds = best(lambda: kernel.sweep(1.0))
    hyper = best(sampler.resample_hyperparameters, 3)
    whole = once(lambda: learner.fit_prepared(packed))
    table(
        ["what", "measured", "wanted"],
        [
            [
                "kernel against plain-Python twin, 100 pairs",
                f"{twin_seconds / kernel_seconds:.0f}×",
                "≥ 100×",
            ],
            ["5,000 annealed sweeps and the model", f"{whole:.0f} s", "< 180 s"],
            ["one draw of all hyperparameters", f"{1000 * hyper:.0f} ms", ""],
        ],
    )


def growth(pairs: list[Pair]) -> None:
    rows = []
    for number in (250, 500, 1000, 2000):
        learner = Gibbs()
        packed = learner.prepare(pairs[:number])
        sampler = chain(learner, packed)
        for _ in range(20):
            sampler.sweep(1.0)
        seconds = best(lambda s=sampler: [s.sweep(1.0) for _ in range(10)]) / 10
        rows.append(
            (
                number,
                packed.sites,
                f"{1000 * seconds:.1f}",
                f"{1e9 * seconds / packed.sites:.0f}",
                f"{peak_memory():.0f}",
            )
        )
    print("## Growth: pairs of broadcast, then of google\n")
    table(["pairs", "sites", "ms per sweep", "ns per update", "peak memory so far, MB"], rows)


def quality(pairs: list[Pair], dev: list[Pair]) -> list[Gibbs]:
    training = TrainingSet.prepare(pairs, EM().extraction)
    packed = Gibbs().prepare(pairs)
    chains = fit_chains(Gibbs(), packed, CHAINS, jobs=2)
    drawn = Gibbs(resample_hyperparameters=True, iterations=1000)
    systems: dict[str, list[Model]] = {
        "EM (default, κ = 300)": [EM().fit_prepared(training).model_],
        "EM, κ = 3000": [EM(kappa=3000.0).fit_prepared(training).model_],
        "VB (default, κ = 300)": [VB().fit_prepared(training).model_],
        "VB, κ = 3000": [VB(kappa=3000.0).fit_prepared(training).model_],
        "GS of the paper (add one, no pruning)": [paper_model(chain) for chain in chains],
        "GS (default)": [chain.model_ for chain in chains],
        "GS, α and β drawn, 1,000 sweeps": [
            chain.model_ for chain in fit_chains(drawn, packed, CHAINS, jobs=2)
        ],
    }
    rows = [row(name, models, dev) for name, models in systems.items()]
    print(f"## Quality on broadcast dev (annotator 2), GS as mean ± deviation of {CHAINS} chains\n")
    table(
        [
            "system",
            "rules",
            "RelF1 as decoded",
            "word rate",
            "RelF1 at the gold rate, Viterbi",
            "RelF1 at the gold rate, MBR",
        ],
        rows,
    )
    print("The paper has GS at 61.64 with a rate of 65.52, EM at 57.67 with 64.11, on its split.")
    joints = Spread.of([chain.log_joint_ for chain in chains])
    print(f"Log joint of the default chains: {joints.mean:.0f} ± {joints.deviation:.0f}.")
    return chains


def paper_model(chain: Gibbs) -> Model:
    grammar = Grammar.from_counts(chain.rules_)
    return Model(*flat(grammar, grammar.counts, 1.0))


def row(name: str, models: Sequence[Model], dev: list[Pair]) -> list[str]:
    viterbi = [score_model(model, dev) for model in models]
    mbr = [score_model(model, dev, decode="mbr") for model in models]
    return [
        name,
        f"{statistics.mean(len(model.grammar) for model in models):.0f}",
        spread([decoded.score("relation_f1") for decoded, _ in viterbi]),
        spread([decoded.score("word_rate") for decoded, _ in viterbi]),
        spread([matched.score("relation_f1") for _, matched in viterbi]),
        spread([matched.score("relation_f1") for _, matched in mbr]),
    ]


def spread(values: list[float]) -> str:
    mean = f"{100 * statistics.mean(values):.2f}"
    return mean if len(values) == 1 else f"{mean} ± {100 * statistics.stdev(values):.2f}"


def rules(learner: Gibbs) -> None:
    """Print what the sampler found to delete below ROOT and S, as Tables 3 and 4 of the paper."""
    grammar = learner.model_.grammar
    for root in (("ROOT", "ROOT"), ("S", "S")):
        found = [
            (weight, rule)
            for weight, rule in zip(grammar.weights.tolist(), grammar.rules, strict=True)
            if rule.root == root and rule.is_compression and not any(rule.source.words())
        ]
        found.sort(key=lambda pair: -pair[0])
        print(f"## The most probable {'/'.join(root)} rules that delete and contain no word\n")
        print("```")
        for _, rule in found[:12]:
            print(format_rule(rule))
        print("```\n")


if __name__ == "__main__":
    main()

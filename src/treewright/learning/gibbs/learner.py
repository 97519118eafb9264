"""`Gibbs`: learn a grammar by sampling derivations (Bayesian paper, sections 3.2 and 3.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from treewright.arrays import Ints
from treewright.corpora import Pair
from treewright.errors import Problems, UsageError, choose
from treewright.grammar import (
    PCFG,
    BaseDistribution,
    Grammar,
    NodeAlignment,
    PlainBase,
    Root,
    Rule,
    Unseen,
)
from treewright.learning.checks import check_number, check_whole
from treewright.learning.gibbs.files import NO_FILES, RunFiles
from treewright.learning.gibbs.packing import PackedPairs, read_rules
from treewright.learning.gibbs.prior import RootPairs
from treewright.learning.gibbs.run import Annealing, Run
from treewright.learning.gibbs.sampler import Sampler
from treewright.learning.learner import Learner, fingerprint
from treewright.learning.smoothing import discounted, flat, predictive
from treewright.progress import SILENT, Progress
from treewright.pruning import Model, StepPruning
from treewright.randomness import generator


@dataclass(kw_only=True)
class Gibbs(Learner[PackedPairs, Model]):
    """Collapsed Gibbs sampling under one Dirichlet process per root pair.

    `alpha` and `beta` may be set for single root pairs and categories (`alphas`, `betas`). The
    rules come from the state with the greatest log joint, or with `samples` from that many states
    drawn at temperature 1 after it, `spacing` sweeps apart, with their counts averaged.

    A chain starts at a `"random"` derivation (the paper's), at the `"minimal"` rules that the word
    alignment allows, or with every pair as one `"whole"` rule.

    `smoothing` says how prediction treats what the state does not hold: `"flat"` adds one to every
    count (the paper's), `"p0"` is the Dirichlet process's own predictive distribution, `"plain"`
    spreads κ counts over copy and deletion rules in proportion to the source PCFG's probabilities
    of their productions, and with them the `discount` it takes off each rule's count: a single
    occurrence says little.

    After `fit`: `model_`, `log_joint_` (of the best state, with the priors of hyperparameters that
    are drawn), `rules_` (their counts) and `reports_`.
    """

    alpha: float = 100.0
    beta: float = 0.1
    alphas: Mapping[str, float] = field(default_factory=dict)
    betas: Mapping[str, float] = field(default_factory=dict)
    beta_at_root: bool = False
    count_insertions: bool = True
    pcfg: str = "sides"
    insertions: bool = False
    iterations: int = 5000
    schedule: str = "linear"
    hottest: float = 5.0
    coldest: float = 0.0
    start: str = "random"
    resample_hyperparameters: bool = False
    samples: int = 0
    spacing: int = 20
    smoothing: str = "plain"
    kappa: float = 3000.0
    discount: float = 0.8
    pruning: bool = True
    seed: int = 0

    name = "gibbs"

    def __post_init__(self) -> None:
        for name, least in (("iterations", 1), ("samples", 0), ("spacing", 1), ("seed", 0)):
            check_whole(name, getattr(self, name), least=least)
        for name, value in {"alpha": self.alpha, **_named("alpha", self.alphas)}.items():
            check_number(name, value, above=0.0)
        for name, value in {"beta": self.beta, **_named("beta", self.betas)}.items():
            check_number(name, value, above=0.0, below=1.0)
        check_number("kappa", self.kappa, above=0.0)
        check_number("discount", self.discount, least=0.0, most=1.0)
        if self.insertions and not self.count_insertions:
            raise UsageError("insertions are sampled only where P0 counts them (count_insertions)")
        choose(self.start, ("random", "minimal", "whole"), "start")
        choose(self.pcfg, ("sides", "both"), "pcfg")
        choose(self.smoothing, ("flat", "p0", "plain"), "smoothing")
        self._annealing()

    def _annealing(self) -> Annealing:
        return Annealing(self.schedule, self.hottest, self.coldest, self.iterations)

    def fit(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
        files: RunFiles = NO_FILES,
    ) -> Self:
        """Learn from word-aligned pairs."""
        packed = self.prepare(pairs, problems=problems, progress=progress)
        return self.fit_prepared(packed, progress=progress, files=files)

    def prepare(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> PackedPairs:
        """Pack once what several runs of this learner may share."""
        return PackedPairs.pack(
            pairs, insertions=self.insertions, problems=problems, progress=progress
        )

    def fit_prepared(
        self, packed: PackedPairs, *, progress: Progress = SILENT, files: RunFiles = NO_FILES
    ) -> Self:
        """Learn from packed pairs."""
        data = fingerprint(packed.pairs)
        base = self.base(packed)
        run = Run(
            self.sampler(packed, base),
            self._annealing(),
            resample=self.resample_hyperparameters,
            settings={k: v for k, v in self.settings().items() if k not in _PREDICTION},
            data=data,
        )
        run.finish(files, progress)
        self.log_joint_ = run.best
        self.reports_ = run.reports
        states = [read_rules(packed, to) for to in self._states(run, progress)]
        self.rules_ = _average(states)
        self.model_ = self._model(packed, base, run, states, data)
        return self

    def base(self, packed: PackedPairs) -> BaseDistribution:
        """Return P0 over the productions of the training pairs."""
        for name in self.betas.keys() - set(packed.labels.names):
            raise UsageError(f"the category {name!r}, given a beta, does not occur in the pairs")
        source = PCFG.read_off(pair.source for pair in packed.pairs)
        target = PCFG.read_off(pair.target_tree for pair in packed.pairs)
        if self.pcfg == "both":
            source = target = PCFG(Counter(source.counts) + Counter(target.counts))
        return BaseDistribution(
            source, target, self.beta, self.beta_at_root, self.count_insertions, self.betas
        )

    def sampler(self, packed: PackedPairs, base: BaseDistribution) -> Sampler:
        """Return a chain at its start."""
        sampler = Sampler(packed, base, generator(self.seed), alpha=self.alpha, alphas=self.alphas)
        if self.start == "random":
            sampler.start_at_random()
        elif self.start == "minimal":
            sampler.start_at(NodeAlignment.of(pair) for pair in packed.pairs)
        return sampler

    def _states(self, run: Run, progress: Progress) -> Iterator[Ints]:
        """Yield the best state, or states drawn from the posterior after it."""
        if self.samples == 0:
            yield run.best_to
            return
        sampler = run.sampler
        sampler.nodes["to"] = run.best_to
        sampler.roots["alpha"], sampler.betas[:] = run.best_alphas, run.best_betas
        sampler.refresh()
        for _ in progress.track(range(self.samples), "drawing from the posterior", self.samples):
            for _ in range(self.spacing):
                sampler.sweep(1.0)
            yield sampler.to.copy()

    def _model(
        self,
        packed: PackedPairs,
        base: BaseDistribution,
        run: Run,
        states: Sequence[Mapping[Rule, int]],
        data: str,
    ) -> Model:
        grammar = Grammar.from_counts(self.rules_)
        counts = grammar.counts
        weighted: tuple[Grammar, Unseen]
        if self.smoothing == "flat":
            weighted = flat(grammar, counts, 1.0)
        elif self.smoothing == "p0":
            betas = dict(zip(packed.labels.names, run.best_betas.tolist(), strict=True))
            drawn = replace(base, betas=betas)
            weighted = predictive(grammar, counts, drawn, self.alpha, self._alphas(packed, run))
        else:
            plain = PlainBase(base.source)
            rows = np.array([[state.get(rule, 0) for rule in grammar.rules] for state in states])
            weighted = discounted(grammar, rows, plain, self.kappa, self.discount)
        pruning = StepPruning.learn(packed.pairs) if self.pruning else None
        weights, unseen = weighted
        metadata = self.about(len(packed.pairs), data, iterations=run.iteration, objective=run.best)
        return Model(weights, unseen, metadata, pruning)

    def _alphas(self, packed: PackedPairs, run: Run) -> dict[Root, float]:
        """Return the concentration of every root pair in use whose concentration is not the
        default.
        """
        pairs = RootPairs(packed.labels.names)
        found = np.flatnonzero(run.best_alphas != self.alpha)
        return {pairs.pair(int(root)): float(run.best_alphas[root]) for root in found}


_PREDICTION = ("samples", "spacing", "smoothing", "kappa", "discount", "pruning")
"""Settings that do not affect the run: one checkpoint serves several of them."""


def _named(name: str, values: Mapping[str, float]) -> dict[str, float]:
    return {f"{name} of {key}": value for key, value in values.items()}


def _average(states: Sequence[Mapping[Rule, int]]) -> Mapping[Rule, float]:
    counts: Counter[Rule] = Counter()
    for state in states:
        counts.update(state)
    return {rule: count / len(states) for rule, count in counts.items()}

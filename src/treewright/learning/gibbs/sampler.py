"""`Sampler`: one Markov chain over the derivations of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from scipy.special import gammaln

from treewright.arrays import Ints
from treewright.compiling import expect_work
from treewright.errors import UsageError
from treewright.grammar import UNALIGNED, BaseDistribution, NodeAlignment
from treewright.learning.gibbs.arrays import RULE, Records, Rules
from treewright.learning.gibbs.packing import PackedPairs, write_alignments
from treewright.learning.gibbs.prior import (
    draw_alphas,
    draw_betas,
    log_priors,
    log_productions,
    log_rules,
    log_ways,
    make_roots,
    set_betas,
)

_FIRST_TABLE = 1024


class Sampler:
    """The state of a chain, the rules it uses and its log joint probability.

    The alignment of every node (`to`) and the parameters determine everything; the rest follows
    (`refresh`). Kernels are given random numbers, not the generator: numba would call Python to
    take it apart, and an interrupt at that moment ends in a segmentation fault. The fields of a
    table from a compiled kernel are reached by name in an uncompiled one only after `view`.
    """

    def __init__(
        self,
        packed: PackedPairs,
        base: BaseDistribution,
        random: np.random.Generator,
        *,
        alpha: float,
        alphas: Mapping[str, float] | None = None,
    ) -> None:
        if packed.insertions and not base.insertions:
            raise UsageError("insertions are sampled, but the base distribution excludes them")
        expect_work(len(packed.pairs))
        self.packed = packed
        self.random = random
        self.nodes = packed.nodes.copy()
        self.layout = packed.layout._replace(site=packed.layout.site.copy())
        self.roots = make_roots(packed, alpha, alphas or {})
        self.betas = np.array([base.beta_of(label) for label in packed.labels.names])
        self._alpha_means, self._beta_means = self.roots["alpha"].copy(), self.betas.copy()
        self.order = np.arange(len(packed.pairs), dtype=np.int32)
        sites = np.diff(packed.layout.site_start)
        self._draws = len(sites) - 1 + int(sites.sum() + np.maximum(sites - 1, 0).sum())
        self._beta_at_root = base.beta_at_root
        self._productions = log_productions(packed, base)
        self._ways = log_ways(packed, insertions=base.insertions)
        self.nodes["to"] = UNALIGNED
        self.nodes["to"][self.layout.source_start[:-1]] = self.layout.target_start
        self.refresh()

    @property
    def to(self) -> Ints:
        """The alignment of every node."""
        return np.asarray(self.nodes["to"])

    @property
    def log_hyperprior(self) -> float:
        """The log-density of α (for the root pairs in use) and β under their priors."""
        used = self.roots["total"] > 0
        return log_priors(
            self.roots["alpha"][used], self._alpha_means[used], self.betas, self._beta_means
        )

    @property
    def rules(self) -> int:
        """The number of distinct rules in use."""
        return int(self.size[1])

    def start_at_random(self) -> None:
        """Move to a random derivation of every pair."""
        from treewright.learning.gibbs import _state_kernels

        _state_kernels.scatter(self.nodes, self.layout, self.random.random(self.packed.sites))
        self.refresh()

    def start_at(self, alignments: Iterable[NodeAlignment]) -> None:
        """Move to given alignments of every pair's nodes."""
        self.nodes["to"] = write_alignments(self.packed, alignments)
        self.refresh()

    def refresh(self) -> None:
        """Recompute everything from alignments and parameters: fragments, counts and the
        log joint.
        """
        from treewright.learning.gibbs import _state_kernels

        set_betas(self.nodes, self._productions, self.betas, at_root=self._beta_at_root)
        self.roots["log_alpha"] = np.log(self.roots["alpha"])
        _state_kernels.fill_fragments(self.nodes, self.layout)
        self.size = np.zeros(2, dtype=np.int64)
        empty = np.zeros(_FIRST_TABLE, dtype=RULE)
        table = _state_kernels.count_rules(self.nodes, self.layout, self._rules(empty))
        self.table = table.view(RULE)
        self.log_joint = log_joint(self.table, self.roots)

    def sweep(self, temperature: float) -> int:
        """Draw every site's alignment once, in random order; return how many changed."""
        from treewright.learning.gibbs import _kernels

        table, changed, gain = _kernels.sweep(
            self.nodes,
            self.layout,
            self._rules(self.table),
            self.order,
            self.random.random(self._draws),
            float(temperature),
        )
        self.table = table.view(RULE)
        self.log_joint += gain
        return int(changed)

    def _rules(self, table: Records) -> Rules:
        return Rules(table, self.size, self.roots, self._ways)

    def resample_hyperparameters(self) -> None:
        """Draw α of every root pair and β of every category given the state."""
        from treewright.learning.gibbs import _kernels

        self.roots["alpha"] = draw_alphas(self.table, self.roots, self._alpha_means, self.random)
        self.refresh()
        copies = int(self.table["count"].sum()) - self.rules
        expanded, stopped = _kernels.count_decisions(
            self.nodes, self.table, len(self.betas), self._beta_at_root, self.random.random(copies)
        )
        self.betas[:] = draw_betas(expanded, stopped, self._beta_means, self.random)
        self.refresh()


def log_joint(table: Records, roots: Records) -> float:
    """Return the log-probability of all rules, with the processes integrated out (equation 4)."""
    used = table[table["count"] > 0]
    seen = roots[roots["total"] > 0]
    processes = gammaln(seen["alpha"]) - gammaln(seen["alpha"] + seen["total"])
    return float(log_rules(used, roots["log_alpha"]).sum() + processes.sum())

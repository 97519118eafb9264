"""`Acceptance`: the probability that a reader accepts what a version leaves of a sentence.

A version is acceptable if nobody minds any of its losses and any of its seams. Taken as
independent, its probability is a product, and its log a sum over the edges of a forest: so it takes
part in the search for the best version, and is known for the version found.

    log P(acceptable) = Σ_losses log σ(w · φ(loss)) + Σ_seams log σ(u · ψ(seam))

A network that has learned from readers itself has a say in both (`Prices.regrets`, `clashes`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools
from treewright.forest import expectation
from treewright.modelfile import Part
from treewright.pruning._kernels import sum_dropped
from treewright.pruning.acceptance import _kernels
from treewright.pruning.acceptance.losses import (
    ORPHAN,
    WEIGHED,
    Feature,
    Losses,
    dropped_nodes,
)
from treewright.pruning.acceptance.neighbours import Ints, Neighbours
from treewright.pruning.acceptance.seams import (
    CHANCE,
    CLASH,
    SEAM_FEATURES,
    SURPRISE,
    SeamWeights,
    Seen,
    Told,
    seam_features,
    seams_of,
)
from treewright.pruning.forests import CompressionForest
from treewright.pruning.gaps import Gaps
from treewright.pruning.guards import orphans
from treewright.trees import TreeTable

Floats = NDArray[np.float64]

PARTS = ("acceptance.json", "acceptance/*")
"""The parts of a model file that hold it."""
_BOUND = 9.2
"""Log-odds of dropping are certain enough there: a ten-thousandth."""
_DISPENSABLE = math.log(0.8)
"""What a loss must be given so that it may go although it may carry the claim: of versions with
such losses, each text judged by what was learned from others, readers accepted some 85 % of those
rated 0.8 or more, and half of those rated 0.5.
"""
_BEARABLE = math.log(0.7)
"""What the losses of a whole part must be given together: of versions without parts like these,
readers accepted 77 % of those rated 0.7 to 0.8, and more above (docs/benchmarks/reading.md).
"""
_FOLDER = "acceptance"
_SEAM_NAMES = (*SEAM_FEATURES, "constant")


@dataclass(frozen=True, eq=False)
class Judged:
    """What the estimate knows about one sentence: the log-probability that each node may go.

    Most nodes may never go, so nodes are judged when they are asked for; others are not a number.
    If what English needs is `priced`, losing it is at most as acceptable as people's habit says.
    """

    acceptance: Acceptance
    losses: Losses
    nodes: Floats
    odds: Floats
    regrets: Floats
    classes: Ints
    tags: Ints
    told: Told
    priced: bool = True

    def edge_weights(self, forest: CompressionForest) -> Floats:
        """Return the log-probability that readers accept what each edge drops."""
        end, used = self.source.arrays.end, forest.edges.gap
        self._judge(np.flatnonzero(_kernels.dropped_anywhere(forest.gaps[:], end, used)).tolist())
        weights: Floats = _kernels.sum_by_edge(forest.gaps[:], end, used, self.nodes)
        return weights

    @property
    def source(self) -> TreeTable:
        """The sentence."""
        return self.losses.source

    def _judge(self, nodes: Sequence[int]) -> None:
        """Find out the log-probabilities of these nodes, if that is still to be done."""
        acceptance, losses = self.acceptance, self.losses
        asked = np.array(nodes, dtype=np.int64)
        asked = asked[np.isnan(self.nodes[asked])]
        if not len(asked):
            return
        self.nodes[asked] = 0.0
        worded = [node for node in asked.tolist() if losses.num_words(node)]
        asked = np.array(worded, dtype=np.int64)
        weigh = acceptance.losses.get
        # Most features have no weight.
        sums = [sum(filter(None, map(weigh, losses.features(node)))) for node in worded]
        values = np.array(sums) + (acceptance.odds * self.odds[asked] + acceptance.constant)
        values -= acceptance.regret * self.regrets[asked]
        self.nodes[asked] = -np.logaddexp(0.0, -values)
        prices = acceptance.grammar
        for node in worded if self.priced else ():
            if node in losses.needed:
                price = prices.get(losses.needed[node], prices[""])
                self.nodes[node] = min(self.nodes[node], price)

    def dispensable(self, nodes: Collection[int]) -> frozenset[int]:
        """Return which of these nodes hardly any reader would miss; none if the estimate has not
        learned what the loss of such nodes does.
        """
        if not nodes or WEIGHED not in self.acceptance.losses:
            return frozenset()
        asked = sorted(nodes)
        self._judge(asked)
        return frozenset([x for x in asked if self.nodes[x] >= _DISPENSABLE])

    def bearable(self, gaps: Gaps, parts: Bools) -> Bools:
        """Return which of these gaps drop what hardly any reader would miss, taken together; none
        if the estimate has not learned what such losses do.
        """
        if not parts.any() or WEIGHED not in self.acceptance.losses:
            return np.zeros_like(parts)
        end = self.source.arrays.end
        dropped = _kernels.dropped_anywhere(gaps[:], end, np.flatnonzero(parts).astype(np.int32))
        self._judge(np.flatnonzero(dropped).tolist())
        bearable: Bools = parts & (sum_dropped(gaps[:], end, self.nodes) >= _BEARABLE)
        return bearable

    @property
    def seams(self) -> Seen:
        """What tells how acceptable its seams are."""
        table = self.acceptance.neighbours.table
        return Seen(self.acceptance.seams, table, self.classes, self.tags, self.told)

    def log_probability(self, kept: Sequence[int]) -> float:
        """Return the log-probability that a version is accepted, by the tokens that it keeps."""
        source = self.source
        size = len(source.words)
        if len(kept) == size:
            return 0.0
        dropped = dropped_nodes(source, kept)
        self._judge(dropped)
        total = float(self.nodes[dropped].sum())
        seams = seams_of(kept, size)
        neighbours = self.acceptance.neighbours
        features = seam_features(neighbours, self.classes, seams, self.told)
        odds = self.acceptance.seams.odds(features, self.tags, seams)
        total -= float(np.logaddexp(0.0, -odds).sum())
        return total + sum(map(self._of_orphan, orphans(source, kept)))

    def _of_orphan(self, place: int) -> float:
        """Return the log-probability that readers accept a pronoun without what it refers to.

        No edge knows of it: what is found is judged by it where no guard has seen to that.
        """
        acceptance, losses = self.acceptance, self.losses
        if ORPHAN not in acceptance.losses:
            return 0.0
        known = sum(acceptance.losses.get(feature, 0.0) for feature in losses.of_orphan(place))
        regret = acceptance.regret * self.regrets[self.source.leaves[place]]
        return -float(np.logaddexp(0.0, regret - known - acceptance.constant))

    def probability(self, kept: Sequence[int]) -> float:
        """Return the probability that a version is accepted."""
        return math.exp(self.log_probability(kept))


@dataclass(frozen=True, eq=False)
class Acceptance:
    """Weights of losses and seams, with the statistics of neighbours that seams are judged by.

    `losses` has a weight per feature. Beside them, a loss counts the model's own log-odds of
    dropping it (`odds`), a constant, and what its network expects readers to `regret`, if it was
    trained together with these weights. `grammar` has the log of how often people drop what English
    needs, by what needs it, and under "" overall.
    """

    losses: Mapping[Feature, float]
    odds: float
    constant: float
    seams: SeamWeights
    neighbours: Neighbours
    grammar: Mapping[str, float]
    regret: float = 0.0

    def judge(
        self, forest: CompressionForest, needed: Mapping[int, str], *, priced: bool = True
    ) -> Judged:
        """Judge every loss of a sentence, from its forest before guards restrict it.

        `needed` are the nodes that English needs, with what needs them; they do not matter, and may
        be left out, where none of them may go.
        """
        source = forest.source
        tags = [source.labels[leaf] for leaf in source.leaves]
        return Judged(
            self,
            Losses.of(source, self.neighbours.bonds, needed),
            np.full(len(source), np.nan),
            drop_odds(forest),
            np.zeros(len(source)) if forest.regrets is None else forest.regrets,
            self.neighbours.classes(source.words, tags),
            self.seams.number(tags),
            Told.of(forest),
            priced,
        )

    def parts(self) -> dict[str, bytes]:
        """Return the parts of a model file that hold it."""
        values = {
            "losses": [[*feature, round(weight, 4)] for feature, weight in self.losses.items()],
            "odds": self.odds,
            "constant": self.constant,
            "regret": self.regret,
            "seams": dict(zip(_SEAM_NAMES, self.seams.features.tolist(), strict=True)),
            "tags": [[*pair, round(weight, 4)] for pair, weight in self.seams.pairs.items()],
            "grammar": dict(self.grammar),
            "neighbours": self.neighbours.as_dict(),
        }
        text = json.dumps(values, ensure_ascii=False, sort_keys=True)
        return {PARTS[0]: text.encode(), **self.neighbours.parts(_FOLDER)}

    @classmethod
    def restore(cls, parts: Mapping[str, Part]) -> Self | None:
        """Undo `parts`; `None` if there are none."""
        if PARTS[0] not in parts:
            return None
        values: dict[str, Any] = json.loads(bytes(parts[PARTS[0]]))
        # A model made before there were surprises, chances or clashes does without them.
        of_seams = {SURPRISE: 0.0, CHANCE: 0.0, CLASH: 0.0, **values["seams"]}
        features = np.array([of_seams[name] for name in _SEAM_NAMES], dtype=np.float64)
        pairs = {(str(left), str(right)): float(w) for left, right, w in values["tags"]}
        restored = cls(
            {tuple(map(str, feature)): float(weight) for *feature, weight in values["losses"]},
            float(values["odds"]),
            float(values["constant"]),
            SeamWeights.of(features, pairs),
            Neighbours.restore(values["neighbours"], parts, _FOLDER),
            {str(kind): float(weight) for kind, weight in values["grammar"].items()},
            float(values.get("regret", 0.0)),
        )
        _check(restored)
        return restored


def _check(acceptance: Acceptance) -> None:
    """Refuse weights that no version could be judged by."""
    seams, prices = acceptance.seams, acceptance.grammar.values()
    own = (acceptance.odds, acceptance.constant, acceptance.regret)
    weights = [*own, *acceptance.losses.values(), *seams.features, *seams.pairs.values(), *prices]
    if not np.isfinite(weights).all():
        raise ValueError("a weight of acceptance is not finite")
    if "" not in acceptance.grammar or max(prices) > 0.0:
        raise ValueError("prices of grammar are logs of shares, with one for everything")


def drop_odds(forest: CompressionForest) -> Floats:
    """Return the model's log-odds of dropping each node if its parent stays."""
    if forest.joint is not None:
        of_gap: Floats = forest.joint.uses.gaps
    else:
        _, uses = expectation(forest.forest, forest.weights)
        gap = forest.edges.gap
        counts = np.bincount(gap[gap >= 0], uses[gap >= 0], minlength=len(forest.gaps.parent))
        of_gap = counts.astype(np.float64)
    odds: Floats = _kernels.odds_of_dropping(
        forest.gaps[:], forest.source.arrays.end, of_gap, _BOUND
    )
    return odds

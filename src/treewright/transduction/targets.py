"""`TargetForest`: all rewritings of one source tree, and how to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.corpora import is_word
from treewright.forest import CountCurve, Derivation, Forest, best_by_count, viterbi
from treewright.grammar import Gaps, Grammar, Rule, copy_rule, deletion_rule, pruning_rule
from treewright.transduction.application import Application, Kept, Partial, Result, flatten, join
from treewright.transduction.consensus import TRUST as CONSENSUS_TRUST
from treewright.transduction.consensus import consensus_weights
from treewright.transduction.pairs import PRICE, AgreedCurve, Pairs
from treewright.transduction.pairs import TRUST as PAIRS_TRUST
from treewright.transduction.probable import most_probable
from treewright.transduction.variety import best_different
from treewright.trees import Tree
from treewright.trees.heads import head_words
from treewright.trees.packed import children_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


Curve = CountCurve | AgreedCurve
"""The best rewriting of every number of words, in one sense or another."""


@dataclass(frozen=True, eq=False)
class Target:
    """A rewritten tree with its log-weight, where each word comes from (-1: inserted), and why."""

    tree: Tree
    score: float
    positions: tuple[int, ...]
    derivation: Derivation
    forest: TargetForest

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the derivation, from the root down."""
        return tuple(self.forest.rules(self.derivation))

    @property
    def unseen(self) -> int:
        """How many of the rules the grammar did not have."""
        own = self.forest.forest.label[list(self.derivation.edges())] - len(self.forest.grammar)
        gap = own - 2 * len(self.forest.source.nodes)
        closes = self.forest.source.gaps.closes
        return int(np.count_nonzero(own[gap < 0] >= 0) + np.count_nonzero(closes[gap[gap >= 0]]))


@dataclass(frozen=True)
class SourceNodes:
    """A source tree in preorder: its nodes, the index behind each subtree, words to the left.

    `gaps` are those that its children may be dropped in.
    """

    nodes: Sequence[Tree]
    end: list[int]
    left: list[int]
    gaps: Gaps

    @cached_property
    def own_words(self) -> Ints:
        """Words put out by each of the tree's own edges: only copies of preterminals do."""
        counts = np.zeros(2 * len(self.nodes) + len(self.gaps.parent), dtype=np.int32)
        counts[: 2 * len(self.nodes) : 2] = [
            node.word is not None and is_word(node.word) for node in self.nodes
        ]
        return counts

    @cached_property
    def completed(self) -> list[int]:
        """The node that each gap completes, -1 if it does not close."""
        gaps = self.gaps
        completed: list[int] = np.where(gaps.closes, gaps.parent, -1).tolist()
        return completed

    @cached_property
    def copies(self) -> Ints:
        """The place of the word that the copy of each node puts out; -1 where it has none."""
        words = [node.word is not None for node in self.nodes]
        return np.where(words, np.array(self.left), -1).astype(np.int32)

    @cached_property
    def is_word(self) -> NDArray[np.bool_]:
        """Which tokens are words; the others are punctuation."""
        return np.array([is_word(node.word) for node in self.nodes if node.word is not None])

    @cached_property
    def governors(self) -> Ints:
        """The place of the token that governs each token, by semantic heads; -1 for the topmost."""
        heads = head_words(self.nodes[0], semantic=True)
        governors = np.full(len(self.is_word), -1, dtype=np.int32)
        for x in range(len(self.nodes)):
            for child in children_of(self.end, x):
                if heads[child] != heads[x]:
                    governors[heads[child]] = heads[x]
        return governors

    def own_rule(self, number: int) -> Rule:
        """Return the copy (even) or deletion (odd) rule of the production at node `number // 2`."""
        node = self.nodes[number // 2]
        make = deletion_rule if number % 2 else copy_rule
        return make(node.label, labels(node), word=node.word)


@dataclass(frozen=True, eq=False)
class TargetForest:
    """A forest over (source node, target category or ε), with the log-weight of every edge.

    Labels are rule numbers of the grammar; label `len(grammar) + k` is own edge `k` of the tree:
    with n nodes, `2x` copies and `2x + 1` deletes the production at node `x`, or with
    `deletes_whole` all that it dominates; `2n + g` is gap `g`, and completes its node if it closes.
    `node_source` and `node_target` say what a forest node stands for (-1: inserted, and ε).

    `ties` rule gaps out by which head words are kept: `ties[g, a + 2 * b]`, where `a` is 1 if that
    of its node is, and `b` if that of the child it ends in is. Only `agreed_curve` of prunings can
    tell, and does.
    """

    grammar: Grammar
    application: Callable[[int], Application]
    target_words: Ints
    source: SourceNodes
    forest: Forest
    weights: Floats
    node_source: Ints
    node_target: Ints
    deletes_whole: bool = False
    ties: NDArray[np.bool_] | None = None

    def best(self) -> Target | None:
        """Return the rewriting of greatest weight, or `None` where there is none."""
        found = viterbi(self.forest, self.weights)
        return None if found is None else self.target(found[1], score=found[0])

    def nbest(self, number: int, *, limit: int | None = None) -> list[Target]:
        """Return the best rewritings, all different, of at most `limit` words; exact."""
        ranked = best_different(self, number, limit=limit)
        targets = (self.target(derivation, score=score) for score, derivation in ranked)
        return [target for target in targets if target is not None]

    def curve(
        self,
        limit: int | None = None,
        *,
        weights: Floats | None = None,
        costs: ArrayLike | None = None,
    ) -> CountCurve:
        """Return the best rewriting for every number of words up to `limit`.

        By default that is as many as the source has; insertions alone could go beyond. Other
        `weights` of the edges make another rewriting the best. With `costs`, whole numbers of at
        least 0, one a token of the source, their sum takes the place of the number of words.
        """
        counts = self._counts(costs)
        limit = self._most(costs) if limit is None else limit
        weights = self.weights if weights is None else weights
        return best_by_count(self.forest, weights, counts, limit)

    def agreed_curve(
        self,
        limit: int | None = None,
        *,
        price: float | Floats = PRICE,
        trust: float | None = None,
        costs: ArrayLike | None = None,
    ) -> Curve:
        """Return the rewriting of least Bayes risk for every number of words, or sum of `costs`.

        Exact where all that a model does is prune (`pairs/`); with rules of a grammar, nearly so
        (`consensus.py`). `price` is the probability that a word has to be worth, perhaps each its
        own, and `trust` what a unit of log-weight counts, where not as much as there.
        """
        if not len(self.grammar):
            limit = self._most(costs) if limit is None else limit
            trust = PAIRS_TRUST if trust is None else trust
            return Pairs.of(self).curve(limit, trust, price=price, counts=self._counts(costs))
        trust = CONSENSUS_TRUST if trust is None else trust
        return self.curve(limit, weights=consensus_weights(self, trust, price=price), costs=costs)

    def _most(self, costs: ArrayLike | None) -> int:
        own = self.source.own_words if costs is None else np.asarray(costs)
        return int(own.sum())

    def _counts(self, costs: ArrayLike | None) -> Ints:
        """Return what each edge adds to the count: its words, or the costs of their tokens."""
        if costs is None:
            return self.word_counts()
        edges, places = self.word_edges
        counts = np.zeros(self.forest.num_edges, dtype=np.int32)
        np.add.at(counts, edges, np.asarray(costs)[places])
        return counts

    def most_probable(
        self, *, samples: int = 100, seed: int = 0, least: int = 0, most: int | None = None
    ) -> Target | None:
        """Return the most probable rewriting of `least` to `most` words; see `probable.py`.

        Its score is, as always, that of its best derivation.
        """
        found = most_probable(self, samples=samples, seed=seed, least=least, most=most)
        return None if found is None else self.target(found[1])

    def word_counts(self) -> Ints:
        """Return the number of words (tokens with a letter or digit) each edge puts out."""
        return spread(self.forest.label, self.target_words, self.source.own_words)

    @cached_property
    def word_edges(self) -> tuple[Ints, Ints]:
        """The edges that put out words of the source, and the places of these words."""
        own = self.forest.label - np.int32(len(self.grammar))
        copies = self.source.copies
        node = np.where((own >= 0) & (own % 2 == 0) & (own < 2 * len(copies)), own // 2, 0)
        place = np.where(own >= 0, copies[node], -1)
        edges = np.flatnonzero(place >= 0).astype(np.int32)
        if own.min(initial=0) >= 0:
            return edges, place[edges].astype(np.int32)
        of_rules = [
            (edge, position)
            for edge in np.flatnonzero(own < 0).tolist()
            for position in self._rule_positions(edge)
        ]
        both = np.array(of_rules, dtype=np.int32).reshape(-1, 2)
        return np.append(both[:, 0], edges), np.append(both[:, 1], place[edges]).astype(np.int32)

    def _rule_positions(self, edge: int) -> list[int]:
        rule = self.application(int(self.forest.label[edge]))
        root = int(self.node_source[self.forest.head[edge]])
        return rule.positions(root, self.source.end, self.source.left)

    def positions(self, uses: Floats) -> tuple[int, ...]:
        """Return the places of the words of a derivation, given how often it uses each edge.

        In the order of the source: where rules keep that, it is the target's.
        """
        edges, places = self.word_edges
        return tuple(sorted(places[uses[edges] > 0].tolist()))

    def rule(self, edge: int) -> Rule:
        """Return the rule of a forest edge."""
        label = int(self.forest.label[edge])
        own = label - len(self.grammar)
        if own >= 0 and own % 2 and self.deletes_whole:
            return Rule(self.source.nodes[own // 2], None, ())
        return self.grammar.rules[label] if own < 0 else self.source.own_rule(own)

    def rules(self, derivation: Derivation) -> Iterator[Rule]:
        """Yield the rules of a derivation from the root down, a walk over gaps as one rule."""
        first_gap = len(self.grammar) + 2 * len(self.source.nodes)
        stack = [derivation]
        while stack:
            step = stack.pop()
            gap = int(self.forest.label[step.edge]) - first_gap
            if gap < 0:
                yield self.rule(step.edge)
                stack.extend(reversed(step.children))
                continue
            node = self.source.nodes[self.source.gaps.parent[gap]]
            kept, below = self._unchain(step, first_gap)
            yield pruning_rule(node.label, labels(node), kept)
            stack.extend(reversed(below))

    def _unchain(self, step: Derivation, first_gap: int) -> tuple[list[bool], list[Derivation]]:
        """Return which children a walk over gaps keeps, and how each is derived."""
        gaps = self.source.gaps
        kept: list[bool] = []
        below: list[Derivation] = []
        going_on = True
        while going_on:
            gap = int(self.forest.label[step.edge]) - first_gap
            going_on = bool(gaps.left[gap] >= 0)
            parts = step.children[1:] if going_on else step.children
            keeps = int(gaps.right[gap] >= 0 and not gaps.pauses[gap])
            below[:0] = parts
            kept[:0] = [False] * (len(parts) - keeps) + [True] * keeps
            step = step.children[0]
        return kept, below

    def target(self, derivation: Derivation, *, score: float | None = None) -> Target | None:
        """Read the target tree off a derivation; `None` if it deletes everything."""
        partial = derivation.fold(self.apply)
        if not isinstance(partial, Partial):
            return None
        if score is None:
            score = derivation.score(self.weights)
        return Target(partial.tree, score, flatten(partial.positions), derivation, self)

    @cached_property
    def _edges(self) -> list[tuple[int, int]]:
        """Each edge's label and the source node of its head: what `apply` asks for most."""
        roots = self.node_source[self.forest.head]
        return list(zip(self.forest.label.tolist(), roots.tolist(), strict=True))

    def apply(self, edge: int, tails: Sequence[Result]) -> Result:
        """Put the results of an edge's tails together by its rule; `None` is nothing kept."""
        label, root = self._edges[edge]
        own = label - len(self.grammar)
        if own >= 0:
            return self._apply_own(own, tails)
        application = self.application(label)
        if application.copied is not None:
            return Partial(application.copied, (self.source.left[root],))
        if not application.steps:
            return None
        words = application.word_positions(root, self.source.end, self.source.left)
        return application.build(tails, words)

    def _apply_own(self, own: int, tails: Sequence[Result]) -> Result:
        gap = own - 2 * len(self.source.nodes)
        if gap < 0:
            return None if own % 2 else self._copy(own // 2, tails)
        children = [part for part in tails if isinstance(part, Partial)]
        before = tails[0]
        kept = (*before.children, *children) if isinstance(before, Kept) else tuple(children)
        completes = self.source.completed[gap]
        return Kept(kept) if completes < 0 else join(self.source.nodes[completes].label, kept)

    def _copy(self, x: int, tails: Sequence[Result]) -> Partial:
        node = self.source.nodes[x]
        if node.word is not None:
            return Partial(node, (self.source.left[x],))
        return join(node.label, [tail for tail in tails if isinstance(tail, Partial)])


def labels(node: Tree) -> tuple[str, ...]:
    """Return the labels of a node's children."""
    return tuple([child.label for child in node.children])


Scalar = TypeVar("Scalar", bound=np.generic)


def spread(label: Ints, of_rule: NDArray[Scalar], own: NDArray[Scalar]) -> NDArray[Scalar]:
    """Give every edge the value of its rule, or of the tree's own rule behind the grammar's."""
    beyond = label >= len(of_rule)
    if not beyond.any():
        return of_rule[label]
    values = np.empty(len(label), dtype=of_rule.dtype)
    values[~beyond] = of_rule[label[~beyond]]
    values[beyond] = own[label[beyond] - len(of_rule)]
    return values

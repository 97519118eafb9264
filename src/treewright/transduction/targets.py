"""`TargetForest`: all rewritings of one source tree, and how to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.arrays import Bools, Floats, Ints
from treewright.corpora import is_word
from treewright.forest import CountCurve, Derivation, Forest, best_by_count, viterbi
from treewright.grammar import Grammar, Rule, copy_rule, deletion_rule
from treewright.transduction.application import (
    Application,
    Partial,
    Result,
    Strung,
    flatten,
    join,
    read_string,
)
from treewright.transduction.labels import (
    COPY,
    DELETE,
    EdgeColumns,
    EdgeKind,
    EdgeLabel,
    EdgeLabels,
)
from treewright.transduction.probable import most_probable
from treewright.transduction.variety import best_different
from treewright.trees import Tree, TreeTable


@dataclass(frozen=True, eq=False)
class Target:
    """A rewriting with its log-weight, where each word comes from (-1: inserted), and why.

    `output` is a tree, or the words of a string, as the rules' targets are.
    """

    output: Tree | tuple[str, ...]
    score: float
    positions: tuple[int, ...]
    derivation: Derivation
    forest: TargetForest

    @property
    def tree(self) -> Tree:
        """The rewritten tree; strings have none."""
        if not isinstance(self.output, Tree):
            raise ValueError("the target is a string, which has no tree; see `words`")
        return self.output

    @property
    def words(self) -> tuple[str, ...]:
        """The words, from left to right."""
        return self.output.words() if isinstance(self.output, Tree) else self.output

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the derivation, from the root down."""
        return tuple(self.forest.rules(self.derivation))

    @property
    def unseen(self) -> int:
        """How many of the rules are not in the grammar."""
        return self.forest.count_unseen(self.derivation)


@dataclass(frozen=True, eq=False)
class TargetForest:
    """A forest over (source node, target category or ε), with the log-weight of every edge.

    An edge's label says what it does (`EdgeLabels`): it applies a rule of the grammar, or it copies
    or deletes the production at a node of the source; with `deletes_whole`, everything that the
    node dominates. `node_source` and `node_target` say what a forest node stands for (-1: inserted,
    and ε).
    """

    grammar: Grammar
    application: Callable[[int], Application]
    target_words: Ints
    source: TreeTable
    forest: Forest
    weights: Floats
    node_source: Ints
    node_target: Ints
    deletes_whole: bool = False

    @property
    def labels(self) -> EdgeLabels:
        """How the labels of edges are numbered."""
        return EdgeLabels(len(self.grammar), len(self.source))

    @cached_property
    def edges(self) -> EdgeColumns:
        """What every edge stands for."""
        return self.labels.columns(self.forest.label)

    def edge(self, number: int) -> EdgeLabel:
        """Return what one edge stands for."""
        return self.labels.read(int(self.forest.label[number]))

    @cached_property
    def is_word(self) -> Bools:
        """Which tokens of the source are words; the others are punctuation."""
        return np.array([is_word(word) for word in self.source.words], dtype=np.bool_)

    @property
    def num_words(self) -> int:
        """How many words the source has."""
        return int(self.is_word.sum())

    def best(self) -> Target | None:
        """Return the rewriting with the greatest weight, or `None` if there is none."""
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

        By default that is the number of words in the source; only insertions could exceed it. Other
        `weights` of the edges make other rewritings the best. With `costs`, integers of at least 0,
        one per token of the source, their sum replaces the number of words.
        """
        if limit is None:
            limit = self.num_words if costs is None else int(np.asarray(costs).sum())
        weights = self.weights if weights is None else weights
        return best_by_count(self.forest, weights, self.counts(costs), limit)

    def counts(self, costs: ArrayLike | None = None) -> Ints:
        """Return what each edge adds to the count: its words, or the costs of their tokens."""
        if costs is None:
            return self.word_counts()
        counts = np.zeros(self.forest.num_edges, dtype=np.int32)
        self.add_words(counts, np.asarray(costs))
        return counts

    def add_words(self, values: NDArray[Any], of_word: NDArray[Any]) -> None:
        """Add to the value of each edge that of every word of the source which it outputs."""
        edges, places = self.word_edges
        if len(self.grammar):
            np.add.at(values, edges, of_word[places])
        else:
            # A copy outputs one word.
            values[edges] += of_word[places]

    def most_probable(
        self, *, samples: int = 100, seed: int = 0, least: int = 0, most: int | None = None
    ) -> Target | None:
        """Return the most probable rewriting of `least` to `most` words; see `probable.py`.

        Its score is, as always, that of its best derivation.
        """
        found = most_probable(self, samples=samples, seed=seed, least=least, most=most)
        return None if found is None else self.target(found[1])

    def word_counts(self) -> Ints:
        """Return the number of words (tokens with a letter or digit) in the output of each edge."""
        counts = np.zeros(self.forest.num_edges, dtype=np.int32)
        if len(self.grammar):
            of_rule = self.edges.kind == EdgeKind.RULE
            counts[of_rule] = self.target_words[self.edges.rule[of_rule]]
        copies, places = self._copied
        counts[copies] = self.is_word[places]
        return counts

    @cached_property
    def _copied(self) -> tuple[Ints, Ints]:
        """The edges that copy a word of the source, and its position."""
        from treewright.transduction._kernels import copied_words

        tree = self.source.arrays
        found: tuple[Ints, Ints] = copied_words(
            self.forest.label, len(self.grammar), tree.left, tree.right, tree.end
        )
        return found

    @cached_property
    def word_edges(self) -> tuple[Ints, Ints]:
        """The edges that output words of the source, and the positions of these words."""
        if not len(self.grammar):
            return self._copied
        of_rules = [
            (edge, position)
            for edge in np.flatnonzero(self.edges.kind == EdgeKind.RULE).tolist()
            for position in self._rule_positions(edge)
        ]
        both = np.array(of_rules, dtype=np.int32).reshape(-1, 2)
        copies, places = self._copied
        return np.append(both[:, 0], copies), np.append(both[:, 1], places)

    def _rule_positions(self, edge: int) -> list[int]:
        rule = self.application(int(self.forest.label[edge]))
        root = int(self.node_source[self.forest.head[edge]])
        return rule.positions(root, self.source.end, self.source.left)

    def positions(self, uses: Floats) -> tuple[int, ...]:
        """Return the positions of the words of a derivation, given how often it uses each edge.

        They are in source order; if rules preserve it, that is also the order of the target.
        """
        edges, places = self.word_edges
        return tuple(sorted(places[uses[edges] > 0].tolist()))

    def rule(self, edge: int) -> Rule:
        """Return the rule of an edge, spelled out if the grammar does not have it."""
        found = self.edge(edge)
        if found.kind == EdgeKind.RULE:
            return self.grammar.rules[found.rule]
        node = self.source.nodes[found.node]
        if found.kind == EdgeKind.COPY:
            return copy_rule(node.label, child_labels(node), word=node.word)
        if self.deletes_whole:
            return Rule(node, None, ())
        return deletion_rule(node.label, child_labels(node), word=node.word)

    def rules(self, derivation: Derivation) -> Iterator[Rule]:
        """Yield the rules of a derivation from the root down."""
        stack = [derivation]
        while stack:
            step = stack.pop()
            yield self.rule(step.edge)
            stack.extend(reversed(step.children))

    def count_unseen(self, derivation: Derivation) -> int:
        """Return how many rules of a derivation are not in the grammar."""
        return int(np.count_nonzero(self.edges.kind[list(derivation.edges())] != EdgeKind.RULE))

    def target(self, derivation: Derivation, *, score: float | None = None) -> Target | None:
        """Read the target off a derivation; `None` if it deletes everything."""
        result = derivation.fold(self.apply)
        if score is None:
            score = derivation.score(self.weights)
        if isinstance(result, Strung):
            words, positions = read_string(result)
            return Target(words, score, positions, derivation, self)
        if not isinstance(result, Partial):
            return None
        return Target(result.tree, score, flatten(result.positions), derivation, self)

    @cached_property
    def steps(self) -> list[list[int]]:
        """The kinds of all edges, their rules, nodes or gaps, and the source nodes of their heads.

        Lists are quick to index from Python.
        """
        from treewright.transduction._kernels import read_steps

        forest, sizes = self.forest, (len(self.grammar), len(self.source))
        rows: list[list[int]] = read_steps(
            forest.label, *sizes, forest.head, self.node_source
        ).tolist()
        return rows

    def apply(self, edge: int, tails: Sequence[Result]) -> Result:
        """Combine the results of an edge's tails by its rule; `None` means nothing is kept."""
        kinds, numbers, roots = self.steps
        kind, root = kinds[edge], roots[edge]
        if kind == DELETE:
            return None
        if kind == COPY:
            return self._copy(numbers[edge], tails)
        application = self.application(numbers[edge])
        if application.copied is not None:
            return Partial(application.copied, (self.source.left[root],))
        if application.arranged is not None:
            children = [tails[place] for place in application.arranged]
            return join(application.steps[-1].label, _partials(children))
        if not application.steps and not application.is_string:
            return None
        words = application.word_positions(root, self.source.end, self.source.left)
        return application.build(tails, words)

    def _copy(self, x: int, tails: Sequence[Result]) -> Partial:
        node = self.source.nodes[x]
        if node.word is not None:
            return Partial(node, (self.source.left[x],))
        return join(node.label, _partials(tails))


def _partials(results: Iterable[Result]) -> list[Partial]:
    return [result for result in results if isinstance(result, Partial)]


def child_labels(node: Tree) -> tuple[str, ...]:
    """Return the labels of a node's children."""
    return tuple([child.label for child in node.children])

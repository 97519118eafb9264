"""`RuleTranslator`: a sentence or its tree in, its best translations out, and the rules behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.errors import DataError, UsageError
from treewright.forest import best_derivations
from treewright.grammar import format_rule
from treewright.parsing import Parser, open_parser
from treewright.translation.streaming import Input, Streaming, Translation
from treewright.translation.syntax.decoder import FoundByRules, RuleDecoder, RuleSearch
from treewright.translation.syntax.forest import PART
from treewright.translation.syntax.model import RuleModel
from treewright.trees import Tree, rebuild, undo_binarization

GLUED = "X"
"""The label of target nodes that no rule made."""


@dataclass(frozen=True)
class RuleStep:
    """What was done at a source node, which covers the words `start … end - 1`.

    `kind` is `rule`, or what is done without one: `glue` (child by child), `copy` or `drop` (of a
    word). `depth` counts the steps above it; `words` are those that it adds itself.
    """

    kind: str
    label: str
    start: int
    end: int
    depth: int
    rule: str
    words: tuple[str, ...]
    features: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class _Node:
    """A derivation under construction: an edge of the search graph and what its tails derive."""

    edge: int
    below: tuple[_Node, ...]


class RuleTranslator(Streaming):
    """Translates sentences with a model of rules, parsing them if they come without trees."""

    def __init__(
        self, model: RuleModel, search: RuleSearch | None = None, parser: Parser | None = None
    ) -> None:
        self.model = model
        self.decoder = RuleDecoder(model.grammar, model.lm, search or model.search)
        self.parser = parser or open_parser(model.parser)
        self.names = model.features.names

    def translate(self, given: Input, nbest: int) -> list[Translation]:
        """Return up to `nbest` different translations of an input."""
        if given.fixed:
            raise UsageError("a model of rules cannot fix the translations of spans")
        if given.trees:
            return self.translate_trees(given.trees, nbest=nbest)
        return self(given.words, nbest=nbest)

    def __call__(self, sentence: Sequence[str], *, nbest: int = 1) -> list[Translation]:
        """Return up to `nbest` different translations, best first; none of an empty sentence."""
        if not sentence:
            return []
        return self.translate_trees(self.parser.parse([sentence]), nbest=nbest)

    def translate_trees(self, trees: Sequence[Tree], *, nbest: int = 1) -> list[Translation]:
        """Return the best translations of a sentence, given one or more trees of it."""
        for tree in trees:
            self._check(tree)
        prepared = [self.model.prepare(tree) for tree in trees]
        found = self.decoder.decode(prepared, self.model.weights, spelled=trees[0].words())
        graph = found.graph
        listed = best_derivations(
            graph.forest,
            graph.scores(self.model.weights),
            nbest,
            symbols=(graph.word_start, graph.words),
        )
        return [
            self._translation(found, listed.edges[first:last], float(score))
            for score, (first, last) in zip(listed.scores, pairwise(listed.start), strict=True)
        ]

    def _check(self, tree: Tree) -> None:
        """Raise an error for a tree that has none of the labels that rules have."""
        known = self.model.grammar.packed.labels
        tags = {node.label for node in tree.nodes() if node.word is not None}
        if tags.isdisjoint(known.ids):
            raise DataError(
                f"no rule knows a label of the tree's words ({', '.join(sorted(tags)[:5])}); "
                f"parse with {self.model.parser}, as the model's trees were"
            )

    def _translation(
        self, found: FoundByRules, edges: NDArray[np.int32], score: float
    ) -> Translation:
        root = _derivation(found, edges)
        steps: list[RuleStep] = []
        self._walk(found, root, 0, steps)
        features = found.graph.features[edges].sum(axis=0)
        numbers = np.concatenate([_own_words(found, int(edge)) for edge in edges])
        words = [found.forest.text(word) for word in numbers.tolist()]
        tree = None if self.model.grammar.has_strings else _target_tree(found, root)
        return Translation(
            tuple(self.model.target_casing.finish(words)),
            score,
            dict(zip(self.names, features.tolist(), strict=True)),
            tuple(steps),
            tree,
        )

    def _walk(self, found: FoundByRules, node: _Node, depth: int, steps: list[RuleStep]) -> None:
        """Add the steps of a derivation from the root down, in the order of the target."""
        action = found.forest.action(int(found.edge[node.edge]))
        below = _derived(found, node)
        if action.kind == "pass":
            self._walk(found, below[0], depth, steps)
            return
        rule = ""
        if action.rule >= 0:
            rule = format_rule(self.model.grammar.rules[action.rule], alignment=True)
        own = [part.edge for part in (*node.below, node) if part not in below]
        words = [found.forest.text(int(word)) for edge in own for word in _own_words(found, edge)]
        features = found.graph.features[own].sum(axis=0)
        steps.append(
            RuleStep(
                action.kind,
                action.label,
                action.start,
                action.end,
                depth,
                rule,
                tuple(words),
                dict(zip(self.names, features.tolist(), strict=True)),
            )
        )
        for child in below:
            self._walk(found, child, depth + 1, steps)


def _own_words(found: FoundByRules, edge: int) -> NDArray[np.int32]:
    start = found.graph.word_start
    return found.graph.words[start[edge] : start[edge + 1]]


def _derivation(found: FoundByRules, edges: NDArray[np.int32]) -> _Node:
    """Put a derivation together from its edges in postorder."""
    arity = np.diff(found.graph.forest.tail_ptr)
    made: list[_Node] = []
    for edge in edges.tolist():
        count = int(arity[edge])
        below = tuple(made[len(made) - count :])
        del made[len(made) - count :]
        if below and _is_part(found, below[0].edge):
            # What it derives and then its own words: it is the beginning of this edge.
            below = (*below[0].below, _Node(below[0].edge, ()), *below[1:])
        made.append(_Node(edge, below))
    return made.pop()


def _is_part(found: FoundByRules, edge: int) -> bool:
    number = int(found.edge[edge])
    return number >= 0 and int(found.forest.forest.label[number]) == PART


def _derived(found: FoundByRules, node: _Node) -> list[_Node]:
    """Return what stands for the variables of a step, in the order of the target."""
    return [
        child
        for child in node.below
        if found.edge[child.edge] >= 0 and not _is_part(found, child.edge)
    ]


def _target_tree(found: FoundByRules, root: _Node) -> Tree:
    """Return the target tree of a derivation; what no rule made is under `X`."""
    tree = _grown(found, root)
    return Tree(GLUED, word="") if tree is None else undo_binarization(tree)


def _grown(found: FoundByRules, node: _Node) -> Tree | None:
    action = found.forest.action(int(found.edge[node.edge]))
    parts = [_grown(found, child) for child in _derived(found, node)]
    if action.kind == "drop":
        return None
    if action.kind == "copy":
        return Tree(GLUED, word=found.forest.text(int(_own_words(found, node.edge)[0])))
    if action.kind == "pass":
        return parts[0]
    if action.kind == "glue":
        kept = [part for part in parts if part is not None]
        return Tree(GLUED, kept) if kept else None
    target = found.forest.grammar.rules[action.rule].target
    assert isinstance(target, Tree)
    rest = iter(parts)

    def make(fragment: Tree, children: list[Tree]) -> Tree | None:
        if fragment.is_frontier:
            return next(rest)
        if fragment.word is None and not children:
            return None
        return Tree(fragment.label, children, word=fragment.word)

    return rebuild(target, make)

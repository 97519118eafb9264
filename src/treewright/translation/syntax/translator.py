"""`RuleTranslator`: a sentence or its tree in, its best translations out, and the rules behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright.arrays import Ints
from treewright.errors import DataError, UsageError
from treewright.grammar import format_rule
from treewright.parsing import Parser, open_parser
from treewright.translation.skeletons.files import Skeleton
from treewright.translation.streaming import Input, Streaming, Translation, best_edges
from treewright.translation.syntax.decoder import FoundByRules, RuleSearch
from treewright.translation.syntax.forest import PART, Action
from treewright.translation.syntax.model import RuleModel
from treewright.trees import MARK, Tree, rebuild, with_words

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
        self.decoder = model.decoder(search)
        self.names = model.features.names
        self._given = parser

    @cached_property
    def parser(self) -> Parser:
        """What parses sentences: the parser that was given, or the one that the model names."""
        return self._given or open_parser(self.model.parser)

    def translate(self, given: Input, nbest: int) -> list[Translation]:
        """Return up to `nbest` different translations of an input."""
        if given.fixed:
            raise UsageError("a model of rules cannot fix the translations of spans")
        kept = given.skeletons[0] if given.skeletons else None
        if given.trees:
            return self.translate_trees(self._known(given.trees), nbest=nbest, kept=kept)
        return self(given.words, nbest=nbest, kept=kept)

    def __call__(
        self, sentence: Sequence[str], *, nbest: int = 1, kept: Skeleton | None = None
    ) -> list[Translation]:
        """Return up to `nbest` different translations, best first; none of an empty sentence."""
        if not sentence:
            return []
        return self.translate_trees(self.parser.parse([sentence]), nbest=nbest, kept=kept)

    def translate_trees(
        self, trees: Sequence[Tree], *, nbest: int = 1, kept: Skeleton | None = None
    ) -> list[Translation]:
        """Return the best translations of a sentence, given one or more trees of it.

        `kept` marks the words of its skeleton, which a model that scores skeletons needs.
        """
        prepared = [self.model.prepare(tree) for tree in trees]
        spelled = trees[0].words()
        found = self.decoder.decode(prepared, self.model.weights, spelled=spelled, kept=kept)
        scores = found.graph.scores(self.model.weights)
        return [
            self._translation(found, edges, score, kept)
            for score, edges in best_edges(found.graph, scores, nbest)
        ]

    @cached_property
    def _labels(self) -> frozenset[str]:
        """The labels that rules begin with."""
        packed = self.model.grammar.packed
        return frozenset(packed.labels.names[label] for label in np.unique(packed.source_root))

    def _known(self, trees: Sequence[Tree]) -> list[Tree]:
        """Return the trees that rules can be applied to; without any, raise an error."""
        labels = [{node.label for node in tree.nodes()} for tree in trees]
        known = [
            tree
            for tree, own in zip(trees, labels, strict=True)
            if not own.isdisjoint(self._labels)
        ]
        if not known:
            raise DataError(
                f"no rule knows a label of the tree ({', '.join(sorted(labels[0])[:5])}); its "
                f"parser must use the labels of the model's own, {self.model.parser}"
            )
        return known

    def _translation(
        self,
        found: FoundByRules,
        edges: Ints,
        score: float,
        kept: Skeleton | None,
    ) -> Translation:
        nodes = _derivation(found, edges)
        features = found.graph.features[edges].sum(axis=0)
        numbers = np.concatenate([_own_words(found, int(edge)) for edge in edges])
        spelled = [found.forest.text(word) for word in numbers.tolist()]
        words = self.model.target_casing.finish(spelled)
        tree = None if self.model.grammar.has_strings else target_tree(found, nodes)
        return Translation(
            tuple(words),
            score,
            dict(zip(self.names, features.tolist(), strict=True)),
            tuple(self._steps(found, nodes[-1])),
            None if tree is None else with_words(tree, words),
            None if kept is None else tuple(np.flatnonzero(kept).tolist()),
        )

    def _steps(self, found: FoundByRules, root: _Node) -> Iterator[RuleStep]:
        """Yield the steps of a derivation from the root down, in the order of the target."""
        stack = [(root, 0)]
        while stack:
            node, depth = stack.pop()
            action = found.forest.action(int(found.edge[node.edge]))
            below = derived_nodes(found, node)
            is_step = action.kind != "pass"
            stack += [(child, depth + is_step) for child in reversed(below)]
            if is_step:
                own = [part.edge for part in (*node.below, node) if part not in below]
                yield self._step(found, action, own, depth)

    def _step(
        self, found: FoundByRules, action: Action, own: Sequence[int], depth: int
    ) -> RuleStep:
        """Return a step; `own` are the edges of the graph that are parts of it."""
        rule = ""
        if action.rule >= 0:
            rule = format_rule(self.model.grammar.rules[action.rule], alignment=True)
        words = [found.forest.text(int(word)) for edge in own for word in _own_words(found, edge)]
        features = found.graph.features[own].sum(axis=0)
        return RuleStep(
            action.kind,
            action.label,
            action.start,
            action.end,
            depth,
            rule,
            tuple(words),
            dict(zip(self.names, features.tolist(), strict=True)),
        )


def _own_words(found: FoundByRules, edge: int) -> Ints:
    start = found.graph.word_start
    return found.graph.words[start[edge] : start[edge + 1]]


def _derivation(found: FoundByRules, edges: Ints) -> list[_Node]:
    """Return the nodes of a derivation in postorder, from its edges; the root is last."""
    arity = np.diff(found.graph.forest.tail_ptr)
    made: list[_Node] = []
    nodes: list[_Node] = []
    for edge in edges.tolist():
        count = int(arity[edge])
        below = tuple(made[len(made) - count :])
        del made[len(made) - count :]
        if below and _is_part(found, below[0].edge):
            # What it derives and then its own words: it is the beginning of this edge.
            below = (*below[0].below, _Node(below[0].edge, ()), *below[1:])
        made.append(_Node(edge, below))
        nodes.append(made[-1])
    return nodes


def _is_part(found: FoundByRules, edge: int) -> bool:
    number = int(found.edge[edge])
    return number >= 0 and int(found.forest.forest.label[number]) == PART


def derived_nodes(found: FoundByRules, node: _Node) -> list[_Node]:
    """Return what stands for the variables of a step, in the order of the target."""
    return [
        child
        for child in node.below
        if found.edge[child.edge] >= 0 and not _is_part(found, child.edge)
    ]


def target_tree(found: FoundByRules, nodes: Sequence[_Node]) -> Tree | None:
    """Return the target tree of a derivation, `None` if every word is dropped.

    What no rule made is under `X`; what is glued at a node that only binarisation made is part of
    the node above.
    """
    grown: dict[int, list[Tree]] = {}
    for node in nodes:
        if found.edge[node.edge] >= 0 and not _is_part(found, node.edge):
            parts = [grown.pop(id(child)) for child in derived_nodes(found, node)]
            grown[id(node)] = _grown(found, node, parts)
    return _one(grown[id(nodes[-1])])


def _one(trees: list[Tree]) -> Tree | None:
    if len(trees) > 1:
        return Tree(GLUED, trees)
    return trees[0] if trees else None


def _grown(found: FoundByRules, node: _Node, parts: list[list[Tree]]) -> list[Tree]:
    """Return what a step derives: one tree, none, or several at a binarised node."""
    action = found.forest.action(int(found.edge[node.edge]))
    if action.kind == "drop":
        return []
    if action.kind == "copy":
        word = found.forest.text(int(_own_words(found, node.edge)[0]))
        return [Tree(GLUED, word=word)]
    if action.kind == "pass":
        return parts[0]
    if action.kind == "glue":
        kept = [tree for part in parts for tree in part]
        return kept if action.label.endswith(MARK) or not kept else [Tree(GLUED, kept)]
    target = found.forest.grammar.rules[action.rule].target
    assert isinstance(target, Tree)
    rest = iter(parts)

    def make(fragment: Tree, children: list[Tree]) -> Tree | None:
        if fragment.is_frontier:
            return _one(next(rest))
        if fragment.word is None and not children:
            return None
        return Tree(fragment.label, children, word=fragment.word)

    made = rebuild(target, make)
    return [] if made is None else [made]

"""Gold: which derivations of a forest give a pair's target, and which of them to learn from."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treewright.arrays import Bools, Longs
from treewright.forest import Derivation, Forest, viterbi
from treewright.transduction import NOWHERE, Application, EdgeKind, TargetForest

_OWN = 1e4
"""What an own edge of the tree counts against a rule of the grammar, of which there are fewer."""


class Tokens(NamedTuple):
    """Of all edges, the places of the source's tokens they put out, and of those they leave out.

    Columns of an edge and a place. `changing` are edges that put out a token the source lacks, or
    tokens in another order; `words` are all tokens put out, that of edge `put_out[k]` `words[k]`.
    """

    kept: tuple[Longs, Longs]
    dropped: tuple[Longs, Longs]
    changing: Longs
    put_out: Longs
    words: tuple[str, ...]


def allowed_edges(tokens: Tokens, num_edges: int, gold: Bools) -> Bools:
    """Return the edges that derivations keeping exactly the `gold` tokens are made of."""
    allowed = np.ones(num_edges, dtype=np.bool_)
    edges, places = tokens.kept
    allowed[edges[~gold[places]]] = False
    edges, places = tokens.dropped
    allowed[edges[gold[places]]] = False
    allowed[tokens.changing] = False
    return allowed


def smallest_rules(forest: Forest, allowed: Bools, own: Bools) -> Derivation | None:
    """Return the derivation with the smallest rules among the allowed edges, or `None`.

    The most rules are the smallest ones, because they share one tree. Rules of the grammar take
    precedence over own edges of the tree, which fit everywhere: a rule that no derivation to learn
    from uses could only be learned to be bad.
    """
    weights = np.where(own, -_OWN, 1.0)
    weights[~allowed] = -math.inf
    found = viterbi(forest, weights)
    return None if found is None else found[1]


def find_tokens(forest: TargetForest) -> Tokens:
    """Return which tokens each edge keeps, drops and outputs."""
    of_rules, of_own = _tokens_of_rules(forest), _tokens_of_own(forest)
    return Tokens(
        _behind(of_rules.kept, of_own.kept),
        _behind(of_rules.dropped, of_own.dropped),
        of_rules.changing,
        np.concatenate([of_rules.put_out, of_own.put_out]),
        of_rules.words + of_own.words,
    )


def _tokens_of_own(forest: TargetForest) -> Tokens:
    """Process the tree's own edges: copies of words, and everything dropped with a node."""
    source, x = forest.source, forest.edges.node
    left, right = (np.array(side, dtype=np.int64) for side in (source.left, source.right))
    has_word = np.array([node.word is not None for node in source.nodes], dtype=np.bool_)
    copies = np.flatnonzero((forest.edges.kind == EdgeKind.COPY) & has_word[x])
    deletes = np.flatnonzero(forest.edges.kind == EdgeKind.DELETE)
    lengths = (right - left)[x[deletes]]
    places = np.repeat(right[x[deletes]] - np.cumsum(lengths), lengths) + np.arange(lengths.sum())
    return Tokens(
        (copies, left[x[copies]]),
        (np.repeat(deletes, lengths), places),
        np.empty(0, dtype=np.int64),
        copies,
        tuple([source.nodes[node].word or "" for node in x[copies].tolist()]),
    )


class _Spelled(NamedTuple):
    """The tokens of a rule: those of the source that it outputs, by number, and all that it
    outputs.
    """

    application: Application
    kept: tuple[int, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, application: Application) -> _Spelled:
        """Prepare a rule."""
        steps = [step for step in application.steps if step.word is not None]
        kept = [step.source_word for step in steps if step.source_word != NOWHERE]
        return cls(application, tuple(kept), tuple([step.word or "" for step in steps]))


def _tokens_of_rules(forest: TargetForest) -> Tokens:
    """Process the edges of the grammar's rules."""
    end, left = forest.source.end, forest.source.left
    kept: list[tuple[int, int]] = []
    dropped: list[tuple[int, int]] = []
    changing: list[int] = []
    put_out: list[int] = []
    words: list[str] = []
    edges = np.flatnonzero(forest.edges.kind == EdgeKind.RULE)
    labels = forest.forest.label[edges].tolist()
    spelled = {label: _Spelled.of(forest.application(label)) for label in set(labels)}
    roots = forest.node_source[forest.forest.head[edges]].tolist()
    for edge, label, root in zip(edges.tolist(), labels, roots, strict=True):
        rule = spelled[label]
        for number, place in enumerate(rule.application.word_positions(root, end, left)):
            (kept if number in rule.kept else dropped).append((edge, place))
        put_out += [edge] * len(rule.words)
        words += rule.words
        if not rule.application.keeps_order:
            changing.append(edge)
    return Tokens(
        _columns(kept),
        _columns(dropped),
        np.array(changing, dtype=np.int64),
        np.array(put_out, dtype=np.int64),
        tuple(words),
    )


def _behind(some: tuple[Longs, Longs], others: tuple[Longs, Longs]) -> tuple[Longs, Longs]:
    return np.concatenate([some[0], others[0]]), np.concatenate([some[1], others[1]])


def _columns(rows: list[tuple[int, int]]) -> tuple[Longs, Longs]:
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return table[:, 0].copy(), table[:, 1].copy()

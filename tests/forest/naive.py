"""Plain-Python twins of the kernels, and brute force over all derivations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, product
from typing import Any

import numpy as np

from treewright.forest import Algebra, Derivation, Forest

NEVER = -math.inf
Count = tuple[int, ...]


def enumerate_derivations(forest: Forest) -> list[Derivation]:
    """Every derivation of the root, whatever its weight."""
    ways: list[list[Derivation]] = []
    for node in range(forest.num_nodes):
        ways.append(
            [
                Derivation(edge, children)
                for edge in forest.edges(node)
                for children in product(*(ways[tail] for tail in forest.tails(edge)))
            ]
        )
    return ways[forest.root]


def scored_derivations(forest: Forest, weights: np.ndarray) -> list[tuple[float, Derivation]]:
    """Every derivation of the root whose weight is not -inf, with its score."""
    scored = [(d.score(weights), d) for d in enumerate_derivations(forest)]
    return [(score, d) for score, d in scored if score > NEVER]


def log_sum(values: list[float]) -> float:
    total = math.fsum(math.exp(value) for value in values)
    return math.log(total) if total else NEVER


def total_count(derivation: Derivation, counts: np.ndarray) -> Count:
    return tuple(int(n) for n in sum((counts[edge] for edge in derivation.edges()), 0 * counts[0]))


def useful(forest: Forest) -> tuple[list[bool], list[bool]]:
    productive: list[bool] = []
    for node in range(forest.num_nodes):
        edges = forest.edges(node)
        productive.append(any(all(productive[t] for t in forest.tails(e)) for e in edges))
    reached, used, agenda = {forest.root}, set(), [forest.root]
    while agenda:
        for edge in forest.edges(agenda.pop()):
            tails = forest.tails(edge)
            if all(productive[tail] for tail in tails):
                used.add(edge)
                agenda.extend(set(tails) - reached)
                reached.update(tails)
    nodes = [node in reached for node in range(forest.num_nodes)]
    return nodes, [edge in used for edge in range(forest.num_edges)]


def log_inside(forest: Forest, weights: np.ndarray) -> tuple[list[float], list[float]]:
    inside: list[float] = []
    edge_inside: list[float] = []
    for node in range(forest.num_nodes):
        values = [weights[e] + sum(inside[t] for t in forest.tails(e)) for e in forest.edges(node)]
        edge_inside += values
        inside.append(log_sum(values))
    return inside, edge_inside


def log_outside(forest: Forest, weights: np.ndarray, inside: list[float]) -> list[float]:
    outside = [NEVER] * forest.num_nodes
    outside[forest.root] = 0.0
    for edge in reversed(range(forest.num_edges)):
        tails = forest.tails(edge)
        for i, tail in enumerate(tails):
            others = sum(inside[t] for j, t in enumerate(tails) if j != i)
            context = outside[int(forest.head[edge])] + weights[edge] + others
            outside[tail] = log_sum([outside[tail], context])
    return outside


def posteriors(forest: Forest, weights: np.ndarray) -> list[float]:
    inside, edge_inside = log_inside(forest, weights)
    outside = log_outside(forest, weights, inside)
    if inside[-1] == NEVER:
        return [0.0] * forest.num_edges
    return [
        math.exp(outside[int(forest.head[edge])] + edge_inside[edge] - inside[-1])
        for edge in range(forest.num_edges)
    ]


def expected_counts(forest: Forest, weights: np.ndarray, num_labels: int) -> list[float]:
    counts = [0.0] * num_labels
    for label, uses in zip(forest.label.tolist(), posteriors(forest, weights), strict=True):
        if label >= 0:
            counts[label] += uses
    return counts


def viterbi(forest: Forest, weights: np.ndarray) -> tuple[list[float], list[int]]:
    best: list[float] = []
    best_edge: list[int] = []
    for node in range(forest.num_nodes):
        rivals = [(NEVER, -1)]
        for edge in forest.edges(node):
            *_, score = accumulate((best[t] for t in forest.tails(edge)), initial=weights[edge])
            rivals.append((score, edge))
        score, edge = max(rivals, key=lambda rival: rival[0])
        best.append(score)
        best_edge.append(edge)
    return best, best_edge


def margins(forest: Forest, weights: np.ndarray) -> list[float]:
    scored = scored_derivations(forest, weights)
    best = max((score for score, _ in scored), default=NEVER)
    found = [math.inf] * forest.num_edges
    for score, derivation in scored:
        for edge in set(derivation.edges()):
            found[edge] = min(found[edge], best - score)
    return found


def among_best(forest: Forest, weights: np.ndarray, best: list[float], most: int) -> list[bool]:
    marked = [False] * forest.num_edges
    for node in range(forest.num_nodes):
        scores = {}
        for edge in forest.edges(node):
            *_, scores[edge] = accumulate(
                (best[t] for t in forest.tails(edge)), initial=weights[edge]
            )
        for edge in sorted(scores, key=lambda edge: -scores[edge])[:most]:
            marked[edge] = scores[edge] > NEVER
    return marked


def trace_best(forest: Forest, best_edge: list[int]) -> tuple[list[int], list[list[int]]]:
    """The edges of the best derivation in order of their nodes, and the places of their tails."""
    used, agenda = {forest.root}, [forest.root]
    while agenda:
        tails = set(forest.tails(best_edge[agenda.pop()])) - used
        used |= tails
        agenda.extend(tails)
    nodes = sorted(used)
    edges = [best_edge[node] for node in nodes]
    return edges, [[nodes.index(tail) for tail in forest.tails(edge)] for edge in edges]


def cumulative_shares(forest: Forest, inside: list[float], edge_inside: list[float]) -> list[float]:
    shares: list[float] = []
    for node in range(forest.num_nodes):
        values = (edge_inside[edge] for edge in forest.edges(node))
        shares += accumulate(0.0 if v == NEVER else math.exp(v - inside[node]) for v in values)
    return shares


def sample_edges(forest: Forest, cumulative: np.ndarray, rng: np.random.Generator) -> list[int]:
    edges, agenda = [], [forest.root]
    while agenda:
        rivals = forest.edges(agenda.pop())
        threshold = rng.random() * cumulative[rivals[-1]]
        edge = next(edge for edge in rivals if cumulative[edge] > threshold)
        edges.append(edge)
        agenda.extend(reversed(forest.tails(edge)))
    return edges


Outcome = tuple[int, float]


def outcomes(forest: Forest, algebra: Algebra, derivation: Derivation) -> list[Outcome]:
    """The state and the added weight of a derivation, for each choice that is not ruled out."""

    def weighted(result: Any) -> Outcome:
        return result if algebra.weighted else (result, 0.0)

    def add(edge: int, below: Sequence[list[Outcome]]) -> list[Outcome]:
        found = []
        arity = len(forest.tails(edge))
        turns = [algebra.order.py_func(algebra.data, edge, turn) for turn in range(arity)]
        for choice in range(algebra.choices.py_func(algebra.data, edge)):
            for parts in product(*below):
                state, total = weighted(algebra.start.py_func(algebra.data, edge, choice))
                for position in turns:
                    tail_state, tail_weight = parts[position]
                    if state >= 0:
                        args = algebra.data, edge, position, state, tail_state
                        state, weight = weighted(algebra.step.py_func(*args))
                        total += weight + tail_weight
                if state >= 0:
                    state, weight = weighted(algebra.finish.py_func(algebra.data, edge, state))
                    total += weight
                if state >= 0 and total > NEVER:
                    found.append((int(state), float(total)))
        return found

    return derivation.fold(add)


def within_all(count: Count, limits: Count) -> bool:
    return all(n <= limit for n, limit in zip(count, limits, strict=True))


def plus(a: Count, b: Count) -> Count:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def convolve(a: np.ndarray, b: np.ndarray, shape: Count) -> np.ndarray:
    result = np.full(shape, NEVER)
    for (i, x), (j, y) in product(np.ndenumerate(a), np.ndenumerate(b)):
        if all(n < size for n, size in zip(plus(i, j), shape, strict=True)):
            result[plus(i, j)] = max(result[plus(i, j)], x + y)
    return result


Tables = list[dict[Count, tuple[float, int]]]


def prefixes(
    forest: Forest,
    weights: np.ndarray,
    counts: np.ndarray,
    limits: Count,
    tables: Tables,
    edge: int,
) -> list[dict[Count, float]]:
    """For each number of tails, the best score of the edge with those tails, for each count."""
    own = tuple(counts[edge].tolist())
    result = [{own: float(weights[edge])} if within_all(own, limits) else {}]
    for tail in forest.tails(edge):
        longer: dict[Count, float] = {}
        for (a, x), (b, (y, _)) in product(result[-1].items(), tables[tail].items()):
            if within_all(plus(a, b), limits):
                longer[plus(a, b)] = max(longer.get(plus(a, b), NEVER), x + y)
        result.append(longer)
    return result


def best_tables(forest: Forest, weights: np.ndarray, counts: np.ndarray, limits: Count) -> Tables:
    """For each node, the best score and edge of each count (of any dimension) that can be had."""
    tables: Tables = []
    for node in range(forest.num_nodes):
        table: dict[Count, tuple[float, int]] = {}
        for edge in forest.edges(node):
            last = prefixes(forest, weights, counts, limits, tables, edge)[-1]
            for count, score in last.items():
                if score > table.get(count, (NEVER, -1))[0]:
                    table[count] = (score, edge)
        tables.append(table)
    return tables


def trace_back(
    forest: Forest, weights: np.ndarray, counts: np.ndarray, tables: Tables, node: int, total: Count
) -> Derivation:
    """The best derivation of this count; later tails count as little as possible."""
    edge = tables[node][total][1]
    before = prefixes(forest, weights, counts, total, tables, edge)
    children: list[Derivation] = []
    rest = total
    for i, tail in reversed(list(enumerate(forest.tails(edge)))):
        count, left = next(
            (count, left)
            for count, (score, _) in sorted(tables[tail].items())
            for left, first in before[i].items()
            if plus(left, count) == rest and first + score == before[i + 1][rest]
        )
        children.insert(0, trace_back(forest, weights, counts, tables, tail, count))
        rest = left
    return Derivation(edge, children)

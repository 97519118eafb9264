"""Kernels of tuning: upper envelopes along a line, in lists and in search graphs; MIRA's epochs.

Along a line of weights `w + t · d`, the score of a derivation is a line in `t`, `b + t · m`. The
*envelope* of a set of lines is the largest at each `t` from `low` to `high`: pieces of lines, each
from the place where it begins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats, Ints, Longs
from treewright.compiling import njit
from treewright.forest._kernels import with_room


class Graphs(NamedTuple):
    """Many search graphs side by side; the root of each is its last node."""

    node_start: Longs
    """Which nodes belong to each graph."""
    node_ptr: Longs
    tail_ptr: Longs
    tail: Longs
    word_start: Longs
    words: Ints


class Lines(NamedTuple):
    """Lines `b + t · m` from `at` on; each stands for an edge and a choice of lines below it."""

    m: Floats
    b: Floats
    at: Floats
    edge: Longs
    choice: Longs
    """Where in `Work.choices` the lines of the tails stand."""


class Work(NamedTuple):
    """The envelopes of one graph's nodes, and room to find the next one."""

    lines: Lines
    first: Longs
    """Of node `v`, counted from the first of the graph: `lines[first[v] : first[v + 1]]`."""
    own: Lines
    """The lines of all edges of one node."""
    choices: Longs
    place: Longs
    """At which line of each tail a sum has arrived."""
    pick: Longs
    size: Longs
    """How many lines, own lines and choices there are."""


class Outputs(NamedTuple):
    """The pieces of all graphs: where they begin, and their words."""

    at: Floats
    word_start: Longs
    words: Ints


LINES, OWN, CHOICES = range(3)


@njit(nogil=True)
def wrap(m: Floats, b: Floats, size: int, low: float, high: float, at: Floats, pick: Longs) -> int:
    """Find the envelope of the first `size` lines, and return of how many pieces it consists.

    Piece `i` begins at `at[i]` with line `pick[i]`. From each piece, the next is the line that
    crosses it first, the steepest of several: O(size · pieces), and no sorting.
    """
    if size == 0:
        return 0
    best = 0
    for i in range(1, size):
        value, best_value = b[i] + low * m[i], b[best] + low * m[best]
        if value > best_value or (value == best_value and m[i] > m[best]):
            best = i
    at[0], pick[0] = low, best
    pieces = 1
    while True:
        current, following, where = pick[pieces - 1], -1, high
        # A steeper line that is above the current one at `where` crosses it before: no division
        # for the many that do not.
        height = b[current] + where * m[current]
        for i in range(size):
            if b[i] + where * m[i] < height or m[i] <= m[current]:
                continue
            crossing = (b[current] - b[i]) / (m[i] - m[current])
            if crossing < where or (following >= 0 and crossing == where and m[i] > m[following]):
                following, where = i, crossing
                height = b[current] + where * m[current]
        if following < 0:
            return pieces
        at[pieces], pick[pieces] = max(where, at[pieces - 1]), following
        pieces += 1


@njit(nogil=True)
def combine(columns: Floats, weights: Floats) -> Floats:
    """Return the weighted sum of columns, one in each row of the array."""
    total = np.zeros(columns.shape[1])
    for column in range(weights.size):
        weight = weights[column]
        if weight != 0.0:
            for i in range(total.size):
                total[i] += weight * columns[column, i]
    return total


@njit(nogil=True)
def list_envelopes(
    start: Longs, m: Floats, b: Floats, low: float, high: float
) -> tuple[Longs, Floats, Longs]:
    """Return the pieces of each list's envelope: bounds, where they begin, their lines."""
    lists = start.size - 1
    piece_start = np.zeros(lists + 1, np.int64)
    longest = 1
    for i in range(lists):
        longest = max(longest, start[i + 1] - start[i])
    at, pick = np.empty(longest), np.empty(longest, np.int64)
    all_at, all_pick = np.empty(8 * lists + 8), np.empty(8 * lists + 8, np.int64)
    end = 0
    for i in range(lists):
        first, size = start[i], start[i + 1] - start[i]
        pieces = wrap(m[first : first + size], b[first : first + size], size, low, high, at, pick)
        all_at, all_pick = with_room(all_at, end + pieces), with_room(all_pick, end + pieces)
        for piece in range(pieces):
            all_at[end] = at[piece]
            all_pick[end] = first + pick[piece]
            end += 1
        piece_start[i + 1] = end
    return piece_start, all_at[:end], all_pick[:end]


@njit(nogil=True)
def best_in_lists(start: Longs, scores: Floats) -> Longs:
    """Return the first best entry of each list."""
    best = np.empty(start.size - 1, np.int64)
    for i in range(best.size):
        best[i] = start[i]
        for entry in range(start[i] + 1, start[i + 1]):
            if scores[entry] > scores[best[i]]:
                best[i] = entry
    return best


@njit(nogil=True)
def graph_envelopes(
    graphs: Graphs, m: Floats, b: Floats, low: float, high: float
) -> tuple[Longs, Floats, Longs, Ints]:
    """Return the pieces of each graph's envelope: bounds, where they begin, bounds of their words,
    and words.

    Macherey et al., "Lattice-based minimum error rate training" (EMNLP 2008), and Kumar et al. (ACL
    2009) for forests: the envelope of an edge is the sum of those of its tails, the envelope of a
    node that of all its edges' lines. `m` and `b` are those of the edges.
    """
    num_graphs = graphs.node_start.size - 1
    piece_start = np.zeros(num_graphs + 1, np.int64)
    most_nodes = 0
    for i in range(num_graphs):
        most_nodes = max(most_nodes, graphs.node_start[i + 1] - graphs.node_start[i])
    work = Work(
        empty_lines(1024),
        np.zeros(most_nodes + 1, np.int64),
        empty_lines(256),
        np.empty(1024, np.int64),
        np.empty(8, np.int64),
        np.empty(256, np.int64),
        np.zeros(3, np.int64),
    )
    found = Outputs(np.empty(64), np.zeros(65, np.int64), np.empty(1024, np.int32))
    end = 0
    for i in range(num_graphs):
        base = graphs.node_start[i]
        work.size[:] = 0
        for node in range(base, graphs.node_start[i + 1]):
            work = wrap_node(graphs, node, base, m, b, low, high, work)
        root = graphs.node_start[i + 1] - 1 - base
        for line in range(work.first[root], work.first[root + 1]):
            found = spell(graphs, work, line, found, end)
            end += 1
        piece_start[i + 1] = end
    word_end = found.word_start[end]
    return piece_start, found.at[:end], found.word_start[: end + 1], found.words[:word_end]


@njit(nogil=True)
def empty_lines(room: int) -> Lines:
    """Return room for lines."""
    return Lines(
        np.empty(room),
        np.empty(room),
        np.empty(room),
        np.empty(room, np.int64),
        np.empty(room, np.int64),
    )


@njit(nogil=True)
def with_line_room(lines: Lines, size: int) -> Lines:
    """Return the lines with room for so many."""
    return Lines(
        with_room(lines.m, size),
        with_room(lines.b, size),
        with_room(lines.at, size),
        with_room(lines.edge, size),
        with_room(lines.choice, size),
    )


@njit(nogil=True)
def wrap_node(
    graphs: Graphs, node: int, base: int, m: Floats, b: Floats, low: float, high: float, work: Work
) -> Work:
    """Add the envelope of a node, the next one of its graph, whose first node is `base`."""
    work.size[OWN] = 0
    for edge in range(graphs.node_ptr[node], graphs.node_ptr[node + 1]):
        work = sum_tails(graphs, edge, base, m[edge], b[edge], high, work)
    own, size = work.own, work.size[OWN]
    pick = with_room(work.pick, size)
    pieces = wrap(own.m, own.b, size, low, high, own.at, pick)
    end = work.size[LINES]
    lines = with_line_room(work.lines, end + pieces)
    work.first[node - base] = end
    for piece in range(pieces):
        chosen = pick[piece]
        lines.m[end], lines.b[end], lines.at[end] = own.m[chosen], own.b[chosen], own.at[piece]
        lines.edge[end], lines.choice[end] = own.edge[chosen], own.choice[chosen]
        end += 1
    work.first[node - base + 1] = end
    work.size[LINES] = end
    return Work(lines, work.first, own, work.choices, work.place, pick, work.size)


@njit(nogil=True)
def sum_tails(
    graphs: Graphs, edge: int, base: int, m: float, b: float, high: float, work: Work
) -> Work:
    """Add the lines of an edge to those of its node: one for each piece of the sum of its tails."""
    first_tail, last_tail = graphs.tail_ptr[edge], graphs.tail_ptr[edge + 1]
    arity = last_tail - first_tail
    lines, first, place = work.lines, work.first, with_room(work.place, arity)
    more = 1
    for i in range(arity):
        below = graphs.tail[first_tail + i] - base
        if first[below] == first[below + 1]:
            return work
        place[i] = first[below]
        more += first[below + 1] - first[below]
    size, num_choices = work.size[OWN], work.size[CHOICES]
    own = with_line_room(work.own, size + more)
    choices = with_room(work.choices, num_choices + more * arity)
    following = -np.inf
    while following < high:
        own.m[size], own.b[size] = m, b
        own.edge[size], own.choice[size] = edge, num_choices
        following = high
        for i in range(arity):
            line, below = place[i], graphs.tail[first_tail + i] - base
            own.m[size] += lines.m[line]
            own.b[size] += lines.b[line]
            choices[num_choices] = line
            num_choices += 1
            if line + 1 < first[below + 1]:
                following = min(following, lines.at[line + 1])
        size += 1
        for i in range(arity):
            line, below = place[i], graphs.tail[first_tail + i] - base
            if line + 1 < first[below + 1] and lines.at[line + 1] <= following:
                place[i] += 1
    work.size[OWN], work.size[CHOICES] = size, num_choices
    return Work(lines, first, own, choices, place, work.pick, work.size)


@njit(nogil=True)
def spell(graphs: Graphs, work: Work, line: int, found: Outputs, end: int) -> Outputs:
    """Write where a line of the root begins, and the words of its derivation."""
    at, word_start = with_room(found.at, end + 1), with_room(found.word_start, end + 2)
    words = found.words
    at[end] = work.lines.at[line]
    stack, path = np.empty(64, np.int64), np.empty(64, np.int64)
    stack[0] = line
    depth, steps = 1, 0
    while depth > 0:
        depth -= 1
        edge, choice = work.lines.edge[stack[depth]], work.lines.choice[stack[depth]]
        path = with_room(path, steps + 1)
        path[steps] = edge
        steps += 1
        arity = graphs.tail_ptr[edge + 1] - graphs.tail_ptr[edge]
        stack = with_room(stack, depth + arity)
        for i in range(arity):
            stack[depth] = work.choices[choice + i]
            depth += 1
    word_end = word_start[end]
    # Parents first and the last child first, read backwards, is the order of the words.
    for step in range(steps - 1, -1, -1):
        first, last = graphs.word_start[path[step]], graphs.word_start[path[step] + 1]
        words = with_room(words, word_end + last - first)
        for position in range(first, last):
            words[word_end] = graphs.words[position]
            word_end += 1
    word_start[end + 1] = word_end
    return Outputs(at, word_start, words)


@njit(nogil=True)
def mira_epoch(
    start: Longs,
    features: Floats,
    gains: Floats,
    order: Longs,
    limit: float,
    signs: Longs,
    weights: Floats,
    total: Floats,
) -> None:
    """Visit each list once and update `weights`, adding them up in `total` after each visit.

    Cherry and Foster, "Batch tuning strategies" (NAACL 2012), algorithm 3: the update is towards
    the entry that is both good and likely, away from the one that is bad and likely. `signs` are
    those that weights may have; 0 is either, and 2 a weight that must stay as it is.
    """
    columns = weights.size
    for visit in order:
        hope, fear = start[visit], start[visit]
        hope_score, fear_score = -np.inf, -np.inf
        for entry in range(start[visit], start[visit + 1]):
            score = 0.0
            for column in range(columns):
                score += features[entry, column] * weights[column]
            if score + gains[entry] > hope_score:
                hope, hope_score = entry, score + gains[entry]
            if score - gains[entry] > fear_score:
                fear, fear_score = entry, score - gains[entry]
        ahead = (hope_score - gains[hope]) - (fear_score + gains[fear])
        loss = gains[hope] - gains[fear] - ahead
        norm = 0.0
        for column in range(columns):
            if signs[column] != 2:
                norm += (features[hope, column] - features[fear, column]) ** 2
        if loss > 0.0 and norm > 0.0:
            step = min(limit, loss / norm)
            for column in range(columns):
                if signs[column] != 2:
                    change = features[hope, column] - features[fear, column]
                    weights[column] += step * change
                    if weights[column] * signs[column] < 0.0:
                        weights[column] = 0.0
        for column in range(columns):
            total[column] += weights[column]

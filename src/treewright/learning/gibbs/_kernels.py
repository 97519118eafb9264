"""Kernels for the sampler's moves (Bayesian paper, equations 5 to 7) and its hyperparameters.

A site that can only be unaligned or aligned in one way, as most are, is decided by comparing two
configurations without building either: one of them is the current one, and the other is hashed
along the path to the anchor. A site with several candidates is first unaligned and then compared
with each in the same way. Only if links cross, and on the target side, are choices tried in place.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit
from treewright.grammar import DELETED, UNALIGNED
from treewright.learning.gibbs._state_kernels import (
    BARE,
    GONE,
    LINKED,
    NOTHING,
    OPEN,
    align,
    anchor_of,
    candidates,
    find,
    give_back,
    mark,
    owner_of,
    rule_at,
    rule_key,
    scramble,
    take,
    unalign,
    with_room,
)


@njit(nogil=True)
def flip(nodes, x, old, new):
    """Return the anchor above `x`, and its hash if `x` contributed `new` instead of `old`."""
    child, p = x, nodes[x].parent
    while True:
        total = nodes[p].total + nodes[child].place * (new - old)
        old = nodes[p].hash
        new = scramble(total)
        if nodes[p].front != OPEN:
            return p, new
        child, p = p, nodes[p].parent


@njit(nogil=True)
def spell_target(nodes, y, spelled):
    """Return hash, weight and width of a rule's target: spelled out, or a bare frontier node."""
    if spelled:
        return nodes[y].hash, nodes[y].weight, nodes[y].width
    return BARE, nodes[y].stop, np.int32(1)


@njit(nogil=True)
def three_targets(nodes, x, j, anchor, aligned):
    """Return the target sides of the merged rule, the upper and the lower one.

    `lowest` says that no node below `x` in its chain is aligned with `j`.
    """
    y = nodes[anchor].to
    if j == y:
        lowest = nodes[j].owner == (x if aligned else anchor)
        spelled = spell_target(nodes, y, lowest)
        return spelled, spell_target(nodes, y, False), spelled
    here = spell_target(nodes, y, True)
    lowest = nodes[j].owner == x if aligned else nodes[j].aligned == 0
    lower = spell_target(nodes, j, lowest)
    if not lowest:
        return here, here, lower
    weight = nodes[j].weight - nodes[j].stop
    width = nodes[j].width - np.int32(1)
    if aligned:
        _, h = flip(nodes, j, mark(LINKED), nodes[j].hash)
        return (h, here[1] + weight, here[2] + width), here, lower
    _, h = flip(nodes, j, nodes[j].hash, mark(LINKED))
    return here, (h, here[1] - weight, here[2] - width), lower


@njit(nogil=True)
def three_rules(nodes, ways, x, j):
    """Return the anchor of `x` and (key, log base probability, root pair) of three rules.

    One runs through `x` unaligned, the others lie above and below `x` aligned with `j`.
    """
    aligned = nodes[x].to != UNALIGNED
    here = nodes[x].hash
    frontier = mark(LINKED if j >= 0 else GONE)
    if aligned:
        anchor, source_m = flip(nodes, x, frontier, here)
        source_a = nodes[anchor].hash
    else:
        anchor, source_a = flip(nodes, x, here, frontier)
        source_m = nodes[anchor].hash
    y = nodes[anchor].to
    step, widening = nodes[x].weight - nodes[x].stop, nodes[x].width - 1
    weight_a = nodes[anchor].weight - nodes[anchor].free - (0.0 if aligned else step)
    width_a = nodes[anchor].width - (0 if aligned else widening)
    weight_m, width_m = weight_a + step, width_a + widening
    weight_b = nodes[x].weight - nodes[x].free
    root, root_b = nodes[anchor].epsilon, nodes[x].epsilon
    target_m = target_a = target_b = NOTHING
    if y >= 0:
        root = nodes[anchor].row + nodes[y].label
        if j < 0:
            merged = upper = spell_target(nodes, y, nodes[y].owner == anchor)
        else:
            merged, upper, lower = three_targets(nodes, x, j, anchor, aligned)
            root_b = nodes[x].row + nodes[j].label
            target_b = lower[0]
            weight_b += lower[1] - ways[nodes[x].width, lower[2]]
        target_m, target_a = merged[0], upper[0]
        weight_m += merged[1] - ways[width_m, merged[2]]
        weight_a += upper[1] - ways[width_a, upper[2]]
    return (
        anchor,
        (rule_key(source_m, target_m, root), weight_m, root),
        (rule_key(source_a, target_a, root), weight_a, root),
        (rule_key(here, target_b, root_b), weight_b, root_b),
    )


@njit(nogil=True)
def counted(table, slot):
    """Return a rule's count, 0 for a rule without a slot."""
    return table[slot].count if slot >= 0 else 0


@njit(nogil=True)
def log_odds(rules, merged, upper, lower, slots, aligned):
    """Return the log-odds of the rules `upper` and `lower` against `merged` in their place.

    `aligned` says which are counted now. The upper and the merged rule share their root pair, whose
    denominator cancels; the lower rule is generated after the upper one. Only a rule that is not in
    use needs its own logarithm, so small base probabilities are never exponentiated.
    """
    table, roots = rules.table, rules.roots
    same = 1 if upper[0] == lower[0] else 0
    count_m = counted(table, slots[0]) - (0 if aligned else 1)
    count_a = counted(table, slots[1]) - (1 + same if aligned else 0)
    count_b = counted(table, slots[2]) + (-1 if aligned else same)
    total = roots[lower[2]].total - (1 if aligned else 0)
    ratio = 1.0 / (total + roots[lower[2]].alpha)
    d = 0.0
    if count_m > 0:
        ratio /= count_m + table[slots[0]].prior
    else:
        d -= roots[merged[2]].log_alpha + merged[1]
    if count_a > 0:
        ratio *= count_a + table[slots[1]].prior
    else:
        d += roots[upper[2]].log_alpha + upper[1]
    if count_b == 0:
        d += roots[lower[2]].log_alpha + lower[1]
    elif slots[2] >= 0:
        ratio *= count_b + table[slots[2]].prior
    else:
        ratio *= count_b + np.exp(roots[lower[2]].log_alpha + lower[1])
    return d + np.log(ratio)


@njit(nogil=True)
def decide(d, temperature, draw):
    """Return whether to take the choice with log-odds `d`; at temperature 0, the better one."""
    if temperature == 0.0:
        return d > 0.0
    return draw * (1.0 + np.exp(-d / temperature)) < 1.0


@njit(nogil=True)
def update_one_way(nodes, rules, x, j, temperature, draw):
    """Draw between leaving `x` unaligned and aligning it with `j`.

    Return whether it changed and the log joint's gain.
    """
    aligned = nodes[x].to != UNALIGNED
    anchor, merged, upper, lower = three_rules(nodes, rules.ways, x, j)
    if aligned:
        slots = find(rules.table, merged[0]), nodes[anchor].slot, nodes[x].slot
    else:
        slots = nodes[anchor].slot, find(rules.table, upper[0]), find(rules.table, lower[0])
    d = log_odds(rules, merged, upper, lower, slots, aligned)
    if decide(d, temperature, draw) == aligned:
        return False, 0.0
    if aligned:
        give_back(rules, slots[1])
        give_back(rules, slots[2])
        unalign(nodes, x)
        nodes[x].slot = -1
        nodes[anchor].slot = take(rules, merged[0], merged[1], merged[2])
        return True, -d
    give_back(rules, slots[0])
    align(nodes, x, j)
    nodes[anchor].slot = take(rules, upper[0], upper[1], upper[2])
    nodes[x].slot = take(rules, lower[0], lower[1], lower[2])
    return True, d


@njit(nogil=True)
def log_count(rules, rule, extra):
    """Return `log(n + α P0)` of a rule, `n` its count and `extra` uses more."""
    count = counted(rules.table, find(rules.table, rule[0])) + extra
    log_prior = rules.roots[rule[2]].log_alpha + rule[1]
    return log_prior if count == 0 else np.log(count + np.exp(log_prior))


@njit(nogil=True)
def log_two(rules, upper, lower):
    """Return the log-weight of two rules together, the lower generated after the upper one."""
    total = rules.roots[lower[2]].total + (upper[2] == lower[2])
    return (
        log_count(rules, upper, 0)
        + log_count(rules, lower, upper[0] == lower[0])
        - np.log(total + rules.roots[lower[2]].alpha)
    )


@njit(nogil=True)
def pick(weights, temperature, draw):
    """Return the index drawn from log-weights; at temperature 0 the first of the greatest."""
    best = np.argmax(weights)
    if temperature == 0.0:
        return best
    total = 0.0
    for weight in weights:
        total += np.exp((weight - weights[best]) / temperature)
    rest = draw * total
    for k in range(len(weights) - 1):
        rest -= np.exp((weights[k] - weights[best]) / temperature)
        if rest < 0.0:
            return k
    return len(weights) - 1


@njit(nogil=True)
def put_in(nodes, rules, r, crossing):
    """Count the rule rooted in node `r`."""
    key, weight, root = rule_at(nodes, rules.ways, r, crossing)
    nodes[r].slot = take(rules, key, weight, root)


@njit(nogil=True)
def update_chain(nodes, candidate, rules, x, run, temperature, draw, weights):
    """Draw among all candidates of a source node; return as `update_one_way`.

    `weights` is a buffer.
    """
    anchor, before, now = anchor_of(nodes, x), nodes[x].to, 0
    give_back(rules, nodes[anchor].slot)
    if before != UNALIGNED:
        now = nodes[before].rank - run[0] + 1
        give_back(rules, nodes[x].slot)
        nodes[x].slot = -1
        unalign(nodes, x)
    ways = run[1] - run[0]
    for k in range(ways):
        _, merged, upper, lower = three_rules(nodes, rules.ways, x, candidate[run[0] + k])
        weights[k + 1] = log_two(rules, upper, lower)
        if k == 0:
            weights[0] = log_count(rules, merged, 0)
    k = pick(weights[: ways + 1], temperature, draw)
    if k > 0:
        align(nodes, x, candidate[run[0] + k - 1])
        put_in(nodes, rules, x, False)
    put_in(nodes, rules, anchor, False)
    return k != now, weights[k] - weights[now]


@njit(nogil=True)
def update_in_place(nodes, candidate, rules, x, run, crossing, temperature, draw):
    """Draw among all choices of `x`, each tried in place; return as `update_one_way`."""
    top = owner_of(nodes, anchor_of(nodes, x))
    before = nodes[x].to
    give_back(rules, nodes[top].slot)
    if before != UNALIGNED:
        give_back(rules, nodes[x].slot)
        nodes[x].slot = -1
        unalign(nodes, x)
    ways = max(1, run[1] - run[0])
    choice = np.full(ways + 1, DELETED, dtype=np.int32)
    choice[0] = UNALIGNED
    weights = np.empty(ways + 1)
    weights[0] = log_count(rules, rule_at(nodes, rules.ways, top, crossing), 0)
    now = 0
    for k in range(1, ways + 1):
        if run[1] > run[0]:
            choice[k] = candidate[run[0] + k - 1]
        align(nodes, x, choice[k])
        upper = rule_at(nodes, rules.ways, top, crossing)
        lower = rule_at(nodes, rules.ways, x, crossing)
        weights[k] = log_two(rules, upper, lower)
        unalign(nodes, x)
        if choice[k] == before:
            now = k
    k = pick(weights, temperature, draw)
    if k > 0:
        align(nodes, x, choice[k])
        put_in(nodes, rules, x, crossing)
    put_in(nodes, rules, top, crossing)
    return k != now, weights[k] - weights[now]


@njit(nogil=True)
def update(nodes, candidate, rules, x, crossing, temperature, draw, weights):
    """Draw the alignment of one site; return whether it changed and the log joint's gain."""
    run = candidates(nodes, x)
    if crossing or nodes[x].owner != UNALIGNED:
        return update_in_place(nodes, candidate, rules, x, run, crossing, temperature, draw)
    if run[1] - run[0] > 1:
        return update_chain(nodes, candidate, rules, x, run, temperature, draw, weights)
    j = DELETED if run[0] == run[1] else candidate[run[0]]
    return update_one_way(nodes, rules, x, j, temperature, draw)


@njit(nogil=True)
def shuffle(items, begin, end, draws, at):
    """Put a run of items in random order; return where the draws continue."""
    for k in range(end - 1, begin, -1):
        other = begin + int(draws[at] * (k - begin + 1))
        items[k], items[other] = items[other], items[k]
        at += 1
    return at


@njit(nogil=True)
def sweep(nodes, layout, rules, order, draws, temperature):
    """Draw every site once, pairs and their sites in random order.

    `draws` are uniform: one for each site, and for the order one less than there are pairs, and
    sites of a pair.

    Return the table of rules, how many sites changed, and the log joint's gain.
    """
    site, candidate = layout.site, layout.candidate
    changes, gain = 0, 0.0
    weights = np.empty(len(candidate) + 1)
    at = shuffle(order, 0, len(order), draws, 0)
    for p in order:
        begin, end, crossing = layout.site_start[p], layout.site_start[p + 1], layout.crossing[p]
        rules = with_room(nodes, rules, 2 * (end - begin))
        at = shuffle(site, begin, end, draws, at)
        for k in range(begin, end):
            changed, more = update(
                nodes, candidate, rules, site[k], crossing, temperature, draws[at], weights
            )
            at += 1
            changes += changed
            gain += more
    return rules.table, changes, gain


@njit(nogil=True)
def draw_tables(count, prior, draws, at):
    """Draw how often a rule with that many uses was generated by the base and not copied.

    These are the tables of the Chinese restaurant at which one rule is served.
    """
    tables = 1
    for k in range(1, count):
        tables += draws[at + k - 1] * (k + prior) < prior
    return tables


@njit(nogil=True)
def add_fragment(nodes, root, times, pays, expanded, stopped):
    """Count the decisions of the fragment that spells out `root`."""
    x = root
    while x < nodes[root].end:
        if x == root or nodes[x].front == OPEN:
            if x != root or pays:
                expanded[nodes[x].label] += times
            x += 1
        else:
            stopped[nodes[x].label] += times
            x = nodes[x].end


@njit(nogil=True)
def count_decisions(nodes, table, labels, root_pays, draws):
    """Return how often the base expanded each category, and how often it stopped at it.

    `draws` are uniform: one for each use of a rule but its first.
    """
    at = 0
    expanded, stopped = np.zeros(labels), np.zeros(labels)
    seen = np.zeros(len(table), dtype=np.bool_)
    for x in range(len(nodes)):
        if nodes[x].to == UNALIGNED or nodes[x].slot < 0 or seen[nodes[x].slot]:
            continue
        slot, y = nodes[x].slot, nodes[x].to
        seen[slot] = True
        times = draw_tables(table[slot].count, table[slot].prior, draws, at)
        at += table[slot].count - 1
        add_fragment(nodes, x, times, root_pays, expanded, stopped)
        if y >= 0 and nodes[y].owner == x:
            add_fragment(nodes, y, times, True, expanded, stopped)
        elif y >= 0:
            stopped[nodes[y].label] += times
    return expanded, stopped

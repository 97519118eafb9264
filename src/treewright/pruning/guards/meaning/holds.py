"""How a phrase is held in a tree: to what it modifies, to what it governs, to its clause."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.reach import (
    NOMINAL,
    SENTENCES,
    child_of,
    clause,
    host,
    next_word,
    opened,
    previous_word,
)

_PREDICATES = SENTENCES | {"VP"}
_JOINED = frozenset({"SBAR", "CC"})


def stay(holder: Holder, first: int, last: int) -> int:
    """Hold a phrase to the lowest node with other words, and return that node."""
    top = host(holder, first, last)
    for place in range(first, last + 1):
        holder.hold_up_to(holder.leaves[place], top)
    return top


def remain(holder: Holder, first: int, last: int) -> None:
    """Hold a phrase to the lowest node with other words."""
    stay(holder, first, last)


def modify(holder: Holder, first: int, last: int) -> None:
    """Hold a phrase to what it modifies, and the noun that it is about."""
    top = stay(holder, first, last)
    if holder.labels[top] in NOMINAL or holder.labels[top] == "ADJP":
        holder.follow_heads(top)


def precede(holder: Holder, first: int, last: int) -> None:
    """Hold a phrase and the word behind it to where they meet, with what that word governs."""
    stay(holder, first, last)
    behind = next_word(holder, last)
    if behind >= 0:
        holder.bind(first, behind)
        _hold_target(holder, last, behind)


def _hold_target(holder: Holder, last: int, behind: int) -> None:
    """Hold the head of what begins at `behind`, which a phrase that ends at `last` is about."""
    top = holder.meeting(holder.leaves[last], holder.leaves[behind])
    target = child_of(holder, top, behind)
    if target < 0:
        return
    if holder.children[target]:
        holder.follow_heads(target)
    elif holder.tag(behind) in ("IN", "TO"):
        for phrase in holder.behind(target)[:1]:
            holder.held.add(phrase)
            holder.follow_heads(phrase)
    elif holder.labels[top] in NOMINAL:
        holder.follow_heads(top)


def follow(holder: Holder, first: int, last: int) -> None:
    """Hold a phrase and the word before it to where they meet."""
    stay(holder, first, last)
    before = previous_word(holder, first)
    if before >= 0:
        holder.bind(before, last)


def unite(holder: Holder, first: int, last: int) -> None:
    """Hold the words of one expression to where they meet: all stay, or none."""
    top = holder.meeting(holder.leaves[first], holder.leaves[last])
    for place in range(first, last + 1):
        holder.hold_up_to(holder.leaves[place], top)


def govern(holder: Holder, first: int, last: int) -> int:
    """Hold a phrase to what it governs, with the head of that, and return the whole."""
    top = opened(holder, first, last)
    for place in range(first, last + 1):
        holder.hold_up_to(holder.leaves[place], top)
    behind = next_word(holder, last)
    if behind >= 0:
        child = child_of(holder, top, behind)
        if child >= 0:
            holder.held.add(child)
            holder.follow_heads(child)
    return top


def introduce(holder: Holder, first: int, last: int) -> None:
    """Hold a phrase to what it governs, which may be dropped as a whole."""
    govern(holder, first, last)


def limit(holder: Holder, first: int, last: int) -> None:
    """Hold a phrase to what it governs, and that to the clause that it limits, with its verb."""
    top = govern(holder, first, last)
    if not top:
        return
    while _is_joined(holder, holder.parent[top]):
        holder.hold_up_to(top, holder.parent[top])
        top = holder.parent[top]
    limited = clause(holder, holder.parent[top])
    holder.hold_up_to(top, limited)
    climb_edge(holder, first, last)
    main = [holder.parent[top]] if holder.labels[holder.parent[top]] == "VP" else []
    if holder.parent[top] == limited:
        main = [x for x in holder.content(limited) if x != top and holder.labels[x] in _PREDICATES]
    if len(main) == 1:
        holder.hold_up_to(main[0], limited)
        holder.follow_heads(main[0])


def _is_joined(holder: Holder, node: int) -> bool:
    """Whether a node is nothing but subordinate clauses side by side: `unless …, because …`."""
    labels = [holder.labels[x] for x in holder.content(node)]
    return holder.labels[node] == "SBAR" and labels.count("SBAR") > 1 and set(labels) <= _JOINED


def exclude(holder: Holder, first: int, last: int) -> None:
    """Hold an exception, with what narrows it, to the clause that it limits."""
    limit(holder, first, last)
    behind = next_word(holder, last)
    if behind >= 0:
        child = child_of(holder, opened(holder, first, last), behind)
        holder.hold_restrictive(child, all_conjuncts=True)
        holder.scopes.add(child)


def complete(holder: Holder, first: int, last: int) -> None:
    """Hold a verb to its phrase, and what it governs to the verb: particle, object, clause."""
    stay(holder, first, last)
    for sibling in holder.behind(holder.leaves[last]):
        if holder.labels[sibling] in ("NP", "S", "SBAR", "PP", "VP"):
            holder.held.add(sibling)
            holder.follow_heads(sibling)
            return
        if holder.labels[sibling] == "PRT":
            holder.held.add(sibling)


def climb(holder: Holder, first: int, last: int) -> None:
    """Hold a phrase, already held to what hosts it, up to its clause."""
    top = host(holder, first, last)
    holder.hold_up_to(top, clause(holder, top, through=True))


def climb_edge(holder: Holder, first: int, last: int) -> None:
    """Hold what a phrase opens behind a comma up to the last clause that ends where it does.

    Which of these clauses it limits is what parsers most often get wrong.
    """
    top = opened(holder, first, last)
    if holder.word(first - 1) != "," or holder.first[top] < first:
        return
    highest = top
    while highest and holder.last(holder.parent[highest]) <= holder.last(top) + 1:
        highest = holder.parent[highest]
    holder.hold_up_to(top, highest)


def assert_with(holder: Holder, first: int, last: int) -> None:
    """Hold a predicate to its clause: what it governs does not stay without it."""
    top = stay(holder, first, last)
    holder.hold_up_to(top, clause(holder, top))

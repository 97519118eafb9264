"""Guarding: a forest of rewritings becomes the forest of those that break no guard."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from treewright.arrays import Bools
from treewright.pruning.forests import CompressionForest
from treewright.pruning.gaps import Gaps
from treewright.pruning.guards.articles import clashing_gaps
from treewright.pruning.guards.chinese import chinese_needs
from treewright.pruning.guards.clinging import clinging_gaps
from treewright.pruning.guards.coordination import (
    emptying_gaps,
    leading_gaps,
    parting_gaps,
)
from treewright.pruning.guards.grammar import essential, head_ties
from treewright.pruning.guards.holding import Claim
from treewright.pruning.guards.meaning import (
    NORMAL,
    limiting_places,
    meaningful,
    speaker_ties,
)
from treewright.pruning.guards.negation import inseparable
from treewright.pruning.guards.parts import whole_parts
from treewright.pruning.guards.reference import references
from treewright.pruning.guards.subordination import main_clauses
from treewright.pruning.heads import split_by_heads
from treewright.pruning.holding import (
    ancestors,
    changing_edges,
    dropping_edges,
    dropping_gaps,
    gap_edges,
    passing_edges,
    writing_edges,
)
from treewright.pruning.needing import Need, obey_needs
from treewright.trees import TreeTable

STRICT, WEIGHED, JOINED, LOOSE = 3, 2, 1, 0
"""How far grammar is obeyed, in the order in which it gives way to a limit. What is weighed goes if
the estimate of a model that has learned it from editors thinks well of that.
"""
NEGOTIABLE = frozenset(
    {"S S", "VP SBAR", "SBAR SBAR", "SBAR S", "SBAR VP", "PP S", "PP PP", "PP SBAR"}
)
"""What a phrase needs (see `essential`) but may lose at times: of the versions that were read,
those without it were fine or weak in a third of the cases or more; without anything else that is
needed and was dropped more than twice, in about a quarter at most.
"""
RECENT = 128
"""How many claims are remembered: those of 64 sentences, which are guarded together, in both modes.
"""


@lru_cache(maxsize=RECENT)
def claim_of(source: TreeTable, faithful: str) -> Claim:
    """Return the nodes that carry the claim; every level of grammar asks for them again."""
    needs = Claim(chinese_needs(source), frozenset())
    return inseparable(source) | meaningful(source, faithful) | needs


def parts_of(forest: CompressionForest, faithful: str) -> Bools:
    """Return which gaps of a forest drop whole parts of a phrase that only carry claims of their
    own, or what English needs; complements of verbs are no such parts.
    """
    source, claim = forest.source, claim_of(forest.source, faithful)
    needed = essential(source)
    complements = {x for x, kind in needed.items() if kind.startswith(("VP ", "be "))}
    clauses = {x for x in complements if source.labels[x] in ("S", "SBAR", "VP")}
    chosen = dropping_gaps(forest, claim.whole | needed.keys())
    chosen &= ~dropping_gaps(forest, claim.limits | complements - clauses)
    return whole_parts(source, forest.gaps, chosen, limiting_places(source, faithful))


def guard(
    forest: CompressionForest,
    demanded: Collection[int] = (),
    barred: Collection[int] = (),
    *,
    grammar: int,
    faithful: str = NORMAL,
    dispensable: Collection[int] = (),
    released: Bools | None = None,
    needs: Sequence[Need] = (),
    pairs: bool = False,
) -> CompressionForest:
    """Return the derivations that break no guard, and no others.

    Words are only deleted; the demanded tokens (from 0) stay and the barred ones go. What negates
    stays, too, what else carries the claim (if `faithful` is strict, what qualifies it, too),
    what Chinese phrases need, and what English ones need, as far as `grammar` says. Of what
    may carry the claim but is weighed, `dispensable` nodes may go; `released` gaps may drop whole
    parts (see `parts_of`). `needs` are those of other sentences; if no
    derivation obeys all needs, none is heeded. With `pairs`, the result knows which words it keeps
    together with their governors.
    """
    source = forest.source
    claim = claim_of(source, faithful)
    stays = ancestors(source, demanded)
    held = claim.held | claim.weighed.difference(dispensable) | stays
    ties = head_ties(source)
    closed = changing_edges(forest)
    if grammar >= WEIGHED:
        needed = essential(source)
        held |= {x for x in needed if grammar == STRICT or needed[x] not in NEGOTIABLE}
    # Even a forest without gaps has rules that go from one kept child to another.
    gaps = forest.gaps if len(forest.gaps.parent) else Gaps.of(source.arrays.end)
    broken = leading_gaps(source, gaps)
    if grammar != LOOSE:
        broken |= clashing_gaps(source, gaps) | parting_gaps(source, gaps)
        broken |= clinging_gaps(source, gaps) | emptying_gaps(source, gaps)
    else:
        ties = speaker_ties(source, ties)
    closed |= passing_edges(forest, gaps, broken)
    dropping = dropping_edges(forest, held)
    if released is not None and released.any():
        dropping &= ~gap_edges(forest, released & ~dropping_gaps(forest, stays))
    closed |= dropping
    closed |= writing_edges(forest, barred)
    if ties or pairs:
        left = split_by_heads(forest, ties, closed=closed, pairs=pairs)
    else:
        left = forest.without(closed)
    if grammar == LOOSE:
        return left
    asked = [*references(source), *main_clauses(source), *needs]
    # What must go can meet no need.
    found = [need._replace(wanted=need.wanted.difference(barred)) for need in asked]
    obeying = obey_needs(left, [need for need in found if need.wanted])
    return obeying if obeying.forest.num_edges else left

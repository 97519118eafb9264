"""Orders: an instruction keeps its verb and the verb its object, item by item."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import stay
from treewright.pruning.guards.meaning.reach import clause
from treewright.pruning.guards.meaning.rows import FLIPS, Row
from treewright.pruning.guards.outline import Outline
from treewright.text import is_word

_POLITE = ("please", "kindly", "always", "also", "then", "and", "or", "do", "n't", "not", "never")


def _commands(outline: Outline, first: int, last: int) -> bool:
    """Whether a verb in its base form opens a clause without a subject."""
    before = first - 1
    while before >= 0 and outline.words[before] in _POLITE:
        before -= 1
    if before >= 0 and is_word(outline.words[before]) and outline.tag(before) != "LS":
        return False
    top = clause(outline, outline.leaves[first])
    return not any(
        outline.labels[x] == "NP" and outline.first[x] < first for x in outline.children[top]
    )


def _hold_order(holder: Holder, first: int, last: int) -> None:
    """Hold the verb to its clause, with its object."""
    top = stay(holder, first, last)
    holder.hold_up_to(top, clause(holder, top))
    if holder.labels[top] == "VP":
        holder.follow_heads(top)


ROWS = (
    Row(
        name="verbs of orders",
        kind="lists",
        loss=FLIPS,
        source="imperatives; list items of prompts",
        tags=("VB",),
        when=_commands,
        hold=_hold_order,
        climbs=False,
        weighed=True,
    ),
)

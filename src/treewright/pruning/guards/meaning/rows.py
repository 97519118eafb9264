"""`Row`: one kind of meaning-bearing material, where it occurs, and what it must stay with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.reach import Finder
from treewright.pruning.guards.outline import Outline

FLIPS, WEAKENS, BREAKS = "flips", "weakens", "breaks"
"""What its loss does: it flips or widens the claim; it takes away a qualification that a careful
reader wants; or it breaks one expression in two.
"""

NORMAL, STRICT = "normal", "strict"
FAITHFUL = (NORMAL, STRICT)
"""How faithful prunings are: to the claim, or also to its qualifications.

In strict mode what flips or weakens is held up to its whole clause.
"""

HELD = {NORMAL: (FLIPS, BREAKS), STRICT: (FLIPS, WEAKENS, BREAKS)}
"""The rows that apply in a mode, by what their loss does."""

BEFORE, AFTER = "before", "after"
"""Where the word is that a phrase is bound to, for models that see no tree."""

Hold = Callable[[Holder, int, int], None]
When = Callable[[Outline, int, int], bool]


@dataclass(frozen=True)
class Row:
    """Words, the places where they count (`when`), and how a tree holds them (`hold`).

    `words` are phrases in plain form; `tags` match a word by its part of speech. `extent` finds
    what is named when it is dropped, `beside` says which neighbour strings bind it to, `climbs`
    whether strict mode holds it up to its clause, and `source` is the notion it comes from. If it
    is `weighed`, readers often do not mind its loss: where an estimate can tell, only its words
    are held in normal mode, and phrases are weighed. What `limits` something outside its phrase
    does not go with a part of a sentence either.
    """

    name: str
    kind: str
    loss: str
    source: str
    hold: Hold
    words: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    when: When | None = None
    extent: Finder | None = None
    beside: str = ""
    climbs: bool = True
    weighed: bool = False
    limits: bool = False


def phrases(text: str) -> tuple[str, ...]:
    """Return the phrases between commas."""
    return tuple([" ".join(phrase.split()) for phrase in text.split(",")])

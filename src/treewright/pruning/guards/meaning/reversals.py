"""Verbs that turn what they govern around: to fail to pay is not to pay."""

from __future__ import annotations

from treewright.pruning.guards.meaning.holds import assert_with, complete
from treewright.pruning.guards.meaning.reach import NOMINAL, host
from treewright.pruning.guards.meaning.rows import FLIPS, Row
from treewright.pruning.guards.outline import Outline
from treewright.pruning.guards.verbs import verb_forms


def _is_verb(outline: Outline, first: int, last: int) -> bool:
    return outline.tag(first)[:2] == "VB"


def _predicates(outline: Outline, first: int, last: int) -> bool:
    """Whether an adjective is what is said of the subject."""
    return outline.tag(first) == "JJ" and outline.labels[host(outline, first, last)] not in NOMINAL


ROWS = (
    Row(
        name="adversative verbs",
        kind="reversals",
        loss=FLIPS,
        source="negative implicatives (Karttunen); must_keep: failed, denied, withdrew, lacked",
        words=verb_forms(
            "deny refuse fail decline doubt reject dismiss avoid prevent forbid withdraw cancel"
            " abandon lack reverse oppose stop cease quit halt suspend postpone delay miss prohibit"
            " ban block bar exclude omit neglect dispute question contradict pretend feign retract"
            " revoke repeal rescind scrap rule drop lose forget hesitate resist object overturn"
            " quash disprove refute withhold disavow renounce waive lapse expire stall shelve curb"
            " limit restrict escape survive regret"
        ),
        when=_is_verb,
        hold=complete,
        weighed=True,
    ),
    Row(
        name="predicates that deny",
        kind="reversals",
        loss=FLIPS,
        source="negative predicates",
        words=("unaware", "absent", "missing", "exempt", "ineligible", "void", "null"),
        when=_predicates,
        hold=assert_with,
    ),
)

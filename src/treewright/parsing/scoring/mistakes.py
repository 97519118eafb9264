"""What kind of mistake each unmatched bracket is: a rough picture of where a parser goes wrong."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from treewright.parsing.scoring.bracketing import Bracket, Bracketing, Span

WRONG_LABEL = "wrong label"
UNARY = "unary"
PP_ATTACHMENT = "PP attachment"
CROSSING = "crossing"
NESTED_NP = "NP in NP"
OTHER = "other"

KINDS = {
    WRONG_LABEL: "the other tree has the span under another label",
    UNARY: "the other tree has the span (or it is one word), but fewer brackets over it",
    PP_ATTACHMENT: "it holds a PP that the other tree attaches elsewhere",
    CROSSING: "it crosses a bracket of the other tree",
    NESTED_NP: "an NP within an NP: one tree is flatter there",
    OTHER: "the other tree is flatter there",
}
"""Kinds of mistakes; a bracket belongs to the first that fits."""


class BracketErrors(NamedTuple):
    """Mistakes by kind: gold brackets that were not found, and guessed ones that are not there."""

    missing: Counter[str]
    extra: Counter[str]


def bracket_errors(gold: Bracketing, guessed: Bracketing) -> BracketErrors:
    """Classify every bracket that only one of two trees has."""
    return BracketErrors(_kinds(gold, guessed), _kinds(guessed, gold))


def _kinds(ours: Bracketing, theirs: Bracketing) -> Counter[str]:
    kinds: Counter[str] = Counter()
    partners = Counter(theirs.brackets[index].span for index in _unmatched(theirs, ours))
    spans = {bracket.span for bracket in theirs.brackets}
    for index in _unmatched(ours, theirs):
        span = ours.brackets[index].span
        if partners[span]:
            partners[span] -= 1
            kinds[WRONG_LABEL] += 1
        else:
            kinds[_structural(ours, index, theirs, spans)] += 1
    return kinds


def _unmatched(ours: Bracketing, theirs: Bracketing) -> list[int]:
    """Return the indices of our brackets that they lack; of equal ones, the upper are left over."""
    left = Counter(theirs.brackets)
    unmatched = []
    for index in reversed(range(len(ours.brackets))):
        bracket = ours.brackets[index]
        if left[bracket]:
            left[bracket] -= 1
        else:
            unmatched.append(index)
    return unmatched


def _structural(ours: Bracketing, index: int, theirs: Bracketing, spans: set[Span]) -> str:
    bracket, parent = ours.brackets[index], ours.parent(index)
    if bracket.span in spans or bracket.end - bracket.start == 1:
        return UNARY
    if any(_moved(child, bracket, theirs) for child in ours.children(index)):
        return PP_ATTACHMENT
    if any(bracket.crosses(other) for other in theirs.brackets):
        return CROSSING
    if bracket.label == "NP" and parent is not None and parent.label == "NP":
        return NESTED_NP
    return OTHER


def _moved(child: Bracket, parent: Bracket, theirs: Bracketing) -> bool:
    """Whether a PP is in the other tree too, under a parent with another label or start."""
    if child.label != "PP" or child not in theirs.brackets:
        return False
    above = theirs.parent(theirs.brackets.index(child))
    return above is None or (above.label, above.start) != (parent.label, parent.start)

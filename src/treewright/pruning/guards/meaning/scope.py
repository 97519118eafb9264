"""What narrows a denial, a rule or a universal claim: dropped, it widens the claim."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.lexicon import is_negative
from treewright.pruning.guards.meaning.conditions import is_narrative
from treewright.pruning.guards.meaning.holds import introduce, remain
from treewright.pruning.guards.meaning.reach import NOMINAL, host, opened, whole
from treewright.pruning.guards.meaning.rows import BREAKS, FLIPS, WEAKENS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.text import is_word
from treewright.trees import word_set

_MODIFIERS = word_set("PP SBAR VP ADJP RRC S")
_ADJUNCTS = word_set("PP SBAR ADVP NP S ADJP")
_GENERAL = word_set(
    "a an any every each all no those anyone everyone everybody anybody anything everything nobody"
    " nothing one"
)
_UNIVERSAL = phrases(
    "all, every, each, any, no, none, nobody, nothing, no-one, anyone, anybody, anything, everyone,"
    " everybody, everything, those, whoever, nowhere, anywhere, everywhere, neither, few, only"
)
_NEGATIVE = phrases(
    "not, n't, never, no, nobody, nothing, none, neither, nor, hardly, scarcely, barely, seldom,"
    " rarely, cannot, without, dont, doesnt, didnt, cant, wont"
)


def _modifiers(outline: Outline, first: int) -> list[int]:
    """Return what follows the noun of the phrase that a word opens, without a comma before it."""
    found: list[int] = []
    node = outline.leaves[first]
    while outline.labels[above := outline.parent[node]] in NOMINAL:
        if outline.first[above] != outline.first[node] and outline.labels[node] in NOMINAL:
            break
        for sibling in outline.behind(node):
            restricts = outline.labels[sibling] in _MODIFIERS
            if restricts and is_word(outline.word(outline.first[sibling] - 1)):
                found.append(sibling)
        node = above
    return found


def _is_restricted(outline: Outline, first: int, last: int) -> bool:
    return bool(_modifiers(outline, first))


def _hold_modifiers(holder: Holder, first: int, last: int) -> None:
    for node in _modifiers(holder, first):
        holder.held.add(node)
        holder.follow_heads(node)
        holder.follow_heads(holder.parent[node])
        holder.scopes.add(node)
    holder.follow_heads(host(holder, first, last))


def _antecedent(outline: Outline, first: int) -> int:
    """Return the noun phrase that a relative clause without a comma belongs to, or -1."""
    node = opened(outline, first, first)
    if outline.labels[node] != "SBAR" or outline.first[node] > first:
        return -1
    if not is_word(outline.word(outline.first[node] - 1)):
        return -1
    before = outline.before(node)
    nominal = before and outline.labels[outline.parent[node]] in NOMINAL
    return outline.parent[node] if nominal else -1


def _restricts_rule(outline: Outline, first: int, last: int) -> bool:
    """Whether a relative clause says who a rule or a general statement is about."""
    if outline.tag(first) not in ("WDT", "WP", "WP$", "WRB", "IN"):
        return False
    noun = _antecedent(outline, first)
    if noun < 0:
        return False
    opening = outline.first[noun]
    general = outline.word(opening) in _GENERAL or outline.tag(opening) in ("NNS", "JJ", "VBG")
    return general and not is_narrative(outline, noun)


def _restricts(outline: Outline, first: int, last: int) -> bool:
    tagged = outline.tag(first) in ("WDT", "WP", "WP$", "WRB", "IN")
    return tagged and _antecedent(outline, first) >= 0


def _hold_relative(holder: Holder, first: int, last: int) -> None:
    node = opened(holder, first, first)
    holder.held.add(node)
    holder.follow_heads(holder.parent[node])
    holder.scopes.add(node)
    introduce(holder, first, last)


def _denies(outline: Outline, first: int, last: int) -> bool:
    return is_negative(outline.table.words, first) or outline.words[first] == "without"


def _hold_scope(holder: Holder, first: int, last: int) -> None:
    """Hold what says when, where and how beside the verb that is denied."""
    node = holder.leaves[first]
    while node and holder.labels[node] not in ("VP", "S", "SINV", "SQ", "FRAG"):
        node = holder.parent[node]
    while node >= 0 and holder.children[node]:
        if holder.labels[node] == "VP":
            for child in holder.content(node):
                if holder.labels[child] in _ADJUNCTS and holder.first[child] > first:
                    holder.held.add(child)
                    holder.follow_heads(child)
        lower = [x for x in holder.children[node] if holder.labels[x] == "VP"]
        node = lower[0] if len(lower) == 1 else -1


def _hold_question(holder: Holder, first: int, last: int) -> None:
    """Hold what is asked for and the predicate of a question: `Who?` asks something else.

    A question behind a statement stays, because its mark does: `we are closed, so could you wait?`.
    """
    asking = [x for x, label in enumerate(holder.labels) if label in ("SBARQ", "SQ")]
    outer = [x for x in asking if holder.labels[holder.parent[x]] not in ("SBARQ", "SQ")]
    if len(outer) == 1 and holder.first[outer[0]] and last == len(holder.words) - 1:
        holder.hold_up_to(outer[0], 0)
    for node, label in enumerate(holder.labels):
        content = holder.content(node) if label in ("SBARQ", "SQ") else []
        if any(holder.labels[x] == "CC" for x in content):
            continue
        for child in content:
            asked = holder.tag(holder.first[child])[:1] == "W" and child == content[0]
            if asked or holder.labels[child] in ("SQ", "S", "VP"):
                holder.held.add(child)
                holder.follow_heads(child)


ROWS = (
    Row(
        name="predicates of questions",
        kind="scope",
        loss=BREAKS,
        source="interrogatives",
        words=("?",),
        when=lambda outline, first, last: "?" not in outline.words[:first],
        hold=_hold_question,
    ),
    Row(
        name="circumstances that change what was done",
        kind="scope",
        loss=WEAKENS,
        source="must_keep: under duress",
        words=phrases(
            "under duress, under oath, under protest, under pressure, under threat, in error,"
            " by mistake, by accident, on suspicion of, in self-defence, in self-defense, on bail,"
            " on condition of anonymity, in absentia, by default, at gunpoint, in secret,"
            " off the record, on trial, in vain, at a loss, for free, on loan, in exile"
        ),
        hold=remain,
    ),
    Row(
        name="what restricts `all`, `no`, `those`",
        kind="scope",
        loss=FLIPS,
        source="restrictors of universal quantifiers; `nobody outside the laboratory`",
        words=_UNIVERSAL,
        when=_is_restricted,
        hold=_hold_modifiers,
    ),
    Row(
        name="relative clauses of rules",
        kind="scope",
        loss=FLIPS,
        source="restrictive relatives; `a member who has not paid may not vote`",
        words=("who", "that", "which", "whose", "whom"),
        when=_restricts_rule,
        hold=_hold_relative,
        extent=whole,
        weighed=True,
    ),
    Row(
        name="other restrictive relative clauses",
        kind="scope",
        loss=WEAKENS,
        source="must_keep: pretended",
        words=("who", "that", "which", "whose", "whom"),
        when=_restricts,
        hold=_hold_relative,
        extent=whole,
        climbs=False,
    ),
    Row(
        name="circumstances of what is denied",
        kind="scope",
        loss=WEAKENS,
        source="`have not beaten the Suns on the road`",
        words=_NEGATIVE,
        when=_denies,
        hold=_hold_scope,
        climbs=False,
    ),
)

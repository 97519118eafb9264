"""Conditions: a claim that holds only if something else does."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import assert_with, exclude, govern, introduce
from treewright.pruning.guards.meaning.numerals import MONTHS
from treewright.pruning.guards.meaning.reach import NOMINAL, SENTENCES, clause, opened, whole
from treewright.pruning.guards.meaning.rows import AFTER, FLIPS, WEAKENS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

_FINITE = word_set("VBD VBZ VBP VB MD")
_VERBS = _FINITE | {"VBN", "VBG"}
_TERMS = MONTHS | word_set(
    "monday tuesday wednesday thursday friday saturday sunday noon midnight tomorrow tonight then"
)
_ENDINGS = word_set("until till by")
_SUBJECTS = word_set("DT PRP PRP$ NN NNS NNP NNPS EX CD JJ")


def is_narrative(outline: Outline, node: int) -> bool:
    """Whether the clause around a node tells what happened, and lays down no rule."""
    around = outline.parent[node]
    while around >= 0:
        for child in outline.children[around]:
            tag = outline.tag(outline.first[child]) if outline.labels[child] != "NP" else ""
            if tag in _FINITE and child != node:
                return tag == "VBD"
        around = outline.parent[around]
    return False


def _is_in_story(outline: Outline, first: int, last: int) -> bool:
    """Whether the clause that some words open belongs to a story."""
    return is_narrative(outline, opened(outline, first, last))


def _is_condition(outline: Outline, first: int, last: int) -> bool:
    """Whether a claim depends on the words: not if they are a verb, or tell when a story ended."""
    if outline.words[first] in _ENDINGS:
        return not _is_in_story(outline, first, last)
    if outline.words[first] == "if" and outline.word(first - 1) == "even":
        return False
    if outline.tag(first) not in ("VBD", "VBP", "VBZ"):
        return True
    return outline.word(first - 1) == "," and outline.word(last) == "that"


def _is_term(outline: Outline, place: int) -> bool:
    """Whether `by` comes before a time or a means, and not before someone who does something."""
    if outline.tag(place) in ("CD", "VBG") or outline.word(place) in _TERMS:
        return True
    return outline.word(place) == "the" and outline.word(place + 1) in ("end", "time", "date")


def _rules(outline: Outline, first: int, last: int) -> bool:
    """Whether a word opens a clause or phrase beside a rule, an order or a general statement."""
    if outline.words[first] == "by" and not _is_term(outline, last + 1):
        return False
    node = opened(outline, first, last)
    above = outline.parent[node]
    if not node or outline.first[node] > first or outline.labels[above] in NOMINAL:
        return False
    return not is_narrative(outline, node)


def _subordinates(outline: Outline, first: int, last: int) -> bool:
    """Whether `once` or the like opens a clause."""
    label = outline.labels[opened(outline, first, last)]
    return label == "SBAR" and outline.tag(first) in ("IN", "RB", "WRB", "VBN", "VBG", "VB")


def _rules_clause(outline: Outline, first: int, last: int) -> bool:
    return _subordinates(outline, first, last) and _rules(outline, first, last)


def _inverted(outline: Outline, first: int) -> int:
    """Return the clause that a verb opens before its subject, with another behind it; or -1."""
    if outline.tag(first + 1) not in _SUBJECTS or outline.words[-1] == "?":
        return -1
    node = outline.leaves[first]
    while node and outline.first[outline.parent[node]] == first:
        node = outline.parent[node]
        if outline.labels[node] in SENTENCES and any(
            outline.labels[x] in (*SENTENCES, "VP") for x in outline.behind(node)
        ):
            return node
    return -1


def _comma(outline: Outline, first: int) -> int:
    """Return the place of the comma behind an inverted condition that opens a sentence, or -1."""
    if first or outline.tag(1) not in _SUBJECTS or outline.words[-1] == "?":
        return -1
    return outline.words.index(",") if "," in outline.words else -1


def _is_inverted(outline: Outline, first: int, last: int) -> bool:
    return _inverted(outline, first) >= 0 or _comma(outline, first) >= 0


def _invert(holder: Holder, first: int, last: int) -> None:
    """Hold an inverted condition to the clause that it limits.

    If the tree has no such clause, its verbs and that of the main clause are held to where they
    meet.
    """
    govern(holder, first, last)
    node = _inverted(holder, first)
    if node >= 0:
        holder.hold_up_to(holder.leaves[first], node)
        holder.follow_heads(node)
        holder.hold_up_to(node, clause(holder, holder.parent[node]))
        return
    comma = _comma(holder, first)
    verbs = [place for place in range(1, len(holder.words)) if holder.tag(place) in _VERBS]
    for place in [place for place in verbs if place < comma] + verbs[-1:]:
        holder.bind(first, place)


_CONJUNCTIONS = phrases(
    "if, only if, if and only if, if only, unless, except if, as long as, so long as,"
    " provided, provided that, providing, providing that, on condition that, on the condition that,"
    " on the understanding that, in case, in the event, in the event that, in the event of, only"
    " when, only where, only once, only after, not until, assuming, assuming that, supposing,"
    " supposing that, suppose, insofar as, in so far as, to the extent that, lest,"
    " conditional on, contingent on, subject to, in the absence of, depending on,"
    " until, till, by the time"
)

ROWS = (
    Row(
        name="conditional conjunctions",
        kind="conditions",
        loss=FLIPS,
        source="conditional clauses (CGEL 8.14); must_keep: if, unless, provided, as long as",
        words=_CONJUNCTIONS,
        when=_is_condition,
        hold=exclude,
        extent=whole,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="terms of a story, and consequences",
        kind="conditions",
        loss=FLIPS,
        source="`she waited until …`; a claim is often true without them",
        words=phrases(
            "until, till, by the time, even if, given that, in which case, failing which"
        ),
        when=lambda outline, first, last: (
            outline.words[first] not in _ENDINGS or _is_in_story(outline, first, last)
        ),
        hold=exclude,
        extent=whole,
        beside=AFTER,
        weighed=True,
    ),
    Row(
        name="`whether`",
        kind="conditions",
        loss=FLIPS,
        source="interrogative clauses; must_keep: whether",
        words=("whether", "whether or not"),
        hold=introduce,
        extent=whole,
        beside=AFTER,
    ),
    Row(
        name="inverted conditions",
        kind="conditions",
        loss=FLIPS,
        source="inverted conditionals; must_keep: Were … would",
        words=("were", "had", "should", "could"),
        when=_is_inverted,
        hold=_invert,
        extent=whole,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="`when`, `where`, `once` of rules",
        kind="conditions",
        loss=FLIPS,
        source="legal drafting: cases in which a rule applies",
        words=("when", "whenever", "where", "wherever", "once", "as soon as"),
        when=_rules_clause,
        hold=exclude,
        extent=whole,
        beside=AFTER,
        weighed=True,
    ),
    Row(
        name="what happens otherwise",
        kind="conditions",
        loss=FLIPS,
        source="must_keep: otherwise",
        words=("otherwise", "or else", "if not", "if so", "then and only then"),
        hold=assert_with,
        extent=whole,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="deadlines and terms of rules",
        kind="conditions",
        loss=WEAKENS,
        source="must_keep: before; time limits of obligations",
        words=("before", "after", "within", "by", "during", "while", "pending", "upon"),
        when=_rules,
        hold=exclude,
        extent=whole,
        beside=AFTER,
    ),
    Row(
        name="`since`",
        kind="conditions",
        loss=WEAKENS,
        source="must_keep: since",
        words=("since", "ever since"),
        when=lambda outline, first, last: outline.tag(last) == "IN",
        hold=exclude,
        extent=whole,
        beside=AFTER,
    ),
)

"""Hedges: how sure, how nearly, how far something is so."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import assert_with, precede, remain, stay
from treewright.pruning.guards.meaning.reach import NOMINAL, host
from treewright.pruning.guards.meaning.rows import AFTER, FLIPS, WEAKENS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.pruning.guards.verbs import verb_forms
from treewright.trees import word_set


def _is_adverb(outline: Outline, first: int, last: int) -> bool:
    return outline.tag(first)[:2] in ("RB", "JJ", "IN", "UH", "NN")


_RAISING = verb_forms("seem appear tend look sound feel happen threaten risk")
_REPORTED = word_set(
    "said thought believed reported expected alleged understood considered rumoured rumored"
    " supposed likely unlikely due set scheduled meant intended planned assumed presumed suspected"
    " feared estimated deemed known claimed poised bound certain sure able unable willing unwilling"
    " allowed permitted forbidden required asked told urged advised yet have has had having need"
    " needs needed used going got want wants wanted"
)


def _raises(outline: Outline, first: int, last: int) -> bool:
    """Whether a verb says that something only seems so."""
    if outline.tag(first)[:2] != "VB":
        return False
    following = outline.word(first + 1)
    return following in ("to", "that", "as", "like", "not", "it") or outline.tag(first + 1)[:2] in (
        "JJ",
        "RB",
        "IN",
        "VB",
    )


def _predicates(outline: Outline, first: int, last: int) -> bool:
    """Whether an adjective is what is said, not part of a noun phrase."""
    said = outline.tag(first)[:2] in ("JJ", "VB")
    return said and outline.labels[host(outline, first, last)] not in NOMINAL


def _hold_modal(holder: Holder, first: int, last: int) -> None:
    """Hold a modal verb, and what it makes possible or necessary."""
    stay(holder, first, last)
    for sibling in holder.behind(holder.leaves[first]):
        if holder.labels[sibling] == "VP":
            holder.held.add(sibling)


def _bind_to(holder: Holder, first: int, last: int) -> None:
    """Hold `said to` and the verb behind it."""
    holder.bind(first, last)
    precede(holder, last, last)
    assert_with(holder, first, last)


ROWS = (
    Row(
        name="modal and evidential adverbs",
        kind="hedges",
        loss=FLIPS,
        source="epistemic and evidential modality; must_keep: possibly, probably, reportedly",
        words=phrases(
            "possibly, probably, potentially, perhaps, maybe, apparently, allegedly, reportedly,"
            " seemingly, supposedly, purportedly, presumably, conceivably, arguably, ostensibly,"
            " likely, unlikely, falsely, theoretically, hypothetically, nominally, tentatively,"
            " provisionally, conditionally, in principle, in theory, on paper, in part, partly,"
            " partially, to some extent, to a degree, so far, as yet, to date, thus far, up to now,"
            " until now, sometimes, occasionally, at times, more or less, sort of, kind of,"
            " at best, at worst, in name only, hopefully, almost certainly, nearly certainly,"
            " almost surely, in all likelihood, in all probability, by all accounts,"
            " as far as anyone can tell, as far as we know, as far as is known"
        ),
        when=_is_adverb,
        hold=remain,
        beside=AFTER,
    ),
    Row(
        name="adverbs of approximation",
        kind="hedges",
        loss=FLIPS,
        source="approximators: almost, virtually; must_keep: almost",
        words=phrases(
            "almost, nearly, virtually, practically, all but, as good as, next to, close to,"
            " by no means, in no way, far from, not quite, not entirely, not fully,"
            " not exactly, not necessarily, not always"
        ),
        when=lambda outline, first, last: outline.tag(first) in ("RB", "JJ", "IN", "DT"),
        hold=precede,
        beside=AFTER,
    ),
    Row(
        name="adverbs of what is usual",
        kind="hedges",
        loss=FLIPS,
        source="generic statements; of versions without `normally`, readers accepted 14 %",
        words=phrases(
            "usually, normally, generally, initially, relatively, effectively, in general,"
            " on average, as a rule, in most cases, in some cases"
        ),
        when=lambda outline, first, last: outline.tag(first) in ("RB", "IN"),
        hold=remain,
        beside=AFTER,
        weighed=True,
    ),
    Row(
        name="adverbs of how often and how far",
        kind="hedges",
        loss=WEAKENS,
        source="frequency and degree adverbs; must_keep: still",
        words=phrases(
            "typically, often, frequently, mostly, mainly, largely, primarily, chiefly,"
            " predominantly, essentially, technically, officially, comparatively, somewhat,"
            " slightly, fairly, rather, quite, still, ever, at present, currently, for now,"
            " for the moment, for the time being, temporarily, originally, once, at first,"
            " formerly, previously, gradually, eventually, roughly"
        ),
        when=lambda outline, first, last: outline.tag(first) in ("RB", "IN", "RBR"),
        hold=remain,
        beside=AFTER,
    ),
    Row(
        name="modal verbs",
        kind="hedges",
        loss=FLIPS,
        source="modal auxiliaries; must_keep: may, would have",
        words=phrases("may, might, could, would, should, can, must, shall, ought, ought to"),
        when=lambda outline, first, last: outline.tag(first) == "MD",
        hold=_hold_modal,
        beside=AFTER,
    ),
    Row(
        name="verbs of seeming",
        kind="hedges",
        loss=FLIPS,
        source="raising verbs; must_keep: seems, appears",
        words=_RAISING,
        when=_raises,
        hold=remain,
        beside=AFTER,
    ),
    Row(
        name="`said to`, `expected to`, `unable to`",
        kind="hedges",
        loss=FLIPS,
        source="passives of saying with an infinitive; must_keep: said to, thought, supposed",
        words=tuple(f"{word} to" for word in sorted(_REPORTED)),
        when=lambda outline, first, last: outline.tag(last) == "TO",
        hold=_bind_to,
        beside=AFTER,
    ),
    Row(
        name="predicates of possibility",
        kind="hedges",
        loss=FLIPS,
        source="must_keep: unlikely, impossible",
        words=phrases(
            "possible, impossible, likely, unlikely, unclear, uncertain, doubtful, plausible,"
            " implausible, conceivable, inconceivable, unknown, unproven, untrue, unable,"
            " incapable, reluctant, unwilling, supposed"
        ),
        when=_predicates,
        hold=assert_with,
        weighed=True,
    ),
)

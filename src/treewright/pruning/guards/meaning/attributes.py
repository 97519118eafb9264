"""Adjectives without which a noun names something else: an alleged thief may be no thief."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import modify
from treewright.pruning.guards.meaning.reach import NOMINAL, host
from treewright.pruning.guards.meaning.rows import AFTER, FLIPS, WEAKENS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

_NEGATIVE = ("un", "non", "anti", "semi", "pseudo", "quasi", "ex-", "mis")
_ORDINALS = word_set(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
    " hundredth last next final latest other another same different certain opposite remaining own"
)
_OPENINGS = word_set("DT PRP$ NNP NN POS JJ JJS CD")
_RESTRICTIVE = word_set(
    "written oral prior reasonable material wilful willful gross direct indirect whole entire full"
    " complete annual monthly valid eligible qualified free empty closed dead own illegal invalid"
    " incomplete irregular inactive informal inaccurate incorrect illegitimate disabled dishonest"
)
_NOT_NEGATIVE = ("under", "unit", "uniq", "univ", "unan", "antiq", "misty", "miser", "unif")


def _modifies(outline: Outline, first: int, last: int) -> bool:
    """Whether a word stands before the rest of its noun phrase."""
    if outline.tag(last + 1)[:2] in ("NN", "JJ"):
        return True
    node = host(outline, first, last)
    return outline.labels[node] in NOMINAL and last < outline.last(node)


def _hold_attribute(holder: Holder, first: int, last: int) -> None:
    modify(holder, first, last)
    if holder.tag(last + 1)[:2] in ("NN", "JJ"):
        holder.bind(first, last + 1)


def _identifies(outline: Outline, first: int, last: int) -> bool:
    """Whether an ordinal or superlative says which one is meant: `the first season`."""
    if not _modifies(outline, first, last):
        return False
    word = outline.words[first]
    if outline.tag(first) == "JJ" and not (word in _ORDINALS or word[0].isdigit()):
        return False
    node = host(outline, first, last)
    opening = outline.tag(outline.first[node])
    return opening in _OPENINGS and outline.word(first) not in ("most", "least")


def _restricts(outline: Outline, first: int, last: int) -> bool:
    """Whether an adjective narrows its noun by law or by a negative part of its own."""
    word = outline.words[first]
    negative = word.startswith(_NEGATIVE) and not word.startswith(_NOT_NEGATIVE) and len(word) > 5
    if not (negative or word in _RESTRICTIVE or word.endswith("less")):
        return False
    return _modifies(outline, first, last)


def _precedes_name(outline: Outline, first: int, last: int) -> bool:
    before = outline.tag(first - 1)
    return outline.tag(last + 1)[:2] in ("NN", "JJ") and before in ("DT", "PRP$", "POS", "")


ROWS = (
    Row(
        name="privative adjectives",
        kind="attributes",
        loss=FLIPS,
        source="non-subsective adjectives (Kamp, Partee); must_keep: alleged, attempted, acting",
        words=phrases(
            "alleged, suspected, accused, supposed, so-called, purported, putative, presumed,"
            " reputed, ostensible, apparent, seeming, self-styled, self-proclaimed, would-be,"
            " attempted, aborted, thwarted, foiled, failed, unsuccessful, cancelled, canceled,"
            " postponed, rejected, withdrawn, abandoned, shelved, acting, interim, caretaker,"
            " deputy, vice, assistant, associate, honorary, provisional, tentative, preliminary,"
            " draft, temporary, trainee, aspiring, prospective, potential, possible, probable,"
            " likely, proposed, planned, intended, projected, estimated, expected, anticipated,"
            " hypothetical, theoretical, pending, unconfirmed, unverified, unproven, disputed,"
            " rumoured, rumored, reported, claimed, former, ex, erstwhile, onetime, one-time,"
            " retired, outgoing, incoming, previous, future, then, fake, false, mock, counterfeit,"
            " forged, bogus, sham, phony, pseudo, quasi, imitation, artificial, synthetic, plastic,"
            " toy, replica, fictional, fictitious, imaginary, simulated, virtual, near, partial,"
            " wannabe, optional, voluntary, non-binding, nonbinding, conditional, limited, minor,"
            " designate, formerly"
        ),
        when=_modifies,
        hold=_hold_attribute,
        beside=AFTER,
    ),
    Row(
        name="`late` before a name or noun",
        kind="attributes",
        loss=FLIPS,
        source="must_keep: late",
        words=("late",),
        when=_precedes_name,
        hold=modify,
        beside=AFTER,
    ),
    Row(
        name="ordinals and other words that pick one out",
        kind="attributes",
        loss=FLIPS,
        source="must_keep: first, second; `the first season`",
        words=tuple(sorted(_ORDINALS)),
        tags=("JJS", "JJ"),
        when=_identifies,
        hold=modify,
        beside=AFTER,
    ),
    Row(
        name="adjectives that restrict",
        kind="attributes",
        loss=WEAKENS,
        source="must_keep: written, goalless; `unpaid leave` is not leave",
        words=tuple(sorted(_RESTRICTIVE)),
        tags=("JJ",),
        when=_restricts,
        hold=modify,
        beside=AFTER,
        climbs=False,
    ),
)

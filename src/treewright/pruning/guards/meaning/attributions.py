"""Who says so: a claim without its speaker reads as a fact."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import complete, limit
from treewright.pruning.guards.meaning.reach import SENTENCES, whole
from treewright.pruning.guards.meaning.rows import AFTER, FLIPS, WEAKENS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.pruning.guards.verbs import verb_forms
from treewright.pruning.heads import Tie
from treewright.trees import TreeTable, word_set

_SAYING = verb_forms(
    "say tell write report announce state declare add note explain confirm admit acknowledge insist"
    " maintain stress point show find reveal warn tweet testify reply answer ask recall remark"
    " comment conclude observe predict believe think claim allege argue assert contend suggest"
    " indicate estimate expect hope fear suspect assume swear vow pledge promise agree mention"
    " complain joke quote"
)
_CLAIMING = verb_forms(
    "claim allege accuse charge blame suspect believe think argue assert contend suggest assume"
    " suppose presume imagine estimate predict forecast expect anticipate speculate guess reckon"
    " doubt fear hope wish want seek propose recommend demand urge call plan intend aim attempt try"
    " offer consider threaten promise pledge vow agree undertake swear pretend dream bid advise ask"
    " invite request encourage mean need warn"
)
_SAID_OR_SPEAKER = SENTENCES | word_set("NP SBAR")
_SHORT = 12
"""The most words of a sentence that only says who says so."""
_LATER = SENTENCES | word_set("PRN FRAG")


def _is_verb(outline: Outline, first: int, last: int) -> bool:
    return outline.tag(first)[:2] == "VB"


def _statement(outline: Outline, place: int) -> bool:
    """Whether a verb of saying governs a clause, or stands behind or inside one."""
    leaf = outline.leaves[place]
    node = leaf
    while (above := outline.parent[node]) >= 0:
        label = outline.labels[above]
        for sibling in outline.children[above]:
            if sibling != node and outline.labels[sibling] in (*SENTENCES, "SBAR", "SBARQ"):
                return True
        if label in _LATER:
            return label == "PRN" or _is_aside(outline, above)
        node = above
    return False


def _is_aside(outline: Outline, node: int) -> bool:
    """Whether a short sentence stands beside another without a conjunction: `…, he said`."""
    above = outline.parent[node]
    if above < 0 or outline.last(node) - outline.first[node] > _SHORT:
        return False
    if outline.labels[above] == "PRN":
        return True
    labels = [outline.labels[x] for x in outline.children[above]]
    several = sum(label in SENTENCES for label in labels) > 1
    return several and outline.labels[above] in SENTENCES and "CC" not in labels


def _says(outline: Outline, first: int, last: int) -> bool:
    return _is_verb(outline, first, last) and _statement(outline, first)


def _hold_speaker(holder: Holder, first: int, last: int) -> None:
    """Hold the verb of saying, its subject and what is said to the clause around them."""
    node = holder.leaves[first]
    while node and holder.labels[node] not in _LATER:
        holder.held.add(node)
        node = holder.parent[node]
    said = holder.behind(holder.leaves[first])
    for child in (*holder.content(node), *said):
        if holder.labels[child] in _SAID_OR_SPEAKER:
            holder.held.add(child)
            holder.follow_heads(child)
    if holder.labels[node] == "PRN" or _is_aside(holder, node):
        holder.held.add(node)
        if holder.labels[holder.parent[node]] == "PRN":
            holder.held.add(holder.parent[node])


def _speech(outline: Outline, first: int, last: int) -> range:
    """Return the places of the speaker and the verb."""
    node = outline.leaves[first]
    while node and outline.labels[node] not in _LATER:
        node = outline.parent[node]
    start, end = first, last
    for child in outline.content(node):
        if outline.labels[child] == "NP":
            start, end = min(start, outline.first[child]), max(end, outline.last(child))
    return range(start, end + 1) if end - start < 12 else range(first, last + 1)


def speaker_ties(source: TreeTable, ties: list[Tie]) -> list[Tie]:
    """Return those ties of subjects and verbs that hold a speaker to a verb of saying.

    They apply however far grammar gives way: `reporters the ban was illegal` names no speaker.
    """
    said = {
        place
        for place, word in enumerate(source.words)
        if word.lower() in _SAID and source.labels[source.leaves[place]][:2] == "VB"
    }
    if not said:
        return []
    return [tie for tie in ties if not tie.by_head and source.semantic_heads[tie.parent] in said]


_SAID = frozenset(_SAYING) | frozenset(_CLAIMING)

ROWS = (
    Row(
        name="verbs of claiming and wanting",
        kind="attributions",
        loss=FLIPS,
        source="non-factive and non-implicative verbs; must_keep: thought, pretended, suggests",
        words=_CLAIMING,
        when=_is_verb,
        hold=complete,
        weighed=True,
    ),
    Row(
        name="verbs of saying",
        kind="attributions",
        loss=WEAKENS,
        source="reported speech",
        words=_SAYING,
        when=_says,
        hold=_hold_speaker,
        extent=_speech,
    ),
    Row(
        name="sources",
        kind="attributions",
        loss=FLIPS,
        source="`according to a survey`; of versions without it, readers accepted 9 %",
        words=phrases(
            "according to, in the words of, in the view of, in the opinion of, as reported by,"
            " quoted as saying, in my opinion, in my view, in his view, in her view"
        ),
        hold=limit,
        extent=whole,
        beside=AFTER,
        weighed=True,
    ),
    Row(
        name="grounds",
        kind="attributions",
        loss=WEAKENS,
        source="`citing a lack of evidence`",
        words=phrases("citing"),
        hold=limit,
        extent=whole,
        beside=AFTER,
    ),
)

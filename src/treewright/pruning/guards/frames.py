"""What verbs say nothing without: `belongs to her`, `turned the barn into a school`, `put it down`.

Most phrases after a verb may go. Of versions that lost one of these, readers accepted few.
"""

from __future__ import annotations

from treewright.pruning.guards.nouns import TIMES
from treewright.pruning.guards.outline import Outline
from treewright.pruning.guards.verbs import verb_forms
from treewright.trees import word_set

_WANTED = {
    "to": "belong amount refer entitle confine accustom resort adhere attribute",
    "by": "cause",
    "of": "consist dispose accuse deprive rob convict",
    "on": "depend rely hinge base impose weigh embark put",
    "with": "cope comply deal confuse fit equip fill",
    "for": "account opt mistake",
    "from": "stem abstain prevent prohibit refrain result differ force separate distinguish",
    "in": "result put",
    "into": "turn convert divide transform plunge put send fold",
    "as": "act serve describe treat regard know portray appoint",
}
_FRAMES: dict[str, set[str]] = {}
for _preposition, _verbs in _WANTED.items():
    for _form in verb_forms(_verbs):
        _FRAMES.setdefault(_form, set()).add(_preposition)
_PLACED = frozenset(verb_forms("put place lay set spend"))
_PLACING = frozenset(verb_forms("keep get sit live lie look appear last"))
_PLACING |= word_set("go goes went gone come comes came")
"""Verbs that say nothing without a place or the like, those of the first kind after their object.
"""
_ADVERBIAL = word_set("PP ADVP RB")
"""What says where, when or how."""
_OFTEN = word_set(
    "often again always never ever soon already still yet once twice sometimes now then later first"
    " also only even just too not n't together alone"
)
_ASKING = word_set("asked told forced took take takes taken")
"""Verbs that need to be told what for: `asked us to come`, `took a year to build`."""
_MADE = word_set("made")
"""What says nothing without the next phrase: `made of paper`, `made in writing`."""
_BACK = word_set("so back")
"""Adverbs that a verb needs if they come next: `if you do so`, `until she came back`."""
# What things are brought to, and come to, if not a place.
_HALTS = word_set("standstill halt stop end close life light mind conclusion attention heel knees")
_BROUGHT = word_set("bring brings bringing brought come comes coming came")


def wanted_phrase(outline: Outline, verb: int, after: list[int]) -> list[int]:
    """Return the prepositional phrase or adverb that a verb needs, among what comes after it or,
    where the parser has put it there, in its object.
    """
    word = outline.first_word(verb)
    place = _of_place(outline, word, verb, after)
    if place:
        return place
    if word in _ASKING and len(after) > 1 and outline.labels[after[0]] == "NP":
        asked = after[1]
        if outline.labels[asked] == "S" and outline.first_word(asked) == "to":
            return [asked]
    for phrase in after:
        if outline.labels[phrase] == "PP" and _is_wanted(outline, word, phrase):
            return [phrase]
        if outline.labels[phrase] == "NP":
            inside = [x for x in outline.children[phrase][1:] if outline.labels[x] == "PP"]
            found = [x for x in inside if _is_wanted(outline, word, x)]
            if found:
                return found[:1]
    return []


def _of_place(outline: Outline, word: str, verb: int, after: list[int]) -> list[int]:
    """Return what says where or how, if the verb cannot do without it."""
    behind = outline.behind(verb)
    first = behind[:1]
    if [x for x in first if outline.labels[x] in ("ADVP", "RB") and outline.first_word(x) in _BACK]:
        return first
    if word in _MADE and [x for x in first if outline.labels[x] == "PP"]:
        return first
    if word in _PLACED and after and outline.labels[after[0]] == "NP":
        return [x for x in outline.behind(after[0]) if _is_place(outline, x)][:1]
    if word not in _PLACING:
        return []
    # Adverbs and times may come before the place.
    until = next((at for at, x in enumerate(behind) if outline.labels[x] not in _ADVERBIAL), None)
    return [x for x in behind[:until] if _is_place(outline, x)][:1]


def _is_place(outline: Outline, node: int) -> bool:
    """Whether a phrase may say where, unlike `often`, `quickly` and `on Tuesday`."""
    words = outline.words[outline.first[node] : outline.last(node) + 1]
    if not TIMES.isdisjoint(words):
        return False
    adverb = outline.labels[node] in ("ADVP", "RB")
    return outline.labels[node] == "PP" or (
        adverb and words[0] not in _OFTEN and not words[-1].endswith("ly")
    )


def _is_wanted(outline: Outline, verb: str, phrase: int) -> bool:
    preposition = outline.first_word(phrase)
    if verb in _BROUGHT:
        # `brought the airport to a standstill`, unlike `brought a cake to the party`.
        return preposition == "to" and outline.last_word(phrase) in _HALTS
    return preposition in _FRAMES.get(verb, ())

"""Prepositions that verbs say nothing without: `belongs to her`, `turned the barn into a school`.

Most phrases after a verb may go. Of versions that lost one of these, readers accepted few.
"""

from __future__ import annotations

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
    "from": "stem abstain prevent prohibit refrain result differ force",
    "in": "result put",
    "into": "turn convert divide transform plunge put",
    "as": "act serve describe treat regard know portray",
}
_FRAMES: dict[str, set[str]] = {}
for _preposition, _verbs in _WANTED.items():
    for _form in verb_forms(_verbs):
        _FRAMES.setdefault(_form, set()).add(_preposition)
# What things are brought to, and come to, if not a place.
_HALTS = word_set("standstill halt stop end close life light mind conclusion attention heel knees")
_BROUGHT = word_set("bring brings bringing brought come comes coming came")


def wanted_phrase(outline: Outline, verb: int, after: list[int]) -> list[int]:
    """Return the prepositional phrase that a verb needs, among those after it or, where the parser
    has put it there, in its object.
    """
    word = outline.word(outline.first[verb])
    for phrase in after:
        if outline.labels[phrase] == "PP" and _is_wanted(outline, word, phrase):
            return [phrase]
        if outline.labels[phrase] == "NP":
            inside = [x for x in outline.children[phrase][1:] if outline.labels[x] == "PP"]
            found = [x for x in inside if _is_wanted(outline, word, x)]
            if found:
                return found[:1]
    return []


def _is_wanted(outline: Outline, verb: str, phrase: int) -> bool:
    preposition = outline.word(outline.first[phrase])
    if verb in _BROUGHT:
        # `brought the airport to a standstill`, unlike `brought a cake to the party`.
        return preposition == "to" and outline.word(outline.last(phrase)) in _HALTS
    return preposition in _FRAMES.get(verb, ())

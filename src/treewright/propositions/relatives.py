"""Classes from relative clauses: `Young, who plays quarterback`, `Holt, who plays for Dallas`."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.propositions.sentence import ParsedSentence
from treewright.text import lemma
from treewright.trees import word_set

AGENT = "agent"
"""The tag of a class that only the verb of a clause suggests."""
_APPOINTING = word_set("appoint name make elect choose vote crown")
_POSTED = word_set("play start")
"""Verbs whose object without an article is a position: `plays quarterback`."""
_SAME = word_set("coach captain referee guard partner skipper boss")
"""Verbs that are the noun for who does it."""
_VOWELS = "aeiou"


def relative_classes(sentence: ParsedSentence, last: int) -> Iterator[tuple[int, str, str]]:
    """Yield position, noun and tag of what a clause with `who` says that a name ending at `last`
    is.
    """
    who = last + 1
    if who < len(sentence.words) and sentence.words[who] == ",":
        who += 1
    if who >= len(sentence.words) or sentence.words[who].lower() != "who":
        return
    verb = sentence.governor[who]
    if verb < who or sentence.relation[who] not in ("nsubj", "nsubjpass", "dep"):
        return
    if not sentence.tags[verb].startswith("VB"):
        if sentence.has(verb, "cop"):
            yield from _noun(sentence, verb)
        return
    places = list(_named(sentence, verb))
    for place in places:
        yield from _noun(sentence, place)
    if not places and sentence.tags[verb] in ("VBZ", "VBP") and not sentence.has(verb, "neg"):
        # What somebody does as a rule is in the present tense: not `who scored`.
        yield verb, agent_noun(lemma(sentence.words[verb], sentence.tags[verb])), AGENT


def _named(sentence: ParsedSentence, verb: int) -> Iterator[int]:
    """Yield what stands for the subject: `as captain`, `named captain`, `plays guard`."""
    for preposition in sentence.below(verb, "prep"):
        if sentence.words[preposition].lower() == "as":
            yield from sentence.below(preposition, "pobj")
    word = lemma(sentence.words[verb], sentence.tags[verb])
    passive = sentence.has(verb, "auxpass")
    for place in sentence.below(verb, "dobj", "attr"):
        bare = not sentence.has(place, "det", "poss", "num", "amod")
        if (passive and word in _APPOINTING) or (word in _POSTED and bare and not passive):
            yield place


def _noun(sentence: ParsedSentence, place: int) -> Iterator[tuple[int, str, str]]:
    if sentence.tags[place] == "NN" and not sentence.words[place][0].isupper():
        yield place, sentence.words[place], "NN"


def agent_noun(verb: str) -> str:
    """Return the regular noun for who does something: `play` → `player`, `run` → `runner`."""
    if verb in _SAME:
        return verb
    if verb.endswith("ate"):
        return verb[:-1] + "or"
    if verb.endswith("ct"):
        return verb + "or"
    if verb.endswith("e"):
        return verb + "r"
    if verb.endswith("y") and len(verb) > 2 and verb[-2] not in _VOWELS:
        return verb[:-1] + "ier"
    vowels = sum(letter in _VOWELS for letter in verb)
    if len(verb) > 2 and vowels == 1 and verb[-2] in _VOWELS and verb[-1] not in "wxy":
        return verb + verb[-1] + "er"
    return verb + "er"

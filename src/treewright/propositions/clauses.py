"""Who does what in a clause: subjects and objects, also where grammar leaves them unsaid."""

from __future__ import annotations

from collections.abc import Iterator

from treewright.propositions.sentence import (
    NOUN_TAGS,
    Kind,
    Noun,
    ParsedSentence,
    is_name,
    read_noun,
)
from treewright.text import lemma
from treewright.trees import word_set

_SUBJECT_CONTROL = word_set("promise threaten offer choose agree vow ask")
_RELATIVE = word_set("who which that whom")
_PERSONAL = word_set("he she him her his")
_MAX_STEPS = 8
"""How many clauses up a subject is looked for."""


def verbs(sentence: ParsedSentence) -> Iterator[int]:
    """Yield the positions of full verbs."""
    for place, tag in enumerate(sentence.tags):
        if tag.startswith("VB") and sentence.relation[place] not in (
            "aux",
            "auxpass",
            "cop",
            "amod",
            "nn",
        ):
            yield place


def is_passive(sentence: ParsedSentence, verb: int) -> bool:
    """Whether a verb's subject is what the act is done to."""
    if sentence.has(verb, "auxpass", "nsubjpass"):
        return True
    if sentence.tags[verb] != "VBN" or sentence.has(verb, "aux", "nsubj", "cop"):
        return False
    if sentence.relation[verb] == "conj":
        above = sentence.governor[verb]
        if sentence.tags[above].startswith("VB"):
            return sentence.tags[above] == "VBN" and is_passive(sentence, above)
    return not sentence.has(verb, "dobj")


def subjects(sentence: ParsedSentence, verb: int) -> list[int]:
    """Return the head words of what a verb (or a predicate noun) is said of, as written or
    resolved; an empty list if it cannot be told.
    """
    return _subjects(sentence, verb) or _nearest_subject(sentence, verb)


def _nearest_subject(sentence: ParsedSentence, verb: int) -> list[int]:
    """Return the nearest subject to the left of a participle or infinitive whose own is not found:
    what a parser has attached to the wrong word still mostly belongs to it.
    """
    if sentence.tags[verb] not in ("VBG", "VB", "VBD", "VBN"):
        return []
    for place in range(verb - 1, -1, -1):
        if sentence.relation[place] in ("nsubj", "nsubjpass"):
            return _resolved(sentence, place, sentence.governor[place])
    return []


def _subjects(sentence: ParsedSentence, verb: int) -> list[int]:
    place = verb
    for _ in range(_MAX_STEPS):
        own = [*sentence.below(place, "nsubj", "nsubjpass", "xsubj")]
        if own:
            return _resolved(sentence, own[-1] if len(own) > 1 else own[0], place)
        loose = _loose_subject(sentence, place)
        if loose >= 0:
            return _resolved(sentence, loose, place)
        above, relation = sentence.governor[place], sentence.relation[place]
        if above < 0:
            return []
        if relation in ("partmod", "rcmod", "infmod") or (
            relation in ("amod", "dep") and sentence.tags[above] in NOUN_TAGS
        ):
            return [] if relation == "infmod" else conjuncts(sentence, above)
        if relation == "xcomp":
            objects = [*sentence.below(above, "dobj", "iobj")]
            if objects and objects[0] < place and _passes_object(sentence, above, place):
                return conjuncts(sentence, objects[0])
        if relation == "pcomp" or sentence.tags[above] in ("IN", "TO"):
            place = above
            above = sentence.governor[place]
            if above < 0:
                return []
            if sentence.tags[above] in NOUN_TAGS:
                above = _verb_above(sentence, above)
                if above < 0:
                    return []
        place = above
        if sentence.tags[place] in NOUN_TAGS and not sentence.has(place, "cop", "nsubj"):
            place = _verb_above(sentence, place)
            if place < 0:
                return []
    return []


def _loose_subject(sentence: ParsedSentence, verb: int) -> int:
    """Return the noun before a finite verb that the parser put into no verb phrase, -1 if none."""
    if sentence.tags[verb] not in ("VBD", "VBZ", "VBP"):
        return -1
    before = [place for place in sentence.below(verb, "dep") if place < verb]
    nouns = [place for place in before if sentence.tags[place] in NOUN_TAGS | {"PRP"}]
    return nouns[-1] if nouns else -1


def _passes_object(sentence: ParsedSentence, verb: int, clause: int) -> bool:
    """Whether the object of a verb is the subject of the clause it governs: not of `he led them,
    scoring 20`.
    """
    if lemma(sentence.words[verb], sentence.tags[verb]) in _SUBJECT_CONTROL:
        return False
    return "," not in sentence.words[verb:clause]


def _verb_above(sentence: ParsedSentence, place: int) -> int:
    """Return the verb or predicate over a noun, -1 if there is none."""
    for _ in range(_MAX_STEPS):
        place = sentence.governor[place]
        if place < 0:
            return -1
        if sentence.tags[place].startswith("VB") or sentence.has(place, "cop", "nsubj"):
            return place
    return -1


def _resolved(sentence: ParsedSentence, subject: int, verb: int) -> list[int]:
    """Return what a subject stands for: the noun of a relative pronoun, all conjuncts."""
    if sentence.tags[subject] in ("WP", "WDT") or (
        sentence.words[subject].lower() in _RELATIVE and sentence.relation[verb] == "rcmod"
    ):
        clause = verb
        for _ in range(_MAX_STEPS):
            if sentence.relation[clause] == "rcmod":
                return conjuncts_before(sentence, sentence.governor[clause], verb)
            clause = sentence.governor[clause]
            if clause < 0:
                break
        return []
    return conjuncts(sentence, subject)


def conjuncts(sentence: ParsedSentence, noun: int) -> list[int]:
    """Return a noun and those coordinated with it."""
    found = [noun]
    for one in found:
        for other in sentence.below(one, "conj"):
            if sentence.tags[other] in NOUN_TAGS or sentence.tags[other] in ("CD", "PRP"):
                found.append(other)
    return found


def conjuncts_before(sentence: ParsedSentence, noun: int, place: int) -> list[int]:
    """Return what a relative clause at `place` belongs to: the last conjunct, if it follows one."""
    before = [other for other in conjuncts(sentence, noun) if other < place]
    return before[-1:] if before else [noun]


def antecedent(sentence: ParsedSentence, pronoun: int) -> int:
    """Return the name that a pronoun stands for, -1 if it is left alone.

    A personal pronoun in the singular stands for the last name before it, in the same sentence,
    that is a subject or a possessor and may be a person's.
    """
    if sentence.words[pronoun].lower() not in _PERSONAL:
        return -1
    for place in range(pronoun - 1, -1, -1):
        # A plural or an article speaks against a person: `the Rockets` are not `he`.
        if (
            sentence.relation[place] in ("nsubj", "nsubjpass", "poss")
            and is_name(sentence, place)
            and sentence.tags[place] != "NNPS"
            and not sentence.has(place, "det")
        ):
            return place
    return -1


def noun_at(sentence: ParsedSentence, place: int) -> Noun | None:
    """Return the noun at a position, a pronoun replaced by the name it stands for."""
    noun = read_noun(sentence, place)
    if noun is not None and noun.kind is Kind.PRONOUN:
        name = antecedent(sentence, place)
        if name >= 0:
            return read_noun(sentence, name)
    return noun

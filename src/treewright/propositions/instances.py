"""Instances: who did what to whom in a sentence, as sequences of lemmas and names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from treewright.propositions.clauses import (
    antecedent,
    conjuncts,
    is_passive,
    noun_at,
    subjects,
    verbs,
)
from treewright.propositions.sentence import NOUN_TAGS, Kind, Noun, ParsedSentence
from treewright.text import lemma
from treewright.trees import Tree

SHAPES = ("NVN", "NVNPN", "NVPN", "VNPN", "copula", "possession", "nominal")
PAPER_SHAPES = ("NVN", "NVNPN")
_MAX_DEPTH = 4
"""How many nouns may lie between a verb and an argument."""
_NUMBERED = (Kind.MEASURE, Kind.NUMBER)


@dataclass(frozen=True, slots=True)
class Instance:
    """One predicate with its arguments; `at` counts tokens from 0, both ends included."""

    shape: str
    words: tuple[str, ...]
    kinds: tuple[Kind, ...]
    at: tuple[tuple[int, int], ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Element:
    text: str
    kind: Kind
    first: int
    last: int


def extract(tree: Tree, shapes: Collection[str] = SHAPES) -> list[Instance]:
    """Return the instances of a sentence, each once, in the order of its verbs."""
    return extract_from(ParsedSentence(tree), shapes)


def extract_from(sentence: ParsedSentence, shapes: Collection[str] = SHAPES) -> list[Instance]:
    """Return the instances of a sentence whose relations are known."""
    found: dict[tuple[tuple[str, ...], tuple[tuple[int, int], ...]], Instance] = {}
    for shape, elements in _all(sentence):
        if shape in shapes:
            instance = _instance(sentence, shape, elements)
            found.setdefault((instance.words, instance.at), instance)
    return list(found.values())


def _instance(sentence: ParsedSentence, shape: str, elements: list[_Element]) -> Instance:
    return Instance(
        shape,
        tuple([element.text for element in elements]),
        tuple([element.kind for element in elements]),
        tuple([(element.first, element.last) for element in elements]),
        tuple([sentence.node_of(element.first, element.last) for element in elements]),
    )


def _all(sentence: ParsedSentence) -> Iterator[tuple[str, list[_Element]]]:
    for verb in verbs(sentence):
        yield from _of_verb(sentence, verb)
    for place, tag in enumerate(sentence.tags):
        if tag in ("JJ", "JJR", "JJS", "VBN") and sentence.has(place, "cop"):
            yield from _of_adjective(sentence, place)
        if tag in NOUN_TAGS or tag == "CD":
            yield from _of_copula(sentence, place)
            yield from _of_noun(sentence, place)


def _noun(noun: Noun) -> _Element:
    return _Element(noun.text, noun.kind, noun.first, noun.last)


def _word(sentence: ParsedSentence, place: int, kind: Kind) -> _Element:
    return _Element(lemma(sentence.words[place], sentence.tags[place]), kind, place, place)


def _with(sentence: ParsedSentence, preposition: int, noun: Noun) -> list[_Element]:
    return [_word(sentence, preposition, Kind.PREPOSITION), _noun(noun)]


def _of(owner: Noun) -> _Element:
    return _Element("'s", Kind.PREPOSITION, owner.last, owner.last)


def _nouns(sentence: ParsedSentence, places: list[int]) -> list[Noun]:
    found = [noun_at(sentence, place) for place in places]
    return [noun for noun in found if noun is not None and noun.kind is not Kind.PRONOUN]


def _of_verb(sentence: ParsedSentence, verb: int) -> Iterator[tuple[str, list[_Element]]]:
    said_of = subjects(sentence, verb)
    predicate = _word(sentence, verb, Kind.VERB)
    objects = list(sentence.below(verb, "dobj", "iobj", "attr", "dep", "conj"))
    objects = [place for place in objects if _is_nominal(sentence, place)]
    bare = [(introducer(sentence, place), place) for place in objects]
    objects = [place for introduced, place in bare if introduced < 0]
    loose = [pair for pair in bare if pair[0] >= 0]
    prepositions = list(sentence.below(verb, "prep"))
    passive = is_passive(sentence, verb)
    if passive:
        objects = said_of
        agents = [place for place in prepositions if sentence.words[place].lower() == "by"]
        prepositions = [place for place in prepositions if place not in agents]
        said_of = [
            conjunct
            for place in agents
            for inside in sentence.below(place, "pobj")
            for conjunct in conjuncts(sentence, inside)
        ]
    doers = _nouns(sentence, said_of)
    around = [*_prepositional(sentence, prepositions), *_loose(sentence, loose)]
    if passive and not doers:
        for patient in _nouns(sentence, objects):
            for preposition, inside in around:
                if inside.first != patient.first:
                    last = _with(sentence, preposition, inside)
                    yield "VNPN", [predicate, _noun(patient), *last]
    done_to = _relative_objects(sentence, verb) or objects
    for doer in doers:
        start = [_noun(doer), predicate]
        alone = True
        for place in done_to:
            for noun in _with_conjuncts(sentence, place):
                if noun.first == doer.first:
                    continue
                alone = False
                yield "NVN", [*start, _noun(noun)]
                for preposition, inside in (*_prepositional(sentence, [noun.head]), *around):
                    yield from _with_preposition(sentence, start, noun, preposition, inside)
        # With an object, `find on pass` is but half of what is said.
        for preposition, inside in around if alone else ():
            if inside.first != doer.first:
                yield "NVPN", [*start, *_with(sentence, preposition, inside)]


def _with_preposition(
    sentence: ParsedSentence, start: list[_Element], noun: Noun, preposition: int, inside: Noun
) -> Iterator[tuple[str, list[_Element]]]:
    if inside.first in (start[0].first, noun.first):
        return
    last = _with(sentence, preposition, inside)
    # A measure is said of one holder; beside a named object it would seem to be said of both.
    if inside.kind in _NUMBERED and noun.kind is Kind.NAME:
        yield "NVPN", [*start, *last]
    else:
        yield "NVNPN", [*start, _noun(noun), *last]


def introducer(sentence: ParsedSentence, place: int) -> int:
    """Return the preposition before a noun that the parser left outside its phrase, -1 if none."""
    first = sentence.phrase_starts[place] - 1
    is_loose = first >= 0 and sentence.tags[first] in ("IN", "TO")
    return first if is_loose and sentence.relation[first] in ("dep", "prep", "mark") else -1


def _loose(sentence: ParsedSentence, pairs: list[tuple[int, int]]) -> Iterator[tuple[int, Noun]]:
    for preposition, place in pairs:
        for noun in _with_conjuncts(sentence, place):
            yield preposition, noun
            yield from _prepositional(sentence, [noun.head])


def _is_nominal(sentence: ParsedSentence, place: int) -> bool:
    tag = sentence.tags[place]
    if tag in ("JJ", "VBG"):
        return sentence.relation[place] in ("dobj", "pobj")
    return tag in NOUN_TAGS or tag in ("CD", "PRP")


def _relative_objects(sentence: ParsedSentence, verb: int) -> list[int]:
    """Return what a relative clause with a subject of its own is about: `the ball he threw`."""
    if sentence.relation[verb] != "rcmod":
        return []
    if sentence.has(verb, "dobj") and not any(
        sentence.tags[place] in ("WDT", "WP") for place in sentence.below(verb, "dobj")
    ):
        return []
    own = list(sentence.below(verb, "nsubj"))
    if not own or sentence.tags[own[0]] in ("WDT", "WP"):
        return []
    return [sentence.governor[verb]]


def _with_conjuncts(sentence: ParsedSentence, place: int) -> list[Noun]:
    """Return a noun, those coordinated with it, and measures in a list with it."""
    places = [place]
    for one in places:
        for other in sentence.below(one, "conj", "appos", "dep"):
            if _is_nominal(sentence, other) and other not in places:
                places.append(other)
    nouns = _nouns(sentence, places)
    return [noun for number, noun in enumerate(nouns) if number == 0 or _fits(nouns[0], noun)]


def _fits(first: Noun, other: Noun) -> bool:
    return first.kind is other.kind or {first.kind, other.kind} <= {
        Kind.MEASURE,
        Kind.NUMBER,
        Kind.NOUN,
    }


def _prepositional(sentence: ParsedSentence, places: list[int]) -> Iterator[tuple[int, Noun]]:
    """Yield prepositions and the nouns they govern, at and below the given words."""
    stack = [(place, 0) for place in reversed(places)]
    while stack:
        place, depth = stack.pop()
        if sentence.tags[place] in ("IN", "TO") or sentence.relation[place] == "prep":
            for inside in sentence.below(place, "pobj", "dep"):
                if not _is_nominal(sentence, inside):
                    continue
                for noun in _with_conjuncts(sentence, inside):
                    yield place, noun
                    if depth < _MAX_DEPTH:
                        stack += [(other, depth + 1) for other in sentence.below(noun.head, "prep")]
        elif depth < _MAX_DEPTH:
            stack += [(other, depth + 1) for other in sentence.below(place, "prep")]


def _of_copula(sentence: ParsedSentence, place: int) -> Iterator[tuple[str, list[_Element]]]:
    copulas = [*sentence.below(place, "cop")]
    if not copulas:
        return
    noun = noun_at(sentence, place)
    if noun is None:
        return
    for holder in _nouns(sentence, subjects(sentence, place)):
        if holder.first != noun.first:
            start = [_noun(holder), _word(sentence, copulas[0], Kind.VERB)]
            yield "copula", [*start, _noun(noun)]
            for preposition, inside in _prepositional(sentence, [place]):
                yield from _with_preposition(sentence, start, noun, preposition, inside)


def _of_adjective(sentence: ParsedSentence, place: int) -> Iterator[tuple[str, list[_Element]]]:
    """`Young was superb with 20 points`."""
    objects = list(sentence.below(place, "dep", "conj"))
    bare = [(introducer(sentence, other), other) for other in objects]
    loose = [pair for pair in bare if pair[0] >= 0 and _is_nominal(sentence, pair[1])]
    prepositions = [*sentence.below(place, "prep")]
    around = [*_prepositional(sentence, prepositions), *_loose(sentence, loose)]
    copula = next(sentence.below(place, "cop"))
    for holder in _nouns(sentence, subjects(sentence, place)):
        said = [_word(sentence, copula, Kind.VERB), _word(sentence, place, Kind.ADJECTIVE)]
        start = [_noun(holder), *said]
        for preposition, inside in around:
            if inside.first != holder.first:
                yield "copula", [*start, *_with(sentence, preposition, inside)]


def _of_noun(sentence: ParsedSentence, place: int) -> Iterator[tuple[str, list[_Element]]]:
    """Possession and nominal structures: `his 20 points`, `20 points from Young`."""
    noun = noun_at(sentence, place)
    if noun is None:
        return
    for possessor in sentence.below(place, "poss"):
        if sentence.tags[possessor] == "PRP$":
            possessor = antecedent(sentence, possessor)
            if possessor < 0:
                continue
        for owner in _nouns(sentence, conjuncts(sentence, possessor)):
            if owner.first != noun.first:
                yield "possession", [_noun(owner), _of(owner), _noun(noun)]
    if noun.kind is Kind.NAME:
        # `Young ( 20 points )`
        for beside in sentence.below(place, "appos", "dep", "abbrev"):
            for held in _with_conjuncts(sentence, beside) if _is_nominal(sentence, beside) else []:
                if held.kind is Kind.MEASURE:
                    yield "possession", [_noun(noun), _of(noun), _noun(held)]
    for preposition in sentence.below(place, "prep"):
        for inside in sentence.below(preposition, "pobj"):
            for other in _with_conjuncts(sentence, inside):
                yield "nominal", [_noun(noun), *_with(sentence, preposition, other)]

"""Evidence for classes: the nouns that a sentence uses for a name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from treewright.propositions.sentence import Kind, ParsedSentence, is_name, read_noun
from treewright.text import lemma
from treewright.trees import word_set

WAYS = ("modifier", "apposition", "copula", "letters", "such as", "title", "relative")
PAPER_WAYS = ("modifier", "apposition", "copula")
_LONGEST_LETTERS = 4
HONORIFICS = {
    **dict.fromkeys(("Mr", "Mr.", "Sir"), "man"),
    **dict.fromkeys(("Mrs", "Mrs.", "Ms", "Ms.", "Miss", "Dame"), "woman"),
    **dict.fromkeys(("Dr", "Dr."), "doctor"),
    **dict.fromkeys(("Prof", "Prof."), "professor"),
    **dict.fromkeys(("Capt", "Capt."), "captain"),
    **dict.fromkeys(("Gen", "Gen."), "general"),
    **dict.fromkeys(("Sen", "Sen."), "senator"),
    **dict.fromkeys(("Gov", "Gov."), "governor"),
    **dict.fromkeys(("Rep", "Rep."), "representative"),
    "Lord": "lord",
    "Lady": "lady",
}
"""Titles that are written before names only, and the class that each gives."""
AGENT = "agent"
"""The tag of a class that only the verb of a clause suggests."""
_APPOINTING = word_set("appoint name make elect choose vote crown")
_POSTED = word_set("play start")
"""Verbs whose object without an article is a position: `plays quarterback`."""
_SAME = word_set("coach captain referee guard partner skipper boss")
"""Verbs that are the noun for who does it."""
_VOWELS = "aeiou"


class Evidence(NamedTuple):
    """A noun used for a name; `modifier` is the word before it, `tag` how the noun was tagged,
    rightly or not.
    """

    name: str
    noun: str
    modifier: str
    way: str
    tag: str = "NN"


class Mention(NamedTuple):
    """A run of name words, its positions (`last` included), and whether an article precedes it."""

    name: str
    first: int
    last: int
    article: bool


def mentions(sentence: ParsedSentence) -> Iterator[Mention]:
    """Yield the maximal runs of name words."""
    first = -1
    for place in range(len(sentence.words) + 1):
        inside = place < len(sentence.words) and is_name(sentence, place)
        if inside and first < 0:
            first = place
        elif not inside and first >= 0:
            article = first > 0 and sentence.tags[first - 1] == "DT"
            yield Mention("_".join(sentence.words[first:place]), first, place - 1, article)
            first = -1


def find_evidence(sentence: ParsedSentence) -> Iterator[Evidence]:
    """Yield what a sentence says about the classes of names."""
    for mention in mentions(sentence):
        yield from _before(sentence, mention)
        yield from _within(sentence, mention)
        yield from _beside(sentence, mention)
        yield from _such_as(sentence, mention)
        for place, noun, tag in relative_classes(sentence, mention.last):
            modifier = _modifier(sentence, place) if tag == "NN" else ""
            yield Evidence(mention.name, noun, modifier, "relative", tag)


def _before(sentence: ParsedSentence, mention: Mention) -> Iterator[Evidence]:
    """`quarterback Steve Young`; words that were mistagged count if they are nouns elsewhere."""
    place = mention.first - 1
    if place < 0 or sentence.tags[place] not in ("NN", "JJ", "RB", "VB"):
        return
    if not _same_phrase(sentence, place):
        return
    word = sentence.words[place]
    if not word.isalpha() and "-" not in word.strip("-"):
        return
    yield Evidence(
        mention.name, word.lower(), _modifier(sentence, place), "modifier", sentence.tags[place]
    )


def _same_phrase(sentence: ParsedSentence, place: int) -> bool:
    """Whether the phrase of a word goes on after it: not in `the second quarter Dallas scored`."""
    table = sentence.table
    return table.right[table.parent[table.leaves[place]]] > place + 1


def _modifier(sentence: ParsedSentence, place: int) -> str:
    before = place - 1
    if before >= 0 and sentence.tags[before] in ("NN", "JJ", "VBG", "RB"):
        return sentence.words[before].lower()
    return ""


def _within(sentence: ParsedSentence, mention: Mention) -> Iterator[Evidence]:
    """`QB Steve Young`, `Rookie Steve Young`, `Mr Young`: the first word of a name may be its
    class.
    """
    if mention.first == mention.last:
        return
    first = sentence.words[mention.first]
    rest = "_".join(sentence.words[mention.first + 1 : mention.last + 1])
    if first in HONORIFICS:
        yield Evidence(rest, first, "", "title")
    elif first.isupper() and first.isalpha() and 1 < len(first) <= _LONGEST_LETTERS:
        yield Evidence(rest, first, "", "letters")
    elif first.istitle() and first.isalpha():
        yield Evidence(rest, first.lower(), "", "title", "NNP")


def _beside(sentence: ParsedSentence, mention: Mention) -> Iterator[Evidence]:
    """`Steve Young, the quarterback`; `the quarterback, Steve Young`; `Young is a quarterback`."""
    head = mention.last
    for place in sentence.below(head, "appos"):
        yield from _noun(sentence, mention, place, "apposition")
    above, relation = sentence.governor[head], sentence.relation[head]
    if relation == "appos":
        yield from _noun(sentence, mention, above, "apposition")
    if relation == "nsubj" and sentence.has(above, "cop"):
        yield from _noun(sentence, mention, above, "copula")


def _such_as(sentence: ParsedSentence, mention: Mention) -> Iterator[Evidence]:
    """`quarterbacks such as Steve Young`, `… and Joe Montana`."""
    words, first = sentence.words, mention.first
    above = sentence.governor[mention.last]
    if sentence.relation[mention.last] == "conj" and is_name(sentence, above):
        first = above
        while first > 0 and is_name(sentence, first - 1):
            first -= 1
    if first < 3 or [word.lower() for word in words[first - 2 : first]] != ["such", "as"]:
        return
    place = first - 3 - (words[first - 3] == ",")
    if place >= 0:
        yield from _noun(sentence, mention, place, "such as")


def _noun(sentence: ParsedSentence, mention: Mention, place: int, way: str) -> Iterator[Evidence]:
    noun = read_noun(sentence, place)
    if noun is None or noun.kind is not Kind.NOUN or sentence.tags[place] not in ("NN", "NNS"):
        return
    if way != "such as" and sentence.tags[place] == "NNS":
        return
    text = lemma(sentence.words[place], sentence.tags[place])
    yield Evidence(mention.name, text, _modifier(sentence, place), way)


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
            yield from _bare_noun(sentence, verb)
        return
    places = list(_named(sentence, verb))
    for place in places:
        yield from _bare_noun(sentence, place)
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


def _bare_noun(sentence: ParsedSentence, place: int) -> Iterator[tuple[int, str, str]]:
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

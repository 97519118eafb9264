"""A parsed sentence as extraction reads it: words, tags, relations both ways, and its nouns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from treewright.text import lemma
from treewright.trees import Tree, TreeTable
from treewright.trees.relations import relations

_NOMINAL = ("NP", "NML", "NX", "WHNP", "QP", "NAC", "PRN")


class ParsedSentence:
    """A tree with its grammatical relations; positions count words from 0."""

    def __init__(self, tree: Tree) -> None:
        self.table = TreeTable(tree)
        self.words: list[str] = self.table.words
        self.tags: list[str] = [self.table.nodes[leaf].label for leaf in self.table.leaves]
        size = len(self.words)
        self.governor: list[int] = [-1] * size
        self.relation: list[str] = ["root"] * size
        self.dependents: list[list[int]] = [[] for _ in range(size)]
        for label, head, dependent in relations(tree):
            self.governor[dependent - 1] = head - 1
            self.relation[dependent - 1] = label
            self.dependents[head - 1].append(dependent - 1)

    def below(self, place: int, *labels: str) -> Iterator[int]:
        """Yield the dependents of a word that stand in one of these relations to it."""
        relation = self.relation
        for dependent in self.dependents[place]:
            if relation[dependent] in labels:
                yield dependent

    def has(self, place: int, *labels: str) -> bool:
        """Whether a word has a dependent in one of these relations."""
        return next(self.below(place, *labels), None) is not None

    @cached_property
    def phrase_starts(self) -> Sequence[int]:
        """For each word, where the smallest noun phrase begins that it is in."""
        table = self.table
        starts = []
        for leaf in table.leaves:
            node = table.parent[leaf]
            while node > 0 and table.labels[node] == "QP":
                node = table.parent[node]
            inside = node >= 0 and table.labels[node] in _NOMINAL
            starts.append(table.left[node] if inside else table.left[leaf])
        return starts

    @cached_property
    def lemmas(self) -> Sequence[str]:
        """The lemmas of all words in lower case."""
        pairs = zip(self.words, self.tags, strict=True)
        return [lemma(word, tag).lower() for word, tag in pairs]

    def node_of(self, first: int, last: int) -> int:
        """Return the smallest node of the tree that holds the words from `first` to `last`."""
        table = self.table
        node = table.leaves[first]
        while table.right[node] <= last:
            node = table.parent[node]
        return node


class Kind(StrEnum):
    """What an element of an instance is."""

    NAME = "name"
    NOUN = "noun"
    MEASURE = "measure"
    """A noun with a numeral: `27 points`."""
    NUMBER = "number"
    PRONOUN = "pronoun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    PREPOSITION = "preposition"


NAME_TAGS = frozenset({"NNP", "NNPS"})
NOUN_TAGS = NAME_TAGS | {"NN", "NNS"}
_INSIDE = frozenset(
    {"NN", "NNS", "CD", "JJ", "JJR", "JJS", "VBN", "VBG", "$", "#", "FW", ":", "HYPH", "RB"}
)
_ARGUMENTS = frozenset({"dobj", "pobj", "nsubj", "nsubjpass"})
_NUMBERED_NAME = re.compile(r"\d+ers")
"""`49ers`, `76ers`: taggers take them for numbers."""
_NUMBERS = (
    ("score", re.compile(r"\d{1,3}[-–]\d{1,3}(?:[-–]\d{1,3})?")),
    ("time", re.compile(r"\d{1,2}:\d\d(?:\.\d+)?")),
    ("year", re.compile(r"(?:1[89]|20)\d\d")),
)


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun as an argument; positions count tokens from 0, `last` is included."""

    head: int
    first: int
    last: int
    text: str
    kind: Kind


def read_noun(sentence: ParsedSentence, head: int) -> Noun | None:
    """Return the noun whose head word is at a position, `None` if there is none."""
    word, tag = sentence.words[head], sentence.tags[head]
    if is_name(sentence, head):
        first = _start_of_name(sentence, head)
        text = "_".join(sentence.words[first : head + 1])
        return Noun(head, first, head, text, Kind.NAME)
    if tag in ("NN", "NNS"):
        first = _start_of_phrase(sentence, head)
        numbered = any(
            sentence.tags[place] == "CD" or sentence.words[place][0].isdigit()
            for place in range(first, head)
        )
        return Noun(head, first, head, lemma(word, tag), Kind.MEASURE if numbered else Kind.NOUN)
    if tag == "CD":
        first = _start_of_phrase(sentence, head)
        return Noun(head, first, head, type_of_number(word), Kind.NUMBER)
    if tag in ("JJ", "VBG") and sentence.relation[head] in _ARGUMENTS:
        return Noun(
            head, _start_of_phrase(sentence, head), head, _joined(sentence, head), Kind.NOUN
        )
    if tag in ("PRP", "WP", "WDT"):
        return Noun(head, head, head, word.lower(), Kind.PRONOUN)
    return None


def is_name(sentence: ParsedSentence, place: int) -> bool:
    """Whether a word is part of a name."""
    if sentence.tags[place] in NAME_TAGS:
        return sentence.words[place].lower() not in ("percent", "pct")
    if _is_bare_capital(sentence, place):
        return True
    return _NUMBERED_NAME.fullmatch(sentence.words[place]) is not None


def _is_bare_capital(sentence: ParsedSentence, place: int) -> bool:
    """Whether a capitalised adjective is a subject, or a noun is capitalised within a sentence."""
    word, tag = sentence.words[place], sentence.tags[place]
    if not word[0].isupper():
        return False
    if tag == "JJ":
        return sentence.relation[place] in ("nsubj", "nsubjpass")
    return tag in ("NN", "NNS") and place > 0 and len(word) > 1 and not word.isupper()


def type_of_number(word: str) -> str:
    """Return what a numeral stands for: a score, a time, a year, or just a number."""
    for name, form in _NUMBERS:
        if form.fullmatch(word):
            return name
    return "number"


def _joined(sentence: ParsedSentence, head: int) -> str:
    """Return an adjective that heads a noun phrase, `double - double` in one word."""
    first = head
    while first > 1 and sentence.words[first - 1] == "-" and sentence.tags[first - 2] == "JJ":
        first -= 2
    return "".join(sentence.words[first : head + 1]).lower()


def _start_of_name(sentence: ParsedSentence, head: int) -> int:
    left = sentence.phrase_starts[head]
    first = head
    while first > left and is_name(sentence, first - 1):
        first -= 1
    return first


def _start_of_phrase(sentence: ParsedSentence, head: int) -> int:
    """Return where the modifiers of a noun begin; articles, possessors and names are left out."""
    left, tags, words = sentence.phrase_starts[head], sentence.tags, sentence.words
    first = head
    while first > left and tags[first - 1] in _INSIDE:
        if is_name(sentence, first - 1):
            break
        if tags[first - 1] == ":" and words[first - 1] not in ("-", "–"):
            break
        first -= 1
    while first < head and tags[first] in (":", "RB"):
        first += 1
    return first

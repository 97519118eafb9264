"""What stands around a phrase in a sentence, as strings that people can read.

`the company _ shares of` is a pair of n-grams; `company <` and `> share` are the nearest nouns,
`to > share` the noun after a preposition, `+2 share` the second word after the main verb.

Paths of grammatical relations lead from a verb to the nouns around it (Lin & Pantel 2001, DIRT):
`>nsubj company` is a subject, `>prep to >pobj level` what follows a preposition, `<rcmod share` a
noun with a relative clause. Each is a slot of the verb, with the noun that fills it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from treewright.paraphrase.phrases import FAMILIES
from treewright.paraphrase.reading import Read
from treewright.paraphrase.settings import MOST_WORDS, HarvestSettings
from treewright.paraphrase.types import base_chunks
from treewright.text import lemma
from treewright.trees import Tree, TreeTable, word_set
from treewright.trees.relations import relations

LONGEST = 3
"""The most relations of a path."""
_THROUGH = frozenset((*FAMILIES["VB"], "IN", "TO", "MD"))
BEGIN, END = "<s>", "</s>"
GAP = "_"
NUMBER = "#"
_IS_NUMBER = re.compile(r"[\d.,/-]*\d[\d.,/-]*")
_NOUNS = frozenset((*FAMILIES["NN"], "PRP", "CD"))
_CHUNK = _NOUNS | word_set("DT JJ JJR JJS PRP$ POS PDT $ # WP WDT EX")
_LEFT_OUT = frozenset(("DT", "PRP$"))
_MOST_CHUNK = 6


class Arc(NamedTuple):
    """A relation from a word to another: `>` to a dependent, `<` to the governor."""

    name: str
    place: int


def arcs_of(tree: Tree, words: Sequence[str], tags: Sequence[str]) -> list[list[Arc]]:
    """Return the relations of each word; those to prepositions are named after them."""
    found: list[list[Arc]] = [[] for _ in words]
    for label, head, dependent in relations(tree):
        one, other = head - 1, dependent - 1
        is_preposition = label == "prep" and tags[other] in _THROUGH
        found[one].append(Arc(f">{label} {words[other]}" if is_preposition else f">{label}", other))
        found[other].append(Arc(f"<{label}", one))
    return found


def paths(arcs: Sequence[Sequence[Arc]], tags: Sequence[str], verb: int) -> list[Arc]:
    """Return the shortest paths from a verb to nouns, none of which leads through another."""
    found: list[Arc] = []
    seen = {verb}
    reached = [Arc("", verb)]
    for _ in range(LONGEST):
        steps = [
            Arc(f"{path} {arc.name}".lstrip(), arc.place)
            for path, place in reached
            for arc in arcs[place]
        ]
        reached = []
        for step in steps:
            if step.place in seen:
                continue
            seen.add(step.place)
            if tags[step.place] in _NOUNS:
                found.append(step)
            elif tags[step.place] in _THROUGH:
                reached.append(step)
    return found


@dataclass(frozen=True)
class Sentence:
    """The words and tags of a sentence; `padded` are normal forms between marks of its ends."""

    words: Sequence[str]
    tags: Sequence[str]
    padded: Sequence[str]
    table: TreeTable | None = None

    @classmethod
    def of(cls, read: Read) -> Sentence:
        """Normalise words: lower case, and one sign for all numbers."""
        forms = [NUMBER if _IS_NUMBER.fullmatch(word) else word.lower() for word in read.words]
        padded = [BEGIN] * MOST_WORDS + forms + [END] * MOST_WORDS
        return cls(read.words, read.tags, padded, read.table)

    @cached_property
    def arcs(self) -> list[list[Arc]]:
        """The grammatical relations of its words, by its tree."""
        assert self.table is not None
        return arcs_of(self.table.nodes[0], self.padded[MOST_WORDS:-MOST_WORDS], self.tags)

    @cached_property
    def chunks(self) -> list[tuple[int, int]]:
        """Its noun chunks: the lowest noun phrases of its tree, or else what looks like them."""
        return chunks_of(self.tags) if self.table is None else base_chunks(self.table)


class Contexts:
    """The contexts that settings ask for."""

    def __init__(self, settings: HarvestSettings) -> None:
        self.ngrams = settings.ngrams
        self.places = [*range(-settings.around, 0), *range(1, settings.around + 1)]
        self.nouns = settings.nouns
        self.chunks = settings.chunks
        self.paths = settings.paths

    def of(self, sentence: Sentence, start: int, end: int, main: int) -> list[str]:
        """Return the contexts of words `start` to `end`, whose main verb is at `main`."""
        padded = sentence.padded
        left, right, centre = start + MOST_WORDS, end + MOST_WORDS, main + MOST_WORDS
        found = []
        if self.ngrams:
            before = [" ".join(padded[left - n : left]) for n in range(MOST_WORDS + 1)]
            after = [" ".join(padded[right : right + n]) for n in range(MOST_WORDS + 1)]
            found += [f"{before[n]} {GAP} {after[m]}" for n, m in self.ngrams]
        found += [f"{place:+d} {padded[centre + place]}" for place in self.places]
        if self.nouns:
            found += self._nouns(sentence, start, end, centre)
        if self.chunks:
            found += self._chunks(sentence, start, end)
        if self.paths:
            found += _filled(sentence, main)
        return found

    def _nouns(self, sentence: Sentence, start: int, end: int, centre: int) -> list[str]:
        """The nearest noun on the left, and the head of the nearest on the right, also with the
        word after the main verb.
        """
        tags, padded = sentence.tags, sentence.padded
        left, right = start - 1, end
        while left >= 0 and tags[left] not in _NOUNS:
            left -= 1
        while right < len(tags) and tags[right] not in _NOUNS:
            right += 1
        while right + 1 < len(tags) and tags[right + 1] in _NOUNS:
            right += 1
        # Where there is no noun, the mark of that end of the sentence stands for it.
        before = padded[left + MOST_WORDS] if left >= 0 else BEGIN
        after = padded[right + MOST_WORDS] if right < len(tags) else END
        return [f"{before} <", f"> {after}", f"{padded[centre + 1]} > {after}"]

    def _chunks(self, sentence: Sentence, start: int, end: int) -> list[str]:
        """The nearest noun chunks without their determiners, their last words, and the pair of
        these.
        """
        left = [chunk for chunk in sentence.chunks if chunk[1] <= start][-1:]
        right = [chunk for chunk in sentence.chunks if chunk[0] >= end][:1]
        whole, last = _described(sentence, left, BEGIN)
        other, head = _described(sentence, right, END)
        return [f"{whole} <<", f">> {other}", f"{last} <", f"> {head}", f"{last} < > {head}"]


def _filled(sentence: Sentence, main: int) -> list[str]:
    """The paths from a verb to nouns, with the lemmas of these."""
    found = []
    for path, place in paths(sentence.arcs, sentence.tags, main):
        form = sentence.padded[place + MOST_WORDS]
        noun = form if form == NUMBER else lemma(form, sentence.tags[place])
        found.append(f"{path} {noun}")
    return found


def chunks_of(tags: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest runs of tags that noun chunks are made of."""
    found: list[tuple[int, int]] = []
    for place, tag in enumerate(tags):
        if tag in _CHUNK:
            start = found.pop()[0] if found and found[-1][1] == place else place
            found.append((start, place + 1))
    return found


def _described(
    sentence: Sentence, chunk: Sequence[tuple[int, int]], nothing: str
) -> tuple[str, str]:
    """A chunk without determiners, and its last word."""
    if not chunk:
        return nothing, nothing
    span = range(*chunk[0])
    forms = sentence.padded[MOST_WORDS:]
    kept = [forms[place] for place in span[:_MOST_CHUNK] if sentence.tags[place] not in _LEFT_OUT]
    return " ".join(kept), forms[span[-1]]

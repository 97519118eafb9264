"""Everything that learning needs from text, gathered sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from treewright.propositions.contexts import features_of
from treewright.propositions.evidence import Evidence, Mention, find_evidence, mentions
from treewright.propositions.instances import SHAPES, Instance, extract_from
from treewright.propositions.reading import spaced
from treewright.propositions.sentence import Kind, ParsedSentence
from treewright.text import lemma
from treewright.trees import Tree

Key = tuple[str, tuple[str, ...], tuple[Kind, ...]]
"""A distinct instance: its shape, words and kinds."""
Span = tuple[int, int]
Sighting = tuple[int, tuple[Span, ...]]
"""The number of a sentence, and the characters of it that each word of an instance stands for."""
_MOST_CONTEXTS = 20
"""Contexts kept for each name that nothing is known about."""


@dataclass(frozen=True)
class Example:
    """A mention of a name in its context, and the evidence that stands there (left out of it)."""

    name: str
    features: tuple[str, ...]
    noun: str = ""
    modifier: str = ""
    without_modifier: tuple[str, ...] = ()
    """The features if the word before the noun is left out too: `running back`."""


@dataclass(frozen=True)
class Found:
    """What one sentence has to say."""

    instances: tuple[Instance, ...]
    evidence: tuple[Evidence, ...]
    nouns: tuple[str, ...]
    mentions: tuple[Mention, ...]
    examples: tuple[Example, ...]


NOTHING = Found((), (), (), (), ())


def read_tree(tree: Tree, shapes: Collection[str] = SHAPES) -> Found:
    """Return the instances of a sentence, and what it says about names."""
    sentence = ParsedSentence(tree)
    instances = tuple(extract_from(sentence, shapes))
    evidence = tuple(find_evidence(sentence))
    named = tuple(mentions(sentence))
    pairs = zip(sentence.words, sentence.tags, strict=True)
    return Found(
        instances,
        evidence,
        tuple(lemma(word, tag) for word, tag in pairs if tag in ("NN", "NNS")),
        named,
        tuple(_examples(sentence, instances, evidence, named)),
    )


def _examples(
    sentence: ParsedSentence,
    instances: Collection[Instance],
    evidence: Collection[Evidence],
    named: Collection[Mention],
) -> Iterator[Example]:
    """Yield each mention in its context, without the noun that may be its class."""
    beside = {one.name: one for one in evidence if one.way == "modifier"}
    within = {one.name: one for one in evidence if one.way in ("letters", "title")}
    for mention in named:
        first, last = mention.first, mention.last
        rest = mention.name.partition("_")[2]
        if rest and rest in within:
            found = features_of(sentence, instances, first + 1, last, {first})
            yield Example(rest, tuple(found), within[rest].noun)
        one = beside.get(mention.name)
        if one is not None and sentence.words[first - 1].lower() == one.noun:
            found = features_of(sentence, instances, first, last, {first - 1})
            both = {first - 1, first - 2}
            other = features_of(sentence, instances, first, last, both) if one.modifier else ()
            yield Example(mention.name, tuple(found), one.noun, one.modifier, tuple(other))
        else:
            yield Example(mention.name, tuple(features_of(sentence, instances, first, last)))


@dataclass
class Gathered:
    """What all sentences say together."""

    kept: int = 3
    """Sentences kept as evidence for each distinct instance."""
    sentences: int = 0
    instances: Counter[Key] = field(default_factory=Counter)
    seen_in: dict[Key, list[Sighting]] = field(default_factory=dict)
    texts: list[tuple[str, str]] = field(default_factory=list)
    """The ids and texts of sentences with instances."""
    evidence: list[Evidence] = field(default_factory=list)
    nouns: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)
    articles: Counter[str] = field(default_factory=Counter)
    labelled: list[Example] = field(default_factory=list)
    contexts: dict[str, list[Example]] = field(default_factory=dict)

    def add(self, name: str, text: str, found: Found, spans: Sequence[Span] | None = None) -> None:
        """Take in one sentence with its id and text; `spans` are where its tokens are, if not
        between spaces.
        """
        self.sentences += 1
        number = -1
        places = spaced(text) if spans is None else spans
        for instance in found.instances:
            key = (instance.shape, instance.words, instance.kinds)
            self.instances[key] += 1
            refs = self.seen_in.setdefault(key, [])
            if len(refs) < self.kept:
                if number < 0:
                    number = len(self.texts)
                    self.texts.append((name, text))
                parts = [(places[first][0], places[last][1]) for first, last in instance.at]
                refs.append((number, tuple(parts)))
        self.evidence += found.evidence
        self.nouns.update(found.nouns)
        for mention in found.mentions:
            self.times[mention.name] += 1
            self.articles[mention.name] += mention.article
        for example in found.examples:
            if example.noun:
                self.labelled.append(example)
            else:
                known = self.contexts.setdefault(example.name, [])
                if len(known) < _MOST_CONTEXTS:
                    known.append(example)

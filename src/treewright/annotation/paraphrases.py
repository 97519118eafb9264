"""Paraphrases to be judged: pooled over systems, each in a sentence where the phrase occurs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from treewright.annotation.form import Form
from treewright.annotation.item import HiddenTest, Item, Passage, Pool
from treewright.annotation.reading import text_of
from treewright.corpora import read_lines, read_object, scan_tokens
from treewright.errors import DataError, Problems, UsageError
from treewright.randomness import generator
from treewright.text import join_words

_SCHEMA = 'expected {"phrase": "…", "paraphrases": [{"text": "…", "score": …}, …]}'
_LABELS = ("First text", "Second text")


class Context(NamedTuple):
    """A tokenised sentence, and where a phrase begins and ends in it."""

    words: tuple[str, ...]
    start: int
    end: int


def read_paraphrases(
    sources: Sequence[tuple[str, str]], problems: Problems, *, k: int = 10
) -> list[Item]:
    """Read up to `k` paraphrases of each phrase from files that `paraphrase apply` wrote, given as
    (system, path); equal pairs become one item.
    """
    pool = Pool()
    for system, path in sources:
        for phrase, texts in problems.good(read_lines(path, partial(_paraphrases, k=k))):
            for rank, text in enumerate(texts, start=1):
                passages = (Passage(_LABELS[0], phrase), Passage(_LABELS[1], text))
                about = {"phrase": phrase, "paraphrase": text}
                pool.add((phrase, text), passages, system, rank=rank, about=about)
    return pool.items()


def _paraphrases(line: str, where: str, *, k: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the phrase of a line, and up to `k` of its paraphrases."""
    fields = read_object(line, where, _SCHEMA)
    phrase = text_of(fields.get("phrase"), "'phrase'", where)
    listed = fields.get("paraphrases")
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise DataError(f"'paraphrases' must be a list of objects; {_SCHEMA}", where=where)
    what = "the 'text' of a paraphrase"
    yield phrase, [text_of(each.get("text"), what, where) for each in listed[:k]]


def find_contexts(
    phrases: Iterable[str], texts: Sequence[str], *, seed: int = 0
) -> dict[str, Context]:
    """Draw for each phrase one of the sentences that contain it, each with the same probability.

    Texts are tokenised, a sentence a line; case does not matter, bad lines are passed over.
    """
    rng = generator(seed, 1)
    wanted: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    names: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for phrase in dict.fromkeys(phrases):
        words = tuple(phrase.lower().split())
        if words not in names:
            wanted[words[0]].append(words)
        names[words].append(phrase)
    seen: dict[tuple[str, ...], int] = defaultdict(int)
    drawn: dict[str, Context] = {}
    for text in texts:
        for _, sentence in scan_tokens(text):
            if isinstance(sentence, DataError):
                continue
            lower = [word.lower() for word in sentence]
            found = {
                words: start
                for start, word in enumerate(lower)
                for words in wanted.get(word, ())
                if tuple(lower[start : start + len(words)]) == words
            }
            for words, start in found.items():
                seen[words] += 1
                if rng.integers(seen[words]) == 0:
                    context = Context(tuple(sentence), start, start + len(words))
                    drawn.update(dict.fromkeys(names[words], context))
    return drawn


def put_in_context(items: Sequence[Item], contexts: Mapping[str, Context]) -> list[Item]:
    """Show each paraphrase in its phrase's sentence; pairs without a sentence stay as they are."""
    placed = []
    for item in items:
        context = contexts.get(item.about["phrase"])
        if context is not None:
            item = replace(item, passages=_pair(context, item.about["paraphrase"].split()))
        placed.append(item)
    return placed


def made_tests(
    contexts: Mapping[str, Context], form: Form, number: int, *, seed: int = 0
) -> list[HiddenTest]:
    """Make hidden tests whose answers are certain, in turn: a sentence and the same sentence; a
    sentence and another one.
    """
    question = form.questions[0]
    rng = generator(seed, 2)
    places = list(dict.fromkeys(contexts.values()))
    if len(places) < 2:
        raise UsageError(
            "hidden tests are made from sentences, and fewer than two are known; give tests of "
            "your own with --tests, sentences with --sentences, or --tests-per-page 0"
        )
    tests = []
    for i in range(number):
        one, other = (places[int(place)] for place in rng.permutation(len(places))[:2])
        first, same = _pair(one, one.words[one.start : one.end])
        if i % 2 == 0:
            passages, right = (first, same), question.values[-1]
        else:
            second = _pair(other, ())[0]
            passages, right = (first, replace(second, label=_LABELS[1])), question.values[0]
        tests.append(HiddenTest(Item(f"test {i + 1}", passages), {question.name: (right,)}))
    return tests


def _pair(context: Context, replacement: Sequence[str]) -> tuple[Passage, Passage]:
    """Return a sentence, and the same with the phrase replaced, both marked and readable."""
    words, start, end = context
    new = list(replacement)
    if start == 0 and words[0][:1].isupper() and new:
        new[0] = new[0][:1].upper() + new[0][1:]
    revised = (*words[:start], *new, *words[end:])
    return (
        _marked(_LABELS[0], words, start, end),
        _marked(_LABELS[1], revised, start, start + len(new)),
    )


def _marked(label: str, words: Sequence[str], start: int, end: int) -> Passage:
    text = join_words(words)
    part = join_words(words[start:end])
    # Words may be attached to those before, so the phrase begins at, or just before, their end.
    place = text.find(part, max(0, len(join_words(words[:start])) - 1)) if part else -1
    return Passage(label, text, None if place < 0 else (place, place + len(part)))

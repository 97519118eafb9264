"""Real words joined and tokenised, real sentences joined and split, real compressions cut."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path

import pytest

from treewright.text import Sentence, cut, detokenize, join_words, split_sentences, tokenize
from treewright.trees import parse_tree, read_trees, strip_traces, unescape

QUOTES = {"``": '"', "''": '"', "`": "'"}
PARAGRAPH = 8
COMPRESSED = 500

Corpus = Callable[[Path], Iterator[tuple[str, ...]]]


def newspaper(data: Path) -> Iterator[tuple[str, ...]]:
    for part in ("train", "dev"):
        for tree in read_trees(data / "treebank" / f"wsj-sample.{part}.mrg"):
            bare = strip_traces(tree)
            if bare is not None:
                yield bare.words()


def sources(data: Path) -> Iterator[tuple[str, ...]]:
    for name in ("broadcast", "google", "written"):
        with (data / "compression" / f"{name}.train.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                yield parse_tree(json.loads(line)["source"]).words()


def plain(words: Iterable[str]) -> list[str]:
    """Words in one form of quotes and brackets."""
    bare = [unescape(word).replace("\\/", "/") for word in words]
    return [QUOTES.get(word, word) for word in bare]


def ends_in_doubled_stop(words: tuple[str, ...]) -> bool:
    """Whether the treebank has a stop twice that the text has once: `U.S. .`"""
    return any(a[-1] == b == "." and len(a) > 1 for a, b in pairwise(words))


@pytest.mark.parametrize(
    ("corpus", "count", "same"), [(newspaper, 3_900, 0.989), (sources, 10_000, 0.942)]
)
def test_joined_words_are_cut_into_the_same_words(
    data: Path, corpus: Corpus, count: int, same: float
) -> None:
    total = agreeing = 0
    for words in corpus(data):
        text = join_words(words)
        tokens = tokenize(text)
        assert detokenize(text, tokens) == text
        assert all(text[token.start : token.end] == token.text for token in tokens)
        total += 1
        agreeing += plain(words) == plain(token.text for token in tokens)
    assert total >= count
    assert agreeing / total >= same


def test_where_the_newspaper_doubles_no_stop_nearly_all_agree(data: Path) -> None:
    judged = [words for words in newspaper(data) if not ends_in_doubled_stop(words)]
    wrong = [
        words
        for words in judged
        if plain(words) != plain(token.text for token in tokenize(join_words(words)))
    ]
    assert len(wrong) / len(judged) <= 0.007


def test_newspaper_paragraphs_are_split_into_their_sentences(data: Path) -> None:
    lines = [join_words(words) for words in newspaper(data)]
    right = found = there = 0
    for first in range(0, len(lines), PARAGRAPH):
        group = lines[first : first + PARAGRAPH]
        text = " ".join(group)
        ends = {len(" ".join(group[: size + 1])) for size in range(len(group) - 1)}
        guesses = {sentence.end for sentence in split_sentences(text)} - {len(text)}
        right += len(ends & guesses)
        found += len(guesses)
        there += len(ends)
    assert 2 * right / (found + there) >= 0.985


def compressions(data: Path, name: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The words of sources and targets."""
    with (data / "compression" / f"{name}.train.jsonl").open(encoding="utf-8") as lines:
        for item in map(json.loads, islice(lines, COMPRESSED)):
            for target in item["targets"]:
                yield parse_tree(item["source"]).words(), parse_tree(target).words()


def find_places(part: list[str], whole: list[str]) -> list[int] | None:
    """The first places of `whole` that have the words of `part` in their order."""
    places: list[int] = []
    for word in part:
        try:
            places.append(whole.index(word, places[-1] + 1 if places else 0))
        except ValueError:
            return None
    return places


def with_small_start(text: str) -> str:
    return re.sub(r"[^\W\d_]", lambda letter: letter[0].lower(), text, count=1)


@pytest.mark.parametrize(
    ("name", "count", "same"),
    [("broadcast", 1_400, 0.988), ("google", 490, 0.987), ("written", 450, 0.984)],
)
def test_real_compressions_are_cut_cleanly(data: Path, name: str, count: int, same: float) -> None:
    """What people kept of a sentence reads as they wrote it; many of the others lack a stop."""
    total = agreeing = 0
    for source, target in compressions(data, name):
        text = join_words(source)
        sentence = Sentence(text, tokenize(text))
        kept = find_places(plain(target), plain(sentence.words))
        if kept is None:
            continue
        result = cut(sentence, kept).text
        assert result == result.strip()
        assert "  " not in result
        assert " ," not in result or " ," in text
        total += 1
        agreeing += with_small_start(result) == with_small_start(join_words(target))
    assert total >= count
    assert agreeing / total >= same

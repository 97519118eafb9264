"""Treebank words, joined and cut again, and treebank sentences, joined and split again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from treewright.text import Sentence, cut, detokenize, join_words, split_sentences, tokenize
from treewright.trees import parse_tree, read_trees, strip_traces, unescape

QUOTES = {"``": '"', "''": '"', "`": "'"}
PARAGRAPH = 8

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


def test_real_compressions_are_cut_cleanly(data: Path) -> None:
    for words in sources(data):
        text = join_words(words)
        sentence = Sentence(text, tokenize(text))
        result = cut(sentence, range(1, len(sentence.tokens), 2)).text
        assert result == result.strip()
        assert "  " not in result
        assert " ," not in result or " ," in text

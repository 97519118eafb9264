"""Strict faithfulness over the inputs for readers: no limit of a claim goes while it stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from treewright.compression import Compression, Limit, Request, Shortened
from treewright.pruning.guards.meaning.reach import clause, host
from treewright.pruning.guards.outline import Outline
from treewright.text import is_word, tokenize
from treewright.trees import TreeTable

from .test_guarded_sentences import compressor

SETTINGS: dict[str, dict[str, Any]] = {
    "none": {},
    "rate 0.7": {"rate": 0.7},
    "rate 0.5": {"rate": 0.5},
    "10 words": {"max_words": 10},
}
READ = {
    ("e014", "goalless"),  # `for a goalless draw` goes as a whole
    ("e040", "but"),  # what is before `but` goes as a whole
    ("e058", "but"),
    ("e110", "but"),
}
"""What is missing from a clause that stays, read and found harmless."""


@pytest.fixture(scope="module")
def inputs(data: Path) -> list[dict[str, Any]]:
    path = data / "editor" / "inputs.jsonl"
    if not path.is_file():
        pytest.skip(f"no inputs at {path}")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("model", ["news", "headline"])
def test_no_limiting_word_goes_while_its_clause_stays(
    model: str, setting: str, inputs: list[dict[str, Any]]
) -> None:
    request = Request(limit=Limit(**SETTINGS[setting]), faithful="strict", trees=True)
    texts = [given["text"] for given in inputs]
    found = []
    for given, result in zip(inputs, compressor(model).compress_each(texts, request), strict=True):
        assert isinstance(result, Compression)
        lost = {
            must
            for must in given["must_keep"]
            for part in result.sentences
            if any(is_left(part, places) for places in lost_places(part, must))
        }
        found += [
            (given["id"], must, result.text) for must in lost if (given["id"], must) not in READ
        ]
    assert found == []


def lost_places(part: Shortened, must: str) -> Iterator[range]:
    """Yield where a phrase is in the source of a sentence and not complete in what is left."""
    words = [word.lower() for word in part.sentence.words]
    phrase = [token.text.lower() for token in tokenize(must)]
    for start in range(len(words) - len(phrase) + 1):
        places = range(start, start + len(phrase))
        if words[start : places.stop] == phrase and not set(places) <= set(part.kept):
            yield places


def is_left(part: Shortened, places: range) -> bool:
    """Whether a word is left of the clause around some places."""
    assert part.source is not None
    outline = Outline(TreeTable(part.source))
    around = clause(outline, host(outline, places[0], places[-1]))
    span = outline.table.span(around)
    return any(place in span and is_word(part.sentence.words[place]) for place in part.kept)

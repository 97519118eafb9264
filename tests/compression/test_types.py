"""Values of a wrong type are a `UsageError` at the door, never an error from deep inside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treewright.compression import Compression, Compressor, Keep, Limit, Request, load_model
from treewright.corpora import read_pairs
from treewright.data import sample_path
from treewright.errors import DataError, UsageError
from treewright.grammar import parse_rule
from treewright.parsing import open_parser
from treewright.trees import parse_tree, read_trees

from .test_compressor import compressor_of

WRONG = 3


def compress(text: Any = "The old dog barked.", **options: Any) -> Any:
    return compressor_of("crf").compress(text, **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Compressor.load(WRONG), "a model must be given by its name or its path, found 3"),
        (lambda: Compressor.load(parser=WRONG), "a parser must be given by its name, such as"),
        (lambda: Compressor("news"), "a model must be a Model"),
        (lambda: Compressor(compressor_of("crf").model, parser="x"), "must have a method parse"),
        (
            lambda: compress(None),
            "or the tokens of a sentence, found None",
        ),
        (lambda: compress({"a"}), "a text must be a string"),
        (lambda: compress(rate="0.5"), "rate must be a number, found '0.5'"),
        (lambda: compress(rate=True), "rate must be above 0 and at most 1, found True"),
        (lambda: compress(max_words="3"), "max_words must be a whole number"),
        (
            lambda: compress(max_tokens=2, tokenizer=WRONG),
            "tokenizer must be a function",
        ),
        (
            lambda: compress(max_tokens=2, tokenizer=lambda _: None),
            "what a tokenizer returns must be tokens or their number, found None",
        ),
        (lambda: compress(per=WRONG), "unknown scope 3; choose one of"),
        (lambda: compress(keep=WRONG), "keep must be one string or Keep, or several, found 3"),
        (lambda: compress(keep=[WRONG]), "what to keep must be a string, found 3"),
        (lambda: compress(alternatives="3"), "alternatives must be a whole number, found '3'"),
        (
            lambda: compress(faithful="strikt"),
            "unknown way to be faithful 'strikt'; choose one of: normal, strict",
        ),
        (lambda: compress(faithful=WRONG), "faithful must be normal or strict, found 3"),
        (
            lambda: compressor_of("crf").compress_each("text"),
            "texts must be several, found 'text'; use compress for one",
        ),
        (lambda: compressor_of("crf").compress_each(WRONG), "texts must be several"),
        (
            lambda: compressor_of("crf").compress_each(["a"], Limit(rate=0.5)),
            "a request must be a Request, found Limit",
        ),
        (lambda: Request(keep=("numbers",)), "keep must be a tuple of Keep; Keep.parse reads one"),
        (lambda: Request(keep=["a"]), "keep must be a tuple of Keep"),
        (lambda: Request(limit=0.5), "limit must be a Limit, found 0.5"),
        (lambda: Keep("class", "nubmers"), "unknown class to keep 'nubmers'; choose one of: code,"),
        (lambda: Keep("word", "a"), "unknown kind of Keep 'word'"),
        (lambda: Keep("pattern", "("), "missing ), unterminated subpattern"),
        (lambda: Keep("phrase", WRONG), "the value of a Keep must be a string, found 3"),
        (lambda: list(read_pairs(WRONG)), "a file must be given by its path"),
        (lambda: list(read_trees(WRONG)), "a file must be given by its path"),
        (lambda: load_model(WRONG), "a file must be given by its path"),
        (lambda: parse_tree(WRONG), "a tree in brackets must be a string, found 3"),
        (lambda: parse_rule(WRONG), "a rule in its text form must be a string, found 3"),
        (lambda: open_parser().parse(WRONG), "sentences must be lists of tokens, found 3"),
        (lambda: open_parser().parse(["A dog"]), "must be a list of tokens, found the string"),
        (lambda: Limit(max_words=3).measure(WRONG), "a text to measure must be a string, found 3"),
        (
            lambda: list(read_pairs(sample_path("train"), target=b"1")),
            "target must be the number of a target, or None for all, found b'1'",
        ),
        (lambda: open_parser().parse([WRONG]), "a sentence must be a list of tokens, found 3"),
        (lambda: open_parser().parse([[WRONG]]), "a token must be a string, found 3"),
    ],
)
def test_a_wrong_type_is_a_usage_error(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert message in str(caught.value)


def test_a_long_value_is_not_repeated_in_full() -> None:
    with pytest.raises(UsageError) as caught:
        parse_tree([Path("x" * 1000)] * 1000)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("found", ["The zebra sat", "zebra"])
def test_a_text_that_cannot_be_measured_loses_no_other(found: str) -> None:
    def count(text: str) -> int:
        if text.strip().startswith(found):
            raise DataError("zebra is not a token")
        return len(text.split())

    texts = ["The cat sat on the old mat.", "The zebra sat on the old mat.", "The cat sat down."]
    request = Request(limit=Limit(max_tokens=5, tokenizer=count))
    first, bad, last = compressor_of("crf").compress_each(texts, request)
    assert isinstance(bad, DataError)
    assert "zebra" in str(bad)
    assert isinstance(first, Compression)
    assert isinstance(last, Compression)


@pytest.mark.parametrize("text", [WRONG, None, b"text", ["a", 3], {"a"}])
def test_a_text_of_a_wrong_type_loses_no_other(text: Any) -> None:
    first, wrong, last = compressor_of("crf").compress_each(["A dog.", text, "A cat."])
    assert not isinstance(first, DataError) and not isinstance(last, DataError)
    assert str(wrong).startswith("a text is a string, or a sequence of strings; found ")

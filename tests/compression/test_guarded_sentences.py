"""The hand-made sentences, shortened: no number, name, quote, URL or negation is lost."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cache
from typing import Any

import pytest

from treewright.compression import Compression, Compressor, Keep, Limit, Request
from treewright.compression.shipped import FOLDER, NAMES
from treewright.errors import DataError

from ..pruning.guards.examples import CLAIMS, EXAMPLES
from .test_compressor import compressor_of

MODELS = ("crf", *NAMES)
LIMITS: dict[str, dict[str, Any]] = {
    "none": {},
    "rate 0.3": {"rate": 0.3},
    "rate 0.5": {"rate": 0.5},
    "rate 0.7": {"rate": 0.7},
    "6 words": {"max_words": 6},
    "60 characters": {"max_chars": 60},
}


@cache
def compressor(model: str) -> Compressor:
    if model not in NAMES:
        return compressor_of(model, "embedded")
    if not (FOLDER / f"{model}.model").is_file():
        pytest.skip(f"the model {model!r} does not come with this state of the package")
    return Compressor.load(model)


def shortened(
    model: str, limit: str, given: list[dict[str, Any]]
) -> list[tuple[dict[str, Any], Compression | DataError]]:
    """The examples with what became of them, those of the same demands at once."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for example in given:
        groups[tuple(example["keep"])].append(example)
    found = []
    for keep, examples in groups.items():
        demands = tuple(map(Keep.parse, keep))
        # Loose, so that as much goes as can.
        request = Request(limit=Limit(**LIMITS[limit]), keep=demands, grammar="loose")
        texts = [example["text"] for example in examples]
        results = compressor(model).compress_each(texts, request)
        found += zip(examples, results, strict=True)
    return found


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("given", [EXAMPLES, CLAIMS], ids=["negations", "claims"])
def test_what_must_be_kept_is_kept_and_so_is_the_limit(
    given: list[dict[str, Any]], model: str, limit: str
) -> None:
    """Or it is said that the limit cannot be, or that the two contradict each other."""
    found = shortened(model, limit, given)
    assert [lost for example, result in found for lost in lost_by(example, result)] == []
    asked = Limit(**LIMITS[limit])
    for example, result in found:
        if isinstance(result, DataError):
            assert example["keep"]
            assert limit != "none"
            assert "raise the limit or keep less" in str(result)
        elif asked.is_given:
            room = asked.room([part.sentence for part in result.sentences])
            words = asked.unit == "words"
            size = counted(result) if words else asked.measure(result.text)
            assert result.met == (size <= room)
    if limit == "rate 0.5":
        done = [result for _, result in found if isinstance(result, Compression)]
        assert len(done) > 0.8 * len(given)
        assert_shortened(done)


def lost_by(example: dict[str, Any], result: Compression | DataError) -> list[tuple[str, str]]:
    """What must be kept and is not there, and what is there without its negation."""
    if isinstance(result, DataError):
        return []
    text, tokens = result.text.lower(), result.tokens
    lost = [(must, result.text) for must in example["must"] if must.lower() not in text]
    for negation, negated in example["negated"]:
        first, second = tokens.index(negation), tokens.index(negated)
        if second in result.kept and first not in result.kept:
            lost.append((f"{negation} {negated}", result.text))
    return lost


def assert_shortened(done: list[Compression]) -> None:
    """Guards that held everything would be no feat."""
    assert sum(result.met for result in done) > 0.7 * len(done)
    kept, whole = sum(map(counted, done)), sum(len(result.tokens) for result in done)
    assert kept < 0.6 * whole


def counted(result: Compression) -> int:
    return sum(any(map(str.isalnum, result.tokens[place])) for place in result.kept)


BRIDGE = (
    "The mayor said on Monday that the old harbour bridge, which has been closed since last "
    "winter, will not reopen until June because repairs will cost 4 million euros."
)


@pytest.mark.parametrize("model", ["em", "vb", "crf", "crf with rules", *NAMES])
def test_no_version_has_a_subject_without_its_verb(model: str) -> None:
    short = compressor(model).compress(BRIDGE, alternatives=8, explain=True)
    [part] = short.sentences
    runners_up = [deletion.runner_up for deletion in part.deletions]
    versions = [part, *part.alternatives, *[other for other in runners_up if other is not None]]
    assert len(versions) > 4
    for version in versions:
        words = [short.tokens[place].lower() for place in version.kept]
        assert ("mayor" in words) == ("said" in words), version.text


@pytest.mark.parametrize("model", NAMES)
def test_the_probabilities_of_all_admissible_versions_sum_to_one(model: str) -> None:
    short = compressor(model).compress("Sadly, he did not come home on Monday.", alternatives=500)
    [part] = short.sentences
    total = sum(math.exp(version.score) for version in (part, *part.alternatives))
    # Versions that read alike are listed once: a few are missing.
    assert 0.8 < total < 1.0 + 1e-9

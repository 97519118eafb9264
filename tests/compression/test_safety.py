"""Whatever comes in: nothing is added, limits and demands hold, and it is the same every time."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treewright.compression import Compression, Compressor, Keep, Limit
from treewright.compression.result import Shortened, Version
from treewright.corpora import is_word
from treewright.errors import DataError
from treewright.pruning.guards import demanded, negation_words
from treewright.text import Sentence

from ..profiles import examples
from ..text.strategies import texts
from .test_compressor import compressor_of
from .test_explaining_models import learned

PIECES = """
the a old dog company minister said that which barked did not n't didn't never no nobody without
unless if only paid in of New York City Paris U.S. Mr. Smith's dogs' 5 3.5 1,000 20% $5 -3 minus
“We are pleased,” "so it is" 'maybe' (or more) [sic] https://x.org/a_(b)?c=1 www.example.com
a.b@c.org @ann #tag `f(x)` snake_case /usr/bin --flag v1.2.3 , ; : — – - ... … ! ? . today however,
well-known it's I'm cannot neither nor but until and or An apple an hour 你好 مرحبا 👍🏽 é
"""
realistic = st.lists(
    st.tuples(
        st.lists(st.sampled_from(PIECES.split()), min_size=1, max_size=14).map(" ".join),
        st.sampled_from([". ", "! ", "?\n\n", ".” ", "\n", " "]),
    ).map("".join),
    min_size=1,
    max_size=3,
).map("".join)

TOKENIZERS = {
    "own": None,
    "pieces": str.split,
    "quarters": lambda text: math.ceil(len(text) / 4),
    "few": lambda text: len(text) // 5,
    "bytes": lambda text: text.encode("utf-8", "surrogatepass"),
}
amounts = st.one_of(
    st.just({}),
    st.integers(1, 100).map(lambda n: {"rate": n / 100}),
    st.integers(1, 12).map(lambda n: {"max_words": n}),
    st.integers(1, 90).map(lambda n: {"max_chars": n}),
    st.builds(
        lambda n, kind: {"max_tokens": n, "tokenizer": TOKENIZERS[kind]},
        st.integers(1, 25),
        st.sampled_from(sorted(TOKENIZERS)),
    ),
)
limits = st.builds(
    lambda amount, per: Limit(**amount, per=per), amounts, st.sampled_from(["text", "sentence"])
)
KEEPS = (
    "numbers names quotations urls code not dog Paris . , “ /o/ /[A-Z]\\w+/ /\\d/ /the/i /^/ /\\W/"
    " /./ 5 word:names 你好"
)
keeps = st.lists(st.sampled_from([*KEEPS.split(), "New York", "a dog"]), max_size=3).map(
    lambda written: tuple(Keep.parse(each) for each in written)
)


def shorten(
    compressor: Compressor, text: str, limit: Limit, keep: Iterable[Keep]
) -> Compression | DataError:
    try:
        return compressor.compress(
            text,
            rate=limit.rate,
            max_words=limit.max_words,
            max_chars=limit.max_chars,
            max_tokens=limit.max_tokens,
            tokenizer=limit.tokenizer,
            per=limit.per,
            keep=keep,
            alternatives=2,
        )
    except DataError as error:
        return error


def check(compressor: Compressor, text: str, limit: Limit, keep: tuple[Keep, ...]) -> None:
    """Raise unless all that is promised of any text holds of this one."""
    result = shorten(compressor, text, limit, keep)
    again = shorten(compressor, text, limit, keep)
    if isinstance(result, DataError):
        assert keep
        assert limit.is_given
        assert "raise the limit or keep less" in str(result)
        assert str(again) == str(result)
        return
    assert isinstance(again, Compression)
    assert plain(again) == plain(result)
    assert result.source == text
    assert result.errors == ()
    assert_joined(text, result)
    assert_within(limit, result)
    for part in result.sentences:
        must = frozenset(range(len(part.sentence.tokens)))
        if part.source is not None:
            must = demanded(keep, part.sentence, part.source)
        if part.dropped:
            assert not part.kept and not must
            continue
        for version in (part, *part.alternatives):
            assert_extracted(part.sentence, version, must)
        assert_different(part)


def plain(result: Compression) -> dict[str, Any]:
    values = result.as_dict(explain=True)
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    return values


def assert_joined(text: str, result: Compression) -> None:
    """What stands between sentences is between them still; where some are dropped, what has most
    line breaks.
    """
    parts = result.sentences
    expected: list[str] = []
    between: list[str] = []
    for number, part in enumerate(parts):
        if number:
            between.insert(0, text[parts[number - 1].sentence.end : part.sentence.start])
        if part.dropped:
            assert not part.text
            continue
        if expected:
            expected.append(sorted(between, key=lambda gap: -gap.count("\n"))[0])
        between = []
        expected.append(part.text)
    assert not parts or expected, "some sentence stays"
    assert result.text == "".join(expected)
    same_but_for_case_and_space(
        result.text, "".join(text[start:end] for start, end in result.spans), len(parts)
    )


def same_but_for_case_and_space(text: str, sliced: str, capitals: int) -> None:
    place = 0
    for character in text:
        source = sliced[place : place + 1]
        if character != source and source and character == source.upper():
            capitals -= 1
        elif character != source:
            assert character == " "
            continue
        place += 1
    assert place == len(sliced)
    assert capitals >= 0


def assert_extracted(sentence: Sentence, version: Version, must: frozenset[int]) -> None:
    """The version's words are some of the sentence's, in their order, and all that must stay."""
    assert list(version.kept) == sorted(set(version.kept))
    words = sentence.words
    kept = [words[place] for place in version.kept]
    sliced = "".join(sentence.text[start:end] for start, end in version.spans)
    same_but_for_case_and_space(version.text, sliced, 1)
    same_but_for_case_and_space(letters(version.text), letters("".join(kept)), 1)
    if version.tree is not None:
        assert list(version.tree.words()) == kept
    assert must <= set(version.kept)
    place = 0
    for token in (words[place] for place in sorted(must)):
        found = [version.text.find(form, place) for form in (token, token[0].upper() + token[1:])]
        place = min((start for start in found if start >= 0), default=-1) + len(token)
        assert place >= len(token), token
    assert any(map(is_word, kept)) or not any(map(is_word, words))


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def assert_within(limit: Limit, result: Compression) -> None:
    """The limit is kept, or the result says that it is not."""
    if not limit.is_given or not result.sentences:
        assert result.met
        return
    groups = [result.sentences] if limit.per == "text" else [(p,) for p in result.sentences]
    for group in groups:
        room = limit.room([part.sentence for part in group])
        if limit.unit == "words":
            size = sum(is_word(p.sentence.words[place]) for p in group for place in p.kept)
        else:
            size = limit.measure(result.text if limit.per == "text" else group[0].text)
        assert all(part.met == (size <= room) for part in group)
    assert result.met == all(part.met for part in result.sentences)


def assert_different(part: Shortened) -> None:
    found = [part.text, *[other.text for other in part.alternatives]]
    assert len(set(found)) == len(found)


@examples(80)
@given(st.one_of(texts, realistic), limits, keeps, st.sampled_from(["flat", "branching"]))
@example("a\u0130b.\x00\u2028\ud800 ß", Limit(max_chars=1), (), "flat")
def test_pruning_is_safe_with_any_tree(
    text: str, limit: Limit, keep: tuple[Keep, ...], parser: str
) -> None:
    check(compressor_of("crf", parser), text, limit, keep)


@examples(40)
@given(
    st.one_of(texts, realistic),
    limits,
    keeps,
    st.sampled_from(["em", "crf with rules", "svm", "deletion"]),
)
def test_all_models_are_safe(text: str, limit: Limit, keep: tuple[Keep, ...], model: str) -> None:
    check(compressor_of(model, "branching"), text, limit, keep)


@examples(50)
@given(st.one_of(texts, realistic, realistic), limits, keeps, st.sampled_from(["crf", "deletion"]))
def test_the_parser_that_comes_along_is_safe(
    text: str, limit: Limit, keep: tuple[Keep, ...], model: str
) -> None:
    check(compressor_of(model, "embedded"), text, limit, keep)


@examples(30)
@given(realistic, limits)
def test_a_new_compressor_does_the_same(text: str, limit: Limit) -> None:
    first = shorten(compressor_of("crf", "embedded"), text, limit, ())
    second = shorten(Compressor(learned("crf")), text, limit, ())
    assert isinstance(first, Compression)
    assert isinstance(second, Compression)
    assert plain(second) == plain(first)


@examples(30)
@given(realistic, limits)
def test_a_model_of_strings_drops_no_negation(text: str, limit: Limit) -> None:
    result = shorten(compressor_of("deletion"), text, limit, ())
    assert isinstance(result, Compression)
    for part in result.sentences:
        # A sentence may go with its negation, all of it.
        assert part.dropped or negation_words(part.sentence.words) <= set(part.kept)


@pytest.mark.parametrize(
    ("size", "limit"),
    [(100, Limit(max_chars=3)), (300, Limit(max_chars=600)), (990, Limit(rate=0.3))],
)
def test_a_long_sentence_is_no_danger(size: int, limit: Limit) -> None:
    pieces = PIECES.replace("?", "").replace(".", "").replace("!", "").split()
    text = " ".join((pieces * 20)[:size])
    check(compressor_of("crf", "flat"), text, limit, (Keep.parse("https://x.org/a_(b)?c=1"),))

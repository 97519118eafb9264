"""Tables equal the definitions, over every span of tiny texts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.translation.phrases import plain
from treewright.corpora import Links, Sentences, Vocabulary
from treewright.errors import DataError, UsageError
from treewright.translation import PhraseSettings, PhraseTable, build_phrases

HOUSE = [
    plain.aligned("das alte haus ist klein ||| the old house is small ||| 0-0 1-1 2-2 3-3 4-4"),
    plain.aligned("klein ist das haus nicht ||| the house is not small ||| 0-4 1-2 2-0 3-1 4-3"),
    plain.aligned("das haus ||| the house ||| 0-0 1-1"),
    plain.aligned("ja ||| oh yes ||| 0-1"),
]


def build(pairs: list[plain.Aligned], **values: object) -> PhraseTable:
    return build_phrases(*plain.encoded(pairs), settings=PhraseSettings(**values))  # type: ignore[arg-type]


def check_equal(table: PhraseTable, expected: dict[object, plain.Scored]) -> None:
    options = {(option.source, option.target): option for option in table}
    assert options.keys() == expected.keys()
    for pair, option in options.items():
        scored = expected[pair]
        assert option.links == scored.links
        assert option.counts == scored.counts
        found = [math.exp(value) for value in option.features.values()]
        assert found == pytest.approx(scored.features, rel=1e-5)
        found = [math.exp(value) for value in option.reordering]
        assert found == pytest.approx(scored.reordering, rel=1e-5)


@given(
    plain.corpora(),
    st.integers(1, 7),
    st.sampled_from(["word", "phrase"]),
    st.sampled_from(["none", "absolute", "kneser-ney"]),
)
def test_a_table_equals_the_definition(
    pairs: list[plain.Aligned], longest: int, orientation: str, smoothing: str
) -> None:
    table = build(pairs, max_length=longest, orientation=orientation, smoothing=smoothing, limit=0)
    by_phrases = orientation == "phrase"
    check_equal(
        table, plain.scores(pairs, longest=longest, by_phrases=by_phrases, smoothing=smoothing)
    )


def test_words_without_links_at_the_edge_belong_to_phrases_and_not() -> None:
    table = build(HOUSE)
    assert {option.target for option in table.options("ja")} == {("yes",), ("oh", "yes")}
    assert not table.options("oh")


@given(plain.corpora(longest=8))
@settings(max_examples=30)
def test_phrases_sorted_in_files_are_the_same(pairs: list[plain.Aligned]) -> None:
    texts = plain.encoded(pairs * 3)
    whole = build_phrases(*texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("treewright.translation.phrases.occurrences._BYTES", 1 << 30)
        patch.setattr("treewright.translation.phrases.occurrences._CHUNK", 3)
        parted = build_phrases(*texts)
    assert whole.parts() == parted.parts()


def test_options_come_by_probability_and_are_limited() -> None:
    pairs = [plain.aligned(f"a ||| {word} ||| 0-0") for word in "xyyyzz"]
    assert [option.target for option in build(pairs).options("a")] == [("y",), ("z",), ("x",)]
    assert [option.target for option in build(pairs, limit=2).options("a")] == [("y",), ("z",)]
    once = build(pairs, min_count=2, smoothing="none")
    assert [option.target for option in once.options("a")] == [("y",), ("z",)]
    assert math.exp(once.options("a")[0].features["p(e|f)"]) == pytest.approx(3 / 6)


@pytest.mark.parametrize("smoothing", ["absolute", "kneser-ney"])
def test_smoothed_probabilities_of_all_targets_sum_to_one(smoothing: str) -> None:
    found = [o for pair in HOUSE for o in plain.occurrences(pair, 7, False)]
    joint = plain.Counter((o.source, o.target) for o in found)
    conditional = plain.conditionals(joint, smoothing)
    targets = {o.target for o in found}
    assert sum(conditional(("das", "haus"), e)[0] for e in targets) == pytest.approx(1)


def test_text_without_pairs_gives_an_empty_table() -> None:
    table = build([plain.Aligned((), (), ()), plain.aligned("a ||| x |||")])
    assert len(table) == 0
    assert table.spans(np.array([0], np.int32)).start.size == 0
    assert len(build([])) == 0


def test_what_does_not_belong_together_is_an_error() -> None:
    source, target, links, f, e = plain.encoded(HOUSE)
    with pytest.raises(DataError, match=r"4 source sentences, 4 target sentences, links for 1"):
        build_phrases(source, target, Links.of([()]), f, e)
    wrong = Links.of([(), (), ((0, 2),), ()])
    with pytest.raises(DataError, match=r"pair 3: link 0-2 leads outside .* 2 and 2 words"):
        build_phrases(source, target, wrong, f, e)
    with pytest.raises(DataError, match=r"source has word numbers from 0 to 6.*has 0 words"):
        build_phrases(source, target, links, Vocabulary(), e)
    unknown = Sentences.encode([pair.source for pair in HOUSE], Vocabulary(), grow=False)
    with pytest.raises(DataError, match="from -1"):
        build_phrases(unknown, target, links, f, e)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"max_length": 8}, "1 to 7 words, not 8"),
        ({"smoothing": "witten-bell"}, "absolute, kneser-ney, none"),
        ({"orientation": "tree"}, "phrase, word"),
        ({"limit": -1}, "limit must be 0 or more"),
        ({"memory": 0}, "memory 1 or more"),
    ],
)
def test_settings_are_checked(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        PhraseSettings(**values)  # type: ignore[arg-type]

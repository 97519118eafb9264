"""Forced decoding finds what enumeration finds, and leaves out what a pair says of itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.translation.forcing import naive
from tests.translation.phrases import plain
from treewright.errors import UsageError
from treewright.translation import PhraseSettings, build_phrases
from treewright.translation.forcing._kernels import OwnCounts, counts_elsewhere, own_counts
from treewright.translation.forcing.decoder import Forced, ForcedDecoder, Forcing, SpanStep
from treewright.translation.forcing.spans import derivations


def decoder_of(pairs: list[plain.Aligned], settings: Forcing, longest: int = 7) -> ForcedDecoder:
    table = build_phrases(
        *plain.encoded(pairs),
        settings=PhraseSettings(limit=0, smoothing="none", max_length=longest),
    )
    return ForcedDecoder(table, settings)


def check_covers(forced: Forced, pair: plain.Aligned) -> None:
    """Every source word is used once, and the target is spelled from left to right."""
    sources = [i for step in forced.steps for i in range(*step.source)]
    assert sorted(sources) == list(range(len(pair.source)))
    targets = [j for step in forced.steps for j in range(*step.target)]
    assert targets == list(range(len(pair.target)))


@st.composite
def reordered(draw: st.DrawFn) -> list[plain.Aligned]:
    """Draw pairs that are translated word by word in another order, some of it wrongly linked."""
    pairs = []
    for _ in range(draw(st.integers(2, 5))):
        source = draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=5))
        order = draw(st.permutations(range(len(source))))
        links = {(i, draw(st.sampled_from([j, j, j, 0]))) for j, i in enumerate(order)}
        target = tuple(source[i].upper() for i in order)
        pairs.append(plain.Aligned(tuple(source), target, tuple(sorted(links))))
    return pairs


@given(
    plain.corpora(longest=5) | reordered(),
    st.integers(1, 3),
    st.sampled_from([-1, 0, 2]),
    st.booleans(),
    st.sampled_from([-0.5, -4.0]),
)
def test_the_best_derivation_is_that_of_enumeration(
    pairs: list[plain.Aligned],
    length: int,
    distortion: int,
    leave_one_out: bool,
    price: float,
) -> None:
    settings = Forcing(
        length=length,
        distortion=distortion,
        leave_one_out=leave_one_out,
        word_price=price,
        beam=10_000,
    )
    decoder = decoder_of(pairs, settings, longest=3)
    source, target, links, _, _ = plain.encoded(pairs)
    found = derivations(decoder, source, target, links)
    for number, (pair, forced) in enumerate(zip(pairs, found, strict=True)):
        if not pair.source or not pair.target:
            assert forced is None
            continue
        assert forced is not None
        score, relaxation = naive.best(pairs, number, decoder.table, settings)
        assert forced.exact
        assert (forced.score, forced.relaxation) == (pytest.approx(score, abs=1e-4), relaxation)
        check_covers(forced, pair)


@given(plain.corpora(), st.integers(1, 7))
def test_counts_elsewhere_are_those_without_the_pair(
    pairs: list[plain.Aligned], longest: int
) -> None:
    source, target, links, _, _ = plain.encoded(pairs)
    everywhere = naive.counted(pairs, longest)
    for number, pair in enumerate(pairs):
        elsewhere = naive.counted([p for at, p in enumerate(pairs) if at != number], longest)
        span = slice(links.start[number], links.start[number + 1])
        arrays = source[number], target[number], links.source[span], links.target[span]
        own = OwnCounts(*own_counts(*arrays, longest))
        for i1, i2, j1, j2 in plain.blocks(pair, longest):
            f, e = pair.source[i1 : i2 + 1], pair.target[j1 : j2 + 1]
            keys = (f, e), f, e
            counts = np.array([everywhere[k][key] for k, key in enumerate(keys)], np.float32)
            found = counts_elsewhere(own, counts, i1, i2 + 1, j1, j2 + 1)
            assert found == tuple(elsewhere[k][key] for k, key in enumerate(keys))


def test_a_pair_that_is_left_out_is_explained_by_others() -> None:
    pairs = [
        plain.aligned("a b c ||| x y z ||| 0-0 1-1 2-2"),
        plain.aligned("a ||| x ||| 0-0"),
        plain.aligned("b c ||| y z ||| 0-0 1-1"),
        *[plain.aligned(f"{f} ||| {e} ||| 0-0") for f in "abc" for e in "uvw"],
    ]
    left_out, kept = (
        next(derivations(decoder_of(pairs, settings), *plain.encoded(pairs)[:3]))
        for settings in (
            Forcing(weights=(("phrases", 0.0),)),
            Forcing(weights=(("phrases", 0.0),), leave_one_out=False),
        )
    )
    assert left_out is not None
    assert kept is not None
    assert kept.steps == [SpanStep((0, 3), (0, 3))]
    assert left_out.steps == [SpanStep((0, 1), (0, 1)), SpanStep((1, 3), (1, 3))]


def test_words_that_no_phrase_covers_are_dropped_and_inserted() -> None:
    pairs = [
        plain.aligned("a ||| x ||| 0-0"),
        plain.aligned("a q ||| w x ||| "),
    ]
    decoder = decoder_of(pairs, Forcing(word_price=-3.0))
    forced = list(derivations(decoder, *plain.encoded(pairs)[:3]))[1]
    assert forced is not None
    assert forced.relaxation == "words"
    assert forced.steps == [
        SpanStep((0, 0), (0, 1)),
        SpanStep((0, 1), (1, 2)),
        SpanStep((1, 2), (2, 2)),
    ]
    assert forced.spans.tolist() == [[0, 1, 1, 2]]


def test_a_derivation_may_jump_over_more_words_than_the_window_holds() -> None:
    names = [f"w{k}" for k in range(80)]
    pairs = [plain.aligned(f"{name} ||| {name.upper()} ||| 0-0") for name in names]
    moved = [*names[1:], names[0]]
    links = " ".join(f"{names.index(name)}-{at}" for at, name in enumerate(moved))
    long = f"{' '.join(names)} ||| {' '.join(moved).upper()} ||| {links}"
    pairs.append(plain.aligned(long))
    decoder = decoder_of(pairs, Forcing())
    *_, forced = derivations(decoder, *plain.encoded(pairs)[:3])
    assert forced is not None
    assert forced.relaxation == "words"
    check_covers(forced, pairs[-1])
    assert len(forced.spans) == 79


def test_a_narrow_beam_is_not_taken_for_exact() -> None:
    word = plain.aligned("a ||| x ||| 0-0")
    same = plain.aligned(
        f"{'a ' * 12}||| {'x ' * 12}||| " + " ".join(f"{k}-{k}" for k in range(12))
    )
    pairs = [word, same]
    narrow, wide = (
        list(derivations(decoder_of(pairs, Forcing(beam=beam)), *plain.encoded(pairs)[:3]))[1]
        for beam in (1, 10_000)
    )
    assert narrow is not None
    assert wide is not None
    assert not narrow.exact
    assert wide.exact
    assert narrow.score <= wide.score
    check_covers(narrow, same)


@given(reordered(), st.sampled_from([1, 2, 4]))
def test_what_a_narrow_beam_is_sure_of_is_the_best(pairs: list[plain.Aligned], beam: int) -> None:
    settings = Forcing(beam=beam, length=2, distortion=1)
    decoder = decoder_of(pairs, settings, longest=3)
    for number, forced in enumerate(derivations(decoder, *plain.encoded(pairs)[:3])):
        assert forced is not None
        check_covers(forced, pairs[number])
        score, relaxation = naive.best(pairs, number, decoder.table, settings)
        if forced.exact:
            assert (forced.score, forced.relaxation) == (pytest.approx(score, abs=1e-4), relaxation)
        elif forced.relaxation == relaxation:
            assert forced.score <= score + 1e-4


def test_unknown_words_are_dropped() -> None:
    decoder = decoder_of([plain.aligned("a ||| x ||| 0-0")], Forcing())
    source, target = (np.array(words, np.int32) for words in ([0, -1], [-1, 0]))
    forced = decoder.decode(source, target)
    assert forced.spans.tolist() == [[0, 1, 1, 2]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"beam": 0}, "length and beam are at least 1"),
        ({"distortion": -2}, "distortion at least -1"),
        ({"floor": 0.0}, "floor and word_price are logs"),
        ({"word_price": 1.0}, "floor and word_price are logs"),
    ],
)
def test_settings_are_checked(values: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Forcing(**values)  # type: ignore[arg-type]


def test_an_unknown_weight_is_an_error() -> None:
    with pytest.raises(UsageError, match="unknown: luck"):
        decoder_of([plain.aligned("a ||| x ||| 0-0")], Forcing(weights=(("luck", 1.0),)))

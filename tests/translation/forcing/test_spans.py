"""Translation span alignment: the paper's example, its definitions, and texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.translation.phrases import plain
from treewright.errors import DataError, UsageError
from treewright.translation import PhraseSettings, build_phrases
from treewright.translation.forcing.decoder import ForcedDecoder, Forcing, SpanStep
from treewright.translation.forcing.spans import (
    LinkRefinement,
    Vote,
    derivations,
    refine_alignment,
    refine_links,
    sampled,
)

FALLEN = plain.aligned(
    "jinkou dafudu jianshao le ||| the imports have drastically fallen ||| 0-1 1-3 2-4 3-0"
)
"""The sentence pair of figure 1, whose link of le to the is spurious."""
TEXT = [
    FALLEN,
    plain.aligned("jinkou ||| the imports ||| 0-0 0-1"),
    plain.aligned("jinkou zengzhang ||| the imports grow ||| 0-0 0-1 1-2"),
    plain.aligned("chukou dafudu jianshao ||| exports drastically fallen ||| 0-0 1-1 2-2"),
    plain.aligned("dafudu zengzhang ||| sharply grow ||| 0-0 1-1"),
    plain.aligned("jianshao ||| decrease ||| 0-0"),
    plain.aligned("tamen lai le ||| they have come ||| 0-0 1-2 2-1"),
    plain.aligned("tamen zou le ||| they have gone ||| 0-0 1-2 2-1"),
]
TSA = np.array([[0, 1, 0, 2], [1, 3, 3, 5], [3, 4, 2, 3]], np.int32)
"""Table 3's, counted from 0, ends excluded."""


def test_the_example_is_derived_as_in_table_2() -> None:
    table = build_phrases(*plain.encoded(TEXT), settings=PhraseSettings(limit=0))
    forced = next(derivations(ForcedDecoder(table), *plain.encoded(TEXT)[:3]))
    assert forced is not None
    assert forced.steps == [
        SpanStep((0, 1), (0, 2)),
        SpanStep((3, 4), (2, 3)),
        SpanStep((1, 3), (3, 5)),
    ]


def test_its_spurious_link_goes_and_its_confident_link_comes() -> None:
    by_hand = refine_alignment(FALLEN.links, [Vote(TSA, [(3, 2)])], (4, 5))
    assert by_hand == ((0, 1), (1, 3), (2, 4), (3, 2))
    found = refine_links(*plain.encoded(TEXT))
    assert found.links[0] == ((0, 1), (1, 3), (2, 4), (3, 2))
    assert [*found.links][1:] == [pair.links for pair in TEXT[1:]]
    (report,) = found.reports
    assert (report.pairs, report.deleted, report.added) == (8, 1, 1)
    assert sum(report.reached.values()) == report.exact == 8


@given(st.data())
def test_links_are_inconsistent_as_section_3_defines(data: st.DataObject) -> None:
    cells = [(i, j) for i in range(4) for j in range(5)]
    links = tuple(sorted(data.draw(st.sets(st.sampled_from(cells)))))
    pairs = TSA[data.draw(st.lists(st.booleans(), min_size=3, max_size=3))]
    inside = [(range(i1, i2), range(j1, j2)) for i1, i2, j1, j2 in pairs.tolist()]
    consistent = {
        (i, j) for i, j in links if not any((i in src) != (j in tgt) for src, tgt in inside)
    }
    assert set(refine_alignment(links, [Vote(pairs)], (4, 5))) == consistent
    assert refine_alignment(links, [Vote(pairs)], (4, 5), delete=False) == links


def test_derivations_vote() -> None:
    """Half of them keep a link, three quarters add one."""
    whole = np.array([[0, 4, 0, 5]], np.int32)
    for against in range(9):
        votes = [Vote(TSA, [(3, 2)])] * against + [Vote(whole)] * (8 - against)
        found = set(refine_alignment(FALLEN.links, votes, (4, 5)))
        assert ((3, 0) in found) == (against <= 4)
        assert ((3, 2) in found) == (against >= 6)
        assert found - {(3, 0), (3, 2)} == {(0, 1), (1, 3), (2, 4)}


def test_the_best_derivation_comes_first_and_others_are_drawn_by_seed() -> None:
    source, target, links, *vocabularies = plain.encoded(TEXT)
    table = build_phrases(source, target, links, *vocabularies, settings=PhraseSettings(limit=0))
    decoder = ForcedDecoder(table)

    def drawn(seed: int) -> list[list[list[SpanStep]]]:
        found = sampled(decoder, source, target, links, number=30, seed=seed)
        return [[forced.steps for forced in each] for each in found]

    one = drawn(1)
    assert one == drawn(1) != drawn(2)
    best = [forced.steps for forced in derivations(decoder, source, target, links) if forced]
    assert [each[0] for each in one] == best
    # Nearly all the ways to derive the example that are nearly as good agree with the best on le.
    assert sum(SpanStep((3, 4), (2, 3)) in steps for steps in one[0]) > 20
    assert len({tuple(steps) for steps in one[0]}) > 1


def test_links_that_are_not_confident_do_not_come() -> None:
    # In other pairs, le is have in two places of three, and have is always le: 0.816.
    text = plain.encoded([*TEXT, plain.aligned("le ||| did ||| 0-0")])
    for least, link in ((0.82, ()), (0.81, ((3, 2),)), (0.0, ((3, 2),))):
        found = refine_links(*text, settings=LinkRefinement(confidence=least))
        assert found.links[0] == ((0, 1), (1, 3), (2, 4), *link)


def test_iterations_use_the_links_of_the_last() -> None:
    once = refine_links(*plain.encoded(TEXT)).links
    text = plain.encoded([replace_links(pair, once[k]) for k, pair in enumerate(TEXT)])
    again = refine_links(*text)
    twice = refine_links(*plain.encoded(TEXT), settings=LinkRefinement(iterations=2))
    assert [*twice.links] == [*again.links]
    assert twice.reports[1] == again.reports[0]


def replace_links(pair: plain.Aligned, links: plain.Links_) -> plain.Aligned:
    return pair._replace(links=links)


@given(plain.corpora())
def test_threads_do_not_change_the_result(pairs: list[plain.Aligned]) -> None:
    settings = LinkRefinement(forcing=Forcing(beam=3))
    alone = refine_links(*plain.encoded(pairs), settings=settings)
    together = refine_links(*plain.encoded(pairs), settings=replace(settings, jobs=3))
    assert [*alone.links] == [*together.links]
    assert alone.reports == together.reports
    for pair, links in zip(pairs, alone.links, strict=True):
        assert all(i < len(pair.source) and j < len(pair.target) for i, j in links)


def test_links_of_another_text_are_an_error() -> None:
    source, target, _, *vocabularies = plain.encoded(TEXT[:1])
    wrong = plain.encoded([replace_links(FALLEN, ((0, 9),))])[2]
    with pytest.raises(DataError, match="link 0-9 leads outside"):
        refine_links(source, target, wrong, *vocabularies)


def test_settings_are_checked() -> None:
    with pytest.raises(UsageError, match="derivations, iterations and jobs are at least 1"):
        LinkRefinement(iterations=0)
    with pytest.raises(UsageError, match="found 0, 1, 1"):
        LinkRefinement(derivations=0)
    with pytest.raises(UsageError, match="confidence is between 0 and 1"):
        LinkRefinement(confidence=2)

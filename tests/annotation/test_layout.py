"""Pages and sheets: every item in its place, everything balanced, all by the seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.annotation import HiddenTest, Item, Origin, Passage, Study, make_study
from treewright.errors import DataError, UsageError

from ..profiles import examples
from .toys import TRUE, YES_NO, items, yes_no_study

TESTS = [replace(TRUE, item=replace(TRUE.item, id=f"test {i}")) for i in range(3)]


def spread(numbers: Counter[int] | Counter[str], keys: list[int] | list[str]) -> int:
    counts = [numbers[key] for key in keys]  # type: ignore[index]
    return max(counts) - min(counts)


@st.composite
def studies(draw: st.DrawFn) -> Study:
    systems = [
        tuple(Origin(name) for name in sorted(draw(st.sets(st.sampled_from("ABC"), min_size=1))))
        for _ in range(draw(st.integers(1, 40)))
    ]
    found = [Item(str(i), (Passage("", "x"),), made) for i, made in enumerate(systems)]
    form = replace(
        YES_NO,
        items=draw(st.integers(1, 12)),
        tests=draw(st.integers(0, 3)),
        repeat=draw(st.booleans()),
    )
    judgements = draw(st.integers(1, 4))
    annotators = judgements + draw(st.integers(0, 4))
    seed = draw(st.integers(0, 9))
    return make_study(form, found, TESTS, judgements=judgements, annotators=annotators, seed=seed)


@examples(60)
@given(studies())
def test_every_item_is_on_one_page_and_all_is_balanced(study: Study) -> None:
    pages = [[slot for slot in page.slots if slot.kind == "item"] for page in study.pages]
    assert sorted(slot.index for page in pages for slot in page) == list(range(len(study.items)))
    sizes = [len(page) for page in pages]
    assert max(sizes) <= study.form.items
    assert max(sizes) - min(sizes) <= 1
    for origins in {item.origins for item in study.items}:
        counts = [sum(study.items[s.index].origins == origins for s in page) for page in pages]
        assert max(counts) - min(counts) <= 1
    tests = [[slot.index for slot in page.slots if slot.kind == "test"] for page in study.pages]
    assert all(len(set(page)) == len(page) == study.form.tests for page in tests)
    if study.form.tests:
        used = Counter(index for page in tests for index in page)
        assert spread(used, list(range(len(study.tests)))) <= 1


@examples(60)
@given(studies())
def test_every_page_is_on_as_many_sheets_as_judgements_are_wanted(study: Study) -> None:
    given_out = Counter(each.page for sheet in study.sheets for each in sheet)
    assert all(given_out[page] == study.judgements for page in range(len(study.pages)))
    for sheet in study.sheets:
        assert len({each.page for each in sheet}) == len(sheet)
        for each in sheet:
            assert sorted(each.order) == list(range(len(study.pages[each.page].slots)))
    lengths = [len(sheet) for sheet in study.sheets]
    assert max(lengths) - min(lengths) <= 1


@examples(40)
@given(studies())
def test_a_repeated_item_is_the_first_and_the_last_for_everyone(study: Study) -> None:
    for sheet in study.sheets:
        for each in sheet:
            slots = [study.pages[each.page].slots[i] for i in each.order]
            if study.form.repeat:
                assert (slots[0].kind, slots[-1].kind) == ("item", "repeat")
                assert slots[0].index == slots[-1].index
            assert sum(slot.kind == "repeat" for slot in slots) == study.form.repeat


def test_the_seed_decides_and_tests_lie_anywhere() -> None:
    assert yes_no_study(40, seed=1).pages == yes_no_study(40, seed=1).pages
    assert yes_no_study(40, seed=1).id == yes_no_study(40, seed=1).id
    assert yes_no_study(40, seed=1).pages != yes_no_study(40, seed=2).pages
    study = yes_no_study(400)
    places = {i for page in study.pages for i, s in enumerate(page.slots) if s.kind == "test"}
    assert places == {0, 1, 2, 3, 4}


def test_what_cannot_be_laid_out_is_said() -> None:
    with pytest.raises(UsageError, match="4 judgements of each item need as many annotators"):
        make_study(YES_NO, items(3), [TRUE], judgements=4, annotators=3)
    with pytest.raises(UsageError, match="nothing to judge"):
        make_study(YES_NO, [], [TRUE])
    with pytest.raises(UsageError, match=r"1 hidden tests on a page need as many .* found 0"):
        make_study(YES_NO, items(3), [])


def test_a_study_reads_back_and_a_changed_one_is_refused(tmp_path: Path) -> None:
    study = yes_no_study(9, repeat=True, judgements=2, annotators=3)
    path = tmp_path / "study"
    study.save(path)
    again = Study.load(path)
    assert again == study
    assert again.id == study.id
    assert isinstance(again.tests[0], HiddenTest)
    text = path.read_text()
    for content, message in (
        (text.replace("text 3", "text three"), "was changed after it was made"),
        (text.replace('"version": 1', '"version": 2'), "of version 2, this program reads 1"),
        (text.replace('"slots"', '"slot"'), "a damaged study"),
        (text[: len(text) // 2], "not a study; give the file"),
        ("[]", "not a study"),
    ):
        path.write_text(content)
        with pytest.raises(DataError, match=message):
            Study.load(path)

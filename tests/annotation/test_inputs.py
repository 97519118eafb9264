"""Items, tests and paraphrases from files; sentences that phrases are shown in."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import Counter
from pathlib import Path

import pytest

from treewright.annotation import (
    Context,
    Item,
    Passage,
    find_contexts,
    load_form,
    made_tests,
    put_in_context,
    read_items,
    read_paraphrases,
    read_tests,
    tasks_csv,
)
from treewright.errors import DataError, Problems, UsageError

from .toys import YES_NO, write, yes_no_study


def lines(*objects: object) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def test_equal_items_of_several_systems_are_one(tmp_path: Path) -> None:
    one = write(tmp_path, "one.tsv", "Cooks can cook\tp1\nGuests  can eat\n\nCooks can cook\n")
    two = write(
        tmp_path,
        "two",
        lines({"text": "Guests can eat", "weight": 3}, {"text": "x", "system": "S"}),
    )
    problems = Problems()
    found = read_items([("one", one), ("two", two)], problems)
    assert problems.errors == []
    assert [(i.passages[0].text, [o.system for o in i.origins]) for i in found] == [
        ("Cooks can cook", ["one"]),
        ("Guests can eat", ["one", "two"]),
        ("x", ["S"]),
    ]
    assert found[0].about == {"id": "p1"}
    assert [origin.weight for origin in found[1].origins] == [1, 3]


def test_columns_are_named_by_a_first_line_with_text(tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", "system\ttext\tweight\nS\tCooks cook\t2.5\nT\tGuests eat\n")
    found = read_items([("a", path)], Problems())
    assert [(i.passages[0].text, i.origins[0].system) for i in found] == [
        ("Cooks cook", "S"),
        ("Guests eat", "T"),
    ]
    assert found[0].origins[0].weight == 2.5


def test_items_may_have_several_texts(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "a.jsonl",
        lines(
            {"texts": {"Before": "a b", "After": "b"}}, {"source": "c d", "text": "d", "met": True}
        ),
    )
    found = read_items([("a", path)], Problems())
    assert found[0].passages == (Passage("Before", "a b"), Passage("After", "b"))
    assert found[1].passages == (Passage("Original", "c d"), Passage("Shorter version", "d"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}", "no text; expected"),
        ('{"text": 7}', "'text' must be a string"),
        ('{"text": " "}', "'text' is empty"),
        ('{"text": "x\\u0000"}', "not text"),
        ('{"texts": []}', "'texts' must be an object"),
        ('{"text": "x", "weight": 0}', "'weight' must be above 0, found 0"),
        ('{"text": "x", "weight": "many"}', "found 'many'"),
        ('{"text": "x", "system": 1}', "'system' must be a string"),
        ('{"text": ', "not JSON"),
        (json.dumps({"text": "x" * 20_001}), "20001 characters, the limit is 20000"),
    ],
)
def test_a_bad_item_costs_only_itself(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, "a.jsonl", f'{{"text": "one"}}\n{line}\n{{"text": "two"}}\n')
    problems = Problems()
    found = read_items([("a", path)], problems)
    assert [item.passages[0].text for item in found] == ["one", "two"]
    [error] = problems.errors
    assert error.where.startswith(f"{path}:2")
    assert message in error.message


def test_tests_have_answers(tmp_path: Path) -> None:
    form = load_form("compressions")
    path = write(
        tmp_path,
        "t.jsonl",
        lines(
            {"text": "a", "answer": 5},
            {"text": "b", "answer": {"grammar": ["1", "2"], "importance": 1}},
            {"text": "c", "answer": {"style": 1}},
            {"text": "d", "answer": "6"},
            {"text": "e"},
            {"text": "f", "answer": {}},
        ),
    )
    problems = Problems()
    found = read_tests(path, form, problems)
    assert [test.answers for test in found] == [
        {"grammar": ("5",)},
        {"grammar": ("1", "2"), "importance": ("1",)},
    ]
    told = [str(error) for error in problems.errors]
    assert "no question 'style'; there are: grammar, importance" in told[0]
    assert "'6' is no answer to 'grammar'; choose one of: 1, 2, 3, 4, 5" in told[1]
    assert "a test without 'answer', and the form knows none" in told[2]
    assert "'answer' is empty" in told[3]
    truisms = write(tmp_path, "t.tsv", "Two is a number\n")
    assert read_tests(truisms, YES_NO, Problems())[0].answers == {"so": ("yes",)}
    with pytest.raises(DataError, match="no hidden tests in it"):
        read_tests(write(tmp_path, "none", "\n"), YES_NO, Problems())


PD = lines(
    {
        "phrase": "was announced",
        "paraphrases": [{"text": "was declared", "score": 1}, {"text": "was said", "score": 0.5}],
    },
    {"phrase": "fell", "paraphrases": []},
)
BR = lines({"phrase": "was announced", "paraphrases": [{"text": "was said"}]})


def paraphrases(folder: Path, k: int = 10) -> list[Item]:
    sources = [(name, write(folder, name, text)) for name, text in (("PD", PD), ("BR", BR))]
    return read_paraphrases(sources, Problems(strict=True), k=k)


def test_paraphrases_are_pooled_with_their_ranks(tmp_path: Path) -> None:
    found = paraphrases(tmp_path)
    assert [item.about["paraphrase"] for item in found] == ["was declared", "was said"]
    assert [(o.system, o.rank) for o in found[1].origins] == [("PD", 2), ("BR", 1)]
    assert len(paraphrases(tmp_path, k=1)) == 2
    assert [o.system for o in paraphrases(tmp_path, k=1)[1].origins] == ["BR"]


def test_bad_lines_of_paraphrases_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, "bad", '{"phrase": "a"}\n{"phrase": "a", "paraphrases": [{}]}\nx\n' + BR)
    problems = Problems()
    assert len(read_paraphrases([("bad", path)], problems)) == 1
    assert [error.where.split(":")[-1] for error in problems.errors[:2]] == ["1", "2"]
    assert len(problems.errors) == 3


def test_phrases_are_shown_in_sentences(tmp_path: Path) -> None:
    text = tmp_path / "text.gz"
    text.write_bytes(gzip.compress(b"It Was announced , they said .\nNothing .\n"))
    contexts = find_contexts(["was announced", "fell"], [str(text)])
    assert contexts == {
        "was announced": Context(("It", "Was", "announced", ",", "they", "said", "."), 1, 3)
    }
    placed = put_in_context(paraphrases(tmp_path), contexts)
    assert placed[0].passages == (
        Passage("First text", "It Was announced, they said.", (3, 16)),
        Passage("Second text", "It was declared, they said.", (3, 15)),
    )
    assert put_in_context(paraphrases(tmp_path), {}) == paraphrases(tmp_path)


@pytest.mark.parametrize(
    ("sentence", "phrase", "new", "first", "second"),
    [
        ("To err is human .", "to err", "to fail", "To err", "To fail"),
        ("She 's leaving .", "'s leaving", "is gone", "'s leaving", "is gone"),
        ("He ca n't go", "ca n't", "may not", "can't", "may not"),
        ("They gave up", "gave up", "quit", "gave up", "quit"),
        ("up and up they go", "up they", "so they", "up they", "so they"),
    ],
)
def test_what_is_marked_is_the_phrase(
    tmp_path: Path, sentence: str, phrase: str, new: str, first: str, second: str
) -> None:
    contexts = find_contexts([phrase], [write(tmp_path, "text", sentence + "\n")])
    item = Item("1", (), (), {"phrase": phrase, "paraphrase": new})
    [placed] = put_in_context([item], contexts)
    for passage, wanted in zip(placed.passages, (first, second), strict=True):
        assert passage.marked is not None
        assert passage.text[slice(*passage.marked)] == wanted


def test_each_sentence_is_drawn_as_often_as_any_other(tmp_path: Path) -> None:
    text = write(tmp_path, "text", "".join(f"number {i} fell down\n" for i in range(4)))
    drawn = Counter(
        find_contexts(["fell"], [text], seed=seed)["fell"].words[1] for seed in range(400)
    )
    assert sorted(drawn) == ["0", "1", "2", "3"]
    # Binomial with mean 100 and deviation 8.7: five deviations.
    assert all(abs(number - 100) < 44 for number in drawn.values())


def test_made_tests_are_certain() -> None:
    form = load_form("paraphrases")
    contexts = {
        "fell": Context(("Prices", "fell", "."), 1, 2),
        "rose": Context(("Demand", "rose", "."), 1, 2),
    }
    tests = made_tests(contexts, form, 6)
    for i, test in enumerate(tests):
        first, second = test.item.passages
        assert (first.text == second.text) == (i % 2 == 0)
        assert test.answers == {"meaning": ("2",) if i % 2 == 0 else ("0",)}
        assert first.marked is not None
        assert second.marked is not None
    with pytest.raises(UsageError, match="fewer than two are known; give tests of your own"):
        made_tests({}, form, 2)


def test_the_table_for_platforms_has_a_row_for_each_page() -> None:
    study = yes_no_study(7)
    rows = list(csv.DictReader(io.StringIO(tasks_csv(study))))
    assert [row["page"] for row in rows] == ["1", "2"]
    for page, row in zip(study.pages, rows, strict=True):
        assert row["study"] == study.id
        for i, slot in enumerate(page.slots, start=1):
            assert row[f"item{i}"] == slot.id
            assert row[f"item{i}_text1"] == study.shown(slot).passages[0].text
    # Seven items on two pages of at most four, each with a test: one page has a place left.
    assert sorted(len(page.slots) for page in study.pages) == [4, 5]
    assert [row["item5"] != "" for row in rows] == [len(page.slots) == 5 for page in study.pages]

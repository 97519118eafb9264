"""`treewright phrases`: tables made, shown and converted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .runner import fail, run, succeed

SOURCE = "Das Haus ist klein\ndas Buch ist alt\nalt ist das Haus\n"
TARGET = "The house is small\nthe book is old\nthe house is old\n"
LINKS = "0-0 1-1 2-2 3-3\n0-0 1-1 2-2 3-3\n0-3 1-2 2-0 3-1\n"


@pytest.fixture(autouse=True)
def text(inside: None) -> None:
    """Write a small aligned text."""
    Path("s").write_text(SOURCE)
    Path("t").write_text(TARGET)
    Path("links").write_text(LINKS)


def test_a_table_is_made_and_shown() -> None:
    extract = ["phrases", "extract", "s", "t", "links", "--lower", "--smoothing", "none"]
    made = succeed(*extract, "--model", "table")
    assert made.err == "table: 21 phrase pairs\n"
    shown = succeed("phrases", "show", "table", "das haus").lines
    assert shown[0].split()[0] == "translation"
    assert shown[1].split() == [
        *("the", "house", "1.0000", "1.0000", "1.0000", "1.0000"),
        *("0.56/0.01/0.44", "0.56/0.42/0.02", "0-0", "1-1", "2", "2", "2"),
    ]
    found = json.loads(succeed("phrases", "show", "table", "alt ist", "--json").out)
    assert [option["target"] for option in found["options"]] == ["is old"]
    assert found["options"][0]["links"] == "0-1 1-0"
    assert found["options"][0]["counts"] == {"pair": 1, "source": 1, "target": 2}
    assert found["options"][0]["features"]["p(f|e)"] == pytest.approx(0.5)


def test_what_a_table_lacks_is_said() -> None:
    succeed("phrases", "extract", "s", "t", "links", "--lower", "--model", "table")
    message = fail(1, "phrases", "show", "table", "das auto")
    assert message == "table: no translations of 'das auto'; unknown: auto"
    message = fail(1, "phrases", "show", "table", "haus buch")
    assert message == "table: no translations of 'haus buch'; it has: 'haus', 'buch'"


def test_a_table_goes_to_moses_and_back() -> None:
    extract = ["phrases", "extract", "s", "t", "links", "--model", "table"]
    succeed(*extract, "--moses", "one.gz", "--reordering", "one.orient")
    succeed("phrases", "write", "table", "two.gz", "--reordering", "two.orient")
    assert Path("one.gz").read_bytes() == Path("two.gz").read_bytes()
    succeed("phrases", "read", "one.gz", "--reordering", "one.orient", "--model", "again")
    shown = [succeed("phrases", "show", table, "Haus ist").out for table in ("table", "again")]
    assert shown[0] == shown[1]


def test_settings_reach_the_table() -> None:
    extract = ["phrases", "extract", "s", "t", "links", "--model", "table"]
    options = ["--max-length", "1", "--smoothing", "absolute", "--orientation", "phrase"]
    options += ["--min-count", "1", "--significance", "0", "--limit", "1", "--memory", "5"]
    assert "table: 7 phrase pairs" in succeed(*extract, *options).err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"links": "0-0\n0-9\n0-0\n"}, "links:2: link 0-9 leads to target word 9"),
        ({"links": "0-0\n"}, "links: it ends after 1 lines, the text after 3"),
        ({"t": "The house\n"}, "t: it ends after 1 lines, but s goes on"),
        ({"s": "", "t": ""}, "s: no sentence pairs in it"),
    ],
)
def test_files_that_do_not_belong_together(change: dict[str, str], message: str) -> None:
    for name, content in change.items():
        Path(name).write_text(content)
    found = fail(1, "phrases", "extract", "s", "t", "links", "--model", "table")
    assert found.startswith(message)
    assert not Path("table").exists()


def test_requests_that_cannot_be_met() -> None:
    extract = ["phrases", "extract", "s", "t", "links", "--model"]
    assert "another output" in fail(2, *extract, "s")
    assert "1 to 7 words, not 9" in fail(2, *extract, "table", "--max-length", "9")
    assert "cannot write it" in fail(1, *extract, "nowhere/table")
    assert "--moses" in fail(2, *extract, "table", "--reordering", "file")
    assert run("phrases", "show", "s", "das").status == 1


def test_a_bad_pair_is_skipped_and_counted() -> None:
    Path("t").write_text(TARGET.replace("the book is old", ""))
    Path("links").write_text(LINKS.replace("0-0 1-1 2-2 3-3\n", "\n", 2).replace("\n", "0-0\n", 1))
    made = succeed("phrases", "extract", "s", "t", "links", "--model", "table")
    assert "skipped: t:2: an empty line" in made.err
    assert made.err.endswith("1 pair skipped (--strict stops at the first)\n")

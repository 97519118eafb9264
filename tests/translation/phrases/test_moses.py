"""Files of Moses: written, read back, and what is wrong with others."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.translation.phrases import plain
from tests.translation.phrases.test_building import HOUSE, build
from treewright.errors import DataError
from treewright.translation import PhraseTable

LINE = "das haus ||| the house ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 4 2 2"
ORIENTED = "das haus ||| the house ||| 0.5 0.25 0.25 0.2 0.2 0.6"


def check_same(one: PhraseTable, other: PhraseTable) -> None:
    left = {(option.source, option.target): option for option in one}
    right = {(option.source, option.target): option for option in other}
    assert left.keys() == right.keys()
    for pair, option in left.items():
        assert option.links == right[pair].links
        assert option.counts == right[pair].counts
        assert option.features == pytest.approx(right[pair].features, abs=1e-5)
        assert option.reordering == pytest.approx(right[pair].reordering, abs=1e-5)


@given(plain.corpora())
@settings(max_examples=20)
def test_a_table_survives_its_files(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[plain.Aligned]
) -> None:
    folder = tmp_path_factory.mktemp("moses")
    table = build(pairs)
    table.write_moses(folder / "table.gz", folder / "reordering")
    again = PhraseTable.read_moses(folder / "table.gz", folder / "reordering")
    check_same(table, again)
    check_same(table, PhraseTable.from_parts(again.parts()))


def test_the_files_look_like_those_of_moses(tmp_path: Path) -> None:
    table = build([plain.aligned("das haus ||| the house ||| 0-0 1-1")] * 2, smoothing="none")
    table.write_moses(tmp_path / "table.gz", tmp_path / "reordering")
    lines = gzip.decompress((tmp_path / "table.gz").read_bytes()).decode().splitlines()
    assert "das haus ||| the house ||| 1 1 1 1 ||| 0-0 1-1 ||| 2 2 2" in lines
    oriented = (tmp_path / "reordering").read_text().splitlines()
    assert len(oriented) == len(lines) == 3
    assert len(oriented[0].split(" ||| ")[2].split()) == 6


def test_older_tables_are_read(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text("ja ||| yes ||| 0.5 0.5 0.5 0.5 2.718\nja ||| oh yes ||| 0.1 1e-99 0.7 0.1\n")
    options = PhraseTable.read_moses(path).options("ja")
    assert [option.target for option in options] == [("oh", "yes"), ("yes",)]
    assert options[0].features["lex(f|e)"] == pytest.approx(math.log(1e-99))
    assert options[0].links == ()
    assert options[0].counts == (0, 0, 0)
    assert len({*options[0].reordering}) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("das haus ||| the house", "found 2 fields"),
        ("das ||| the ||| 0.5 0.5", "found 2 scores, expected 4"),
        ("das ||| the ||| 0.5 0.5 x 0.5", "scores are numbers"),
        ("das ||| the ||| 0.5 0.5 0 0.5", "more than 0 and at most 1"),
        ("das ||| the ||| 0.5 0.5 nan 0.5", "more than 0 and at most 1"),
        ("das ||| ||| 0.5 0.5 0.5 0.5", "a phrase of 0 words"),
        ("1 2 3 4 5 6 7 8 ||| the ||| 0.5 0.5 0.5 0.5", "a phrase of 8 words"),
        ("das ||| the ||| 0.5 0.5 0.5 0.5 ||| 0-1", "link 0-1 leads to target word 1"),
        ("das ||| the ||| 0.5 0.5 0.5 0.5 ||| 0:1", "is not a link"),
        ("das ||| the ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| a", "counts are numbers"),
        ("das ||| the ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| -1", "from 0 on"),
        (LINE, "a second time"),
    ],
)
def test_a_bad_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text(f"{LINE}\n{line}\n")
    with pytest.raises(DataError, match=f"table:2: .*{message}"):
        PhraseTable.read_moses(path)


def test_files_that_do_not_match(tmp_path: Path) -> None:
    (tmp_path / "table").write_text(f"{LINE}\n")
    (tmp_path / "reordering").write_text("das ||| the ||| 0.5 0.25 0.25 0.2 0.2 0.6\n")
    with pytest.raises(DataError, match=r"reordering:1: another pair than in .*table:1"):
        PhraseTable.read_moses(tmp_path / "table", tmp_path / "reordering")
    (tmp_path / "reordering").write_text("")
    with pytest.raises(DataError, match="reordering: it ends before the other file"):
        PhraseTable.read_moses(tmp_path / "table", tmp_path / "reordering")
    (tmp_path / "reordering").write_text(f"{ORIENTED}\n")
    assert len(PhraseTable.read_moses(tmp_path / "table", tmp_path / "reordering")) == 1
    (tmp_path / "broken.gz").write_bytes(gzip.compress(LINE.encode())[:-9])
    with pytest.raises(DataError, match=r"broken.gz: not a whole gzip file"):
        PhraseTable.read_moses(tmp_path / "broken.gz")
    with pytest.raises(DataError, match=r"missing.gz: cannot read it"):
        PhraseTable.read_moses(tmp_path / "missing.gz")


def test_a_word_of_bars_cannot_be_written(tmp_path: Path) -> None:
    pairs = [plain.Aligned(("|||",), ("x",), ((0, 0),)), *HOUSE]
    with pytest.raises(DataError, match="cannot be written"):
        build(pairs).write_moses(tmp_path / "table")

"""Reading pairs of plain text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.corpora.texts import TextPair, scan_texts
from treewright.errors import DataError


def scan(tmp_path: Path, text: str | bytes, name: str = "f.txt") -> list[TextPair | DataError]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(scan_texts(path))


def test_objects(tmp_path: Path) -> None:
    lines = [
        {"id": "x", "source": "A b.", "target": "B."},
        {"source": "A b.", "targets": ["B.", "A."], "more": 1},
        {"id": None, "source": "A b.", "target": "B."},
        {"id": 70, "source": "A b.", "target": "B."},
    ]
    first, second, *rest = scan(tmp_path, "\n".join(map(json.dumps, lines)))
    assert first == TextPair("x", "A b.", ("B.",), f"{tmp_path}/f.txt:1")
    assert second == TextPair("2", "A b.", ("B.", "A."), f"{tmp_path}/f.txt:2")
    assert [pair.id for pair in rest if isinstance(pair, TextPair)] == ["3", "70"]


def test_columns(tmp_path: Path) -> None:
    found = scan(tmp_path, "\ufeffA b.\tB.\r\n\n{c} d.\tD.\n")
    assert found == [
        TextPair("1", "A b.", ("B.",), f"{tmp_path}/f.txt:1"),
        TextPair("3", "{c} d.", ("D.",), f"{tmp_path}/f.txt:3"),
    ]
    assert scan(tmp_path, "") == []


def test_the_name_decides_before_the_first_line_does(tmp_path: Path) -> None:
    [found] = scan(tmp_path, "{c} d.\tD.\n", "f.tsv")
    assert isinstance(found, TextPair)
    [found] = scan(tmp_path, "{c} d.\tD.\n")
    assert isinstance(found, DataError)
    [found] = scan(tmp_path, "c d.\tD.\n", "f.jsonl")
    assert isinstance(found, DataError)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("one", "f.tsv:1: found 1 columns; expected a source, a tab and a target"),
        ("a\tb\tc", "f.tsv:1: found 3 columns"),
        ("a\x00\tb", "f.tsv:1:2: a NUL byte"),
    ],
)
def test_bad_columns(line: str, message: str, tmp_path: Path) -> None:
    error, good = scan(tmp_path, f"{line}\na\tb\n", "f.tsv")
    assert str(error).startswith(f"{tmp_path}/{message}")
    assert isinstance(good, TextPair)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", ":2: not JSON: "),
        ("[]", " found a JSON list; expected"),
        ('{"source": "a"}', ' expected {"source": '),
        ('{"source": "a", "target": "b", "targets": ["b"]}', " expected {"),
        ('{"target": "b"}', " 'source' must be text, found None"),
        ('{"source": 7, "target": "b"}', " 'source' must be text, found 7"),
        ('{"source": "a", "target": " "}', " a target must be text, found ' '"),
        ('{"source": "a", "targets": "b"}', " 'targets' must be a list"),
        ('{"source": "a", "targets": []}', " 'targets' must be a list"),
        ('{"source": "a", "targets": ["b", 1]}', " a target must be text"),
        ('{"id": 3.5, "source": "a", "target": "b"}', " 'id' must be text, found 3.5"),
        ('{"source": "a\\ud800", "target": "b"}', " 'source' holds U+D800"),
        ('{"id": "good", "source": "a", "target": "b"}', " id 'good' was used on line 1"),
    ],
)
def test_bad_objects(line: str, message: str, tmp_path: Path) -> None:
    good = '{"id": "good", "source": "a", "target": "b"}'
    first, error = scan(tmp_path, f"{good}\n{line}\n", "f.jsonl")
    assert isinstance(first, TextPair)
    assert isinstance(error, DataError)
    assert str(error).startswith(f"{tmp_path}/f.jsonl:2:")
    assert message in str(error)


def test_what_is_not_utf8(tmp_path: Path) -> None:
    error, good = scan(tmp_path, b"a\xff\tb\na\tb\n", "f.tsv")
    assert "byte 0xff is not UTF-8" in str(error)
    assert isinstance(good, TextPair)
    with pytest.raises(DataError, match="No such file"):
        list(scan_texts(tmp_path / "none"))

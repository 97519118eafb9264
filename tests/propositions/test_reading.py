from __future__ import annotations

import gzip
import json

import pytest

from treewright.errors import DataError, Problems
from treewright.propositions import read_passages, read_role_items, read_tuple_items


def read(path, **settings) -> tuple[list[tuple[str, tuple[str, ...]]], list[str]]:
    problems = Problems()
    found = [(one.id, one.words) for one in read_passages(path, problems, **settings)]
    return found, [str(error) for error in problems.errors]


def test_rows_and_documents(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    rows = [{"id": "a", "text": "He ran ."}, {"id": "d", "sentences": ["She ran .", "They ran ."]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found, errors = read(path)
    assert [name for name, _ in found] == ["a", "d-1", "d-2"]
    assert found[1][1] == ("She", "ran", ".")
    assert errors == []
    packed = tmp_path / "t.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read(packed) == (found, [])


def test_plain_text_is_split(tmp_path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("He ran. She won 3-2.\n\nThey left early\n")
    found, _ = read(path)
    assert [words[0] for _, words in found] == ["He", "She", "They"]
    passages = list(read_passages(path, Problems()))
    for passage in passages:
        for word, (start, end) in zip(passage.words, passage.spans, strict=True):
            assert passage.text[start:end] == word


def test_bad_rows_lose_nothing_else(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"id": 1, "text": "He ran ."}\nnot JSON\n[]\n{"id": 2}\n\n{"text": "It is ."}\n'
    )
    found, errors = read(path)
    assert [name for name, _ in found] == ["1", "6"]
    assert [error.split(":")[1] for error in errors] == ["2", "3", "4"]


def test_other_languages_and_endless_sentences_are_reported(tmp_path) -> None:
    path = tmp_path / "t.jsonl"
    german = "Der Mann hat gestern mit seiner Frau den Hund in den Garten gebracht ."
    rows = [german, "word " * 500, "", "The man took the dog ."]
    path.write_text(
        "".join(json.dumps({"id": str(i), "text": t}) + "\n" for i, t in enumerate(rows))
    )
    found, errors = read(path)
    assert [(name, len(words)) for name, words in found] == [("2", 0), ("3", 6)]
    assert "another language" in errors[0]
    assert "500 tokens" in errors[1]


def test_empty_files_and_missing_ones(tmp_path) -> None:
    (tmp_path / "t.txt").write_text("")
    assert read(tmp_path / "t.txt") == ([], [])
    with pytest.raises(DataError):
        read(tmp_path / "none.txt")
    (tmp_path / "t.gz").write_text("not packed")
    with pytest.raises(DataError):
        read(tmp_path / "t.gz")


def test_items(tmp_path) -> None:
    path = tmp_path / "i.jsonl"
    path.write_text(
        '{"id": "a", "text": "Young left .", "name": [1, 1]}\n{"id": "b", "name": [9, 9]}\n'
    )
    problems = Problems()
    (item,) = read_role_items(path, problems)
    assert (item.first, item.last) == (0, 0)
    assert len(problems.errors) == 1
    path.write_text(
        '{"id": "a", "a": ["x", "y", "z"], "a_names": [true, false, false], '
        '"b": ["z", "y", "x"], "b_names": [false, false, true]}\n{"id": "b", "a": ["x"]}\n'
    )
    (pair,) = read_tuple_items(path, problems)
    assert pair.a_names == (True, False, False)
    assert len(problems.errors) == 2

"""Where `compress` gets its texts from, and what it says about those that are none."""

from __future__ import annotations

import io
import json
import os
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.cli.inputs import LiveText, Texts, document, given_text, lines, open_live
from treewright.compression import MAX_TEXT, Input, items
from treewright.compression.streaming import Awaited
from treewright.corpora import limits
from treewright.errors import DataError, UsageError


def source(text: str | None = None, file: str | None = None, **flags: bool) -> Texts:
    return Texts.of(text, file, **{"by_line": False, "tokenized": False, "jsonl": False, **flags})


def write(content: bytes | str, name: str = "t.txt") -> str:
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def texts(found: list[Input]) -> list[object]:
    return [str(item.text) if isinstance(item.text, DataError) else item.text for item in found]


def test_a_text_is_one_input() -> None:
    found = source("Prices fell.\nThey rose.", by_line=True)
    assert found.is_one
    assert list(found.read()) == [Input("Prices fell.\nThey rose.", "Prices fell.\nThey rose.", "")]
    assert texts(list(source(" a  dog ", tokenized=True).read())) == [["a", "dog"]]


@pytest.mark.parametrize("flags", [{"by_line": True}, {"tokenized": True}, {"jsonl": True}])
def test_a_file_is_one_text_unless_lines_are_asked_for(flags: dict[str, bool]) -> None:
    path = write('"a dog"\n"b"\n')
    assert texts(list(source(None, path).read())) == ['"a dog"\n"b"\n']
    assert source(None, path).is_one
    found = source(None, path, **flags)
    assert (found.is_one, found.by_line) == (False, True)
    assert len(list(found.read())) == 2


def test_a_file_whose_name_says_so_is_json_lines() -> None:
    path = write('"a dog"\n{"text": "b"}\n', "t.jsonl")
    assert texts(list(source(None, path).read())) == ["a dog", "b"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for asked in (source(), source("-"), source(None, "-")):
        stream = io.TextIOWrapper(io.BytesIO("čaj\n".encode()), encoding="latin-1")
        monkeypatch.setattr(sys, "stdin", stream)
        assert texts(list(asked.read())) == ["čaj\n"]


def test_a_terminal_has_nothing_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    with pytest.raises(UsageError, match="nothing to shorten; give a TEXT, --file FILE, or pipe"):
        source()
    assert source("-").path == "-"


def test_contradictions() -> None:
    with pytest.raises(UsageError, match="a TEXT and --file contradict each other"):
        source("a", "t.txt")
    with pytest.raises(UsageError, match="--jsonl is for files and stdin"):
        source("a", jsonl=True)


def test_a_document_keeps_every_character() -> None:
    text = "\ufeffPrices fell.\r\n\r\nThey rose.\u2028\r\n"
    assert document(write(text)) == Input(text, text, "t.txt")


def test_lines_end_at_line_feeds_alone() -> None:
    path = write("\ufeffa\r\n\n b\rc \u2028d\x0c\n\nend")
    assert texts(list(lines(path))) == ["a", "", " b\rc \u2028d\x0c", "", "end"]
    assert [item.where for item in lines(path)][-1] == "t.txt:5"
    assert texts(list(lines(path, tokenized=True))) == [["a"], [], ["b", "c", "d"], [], ["end"]]
    assert list(lines(write(""))) == []


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    ("bad", "message"),
    [(b"B\xe4r", "t.txt:2:2: byte 0xe4 is not UTF-8"), (b"a\x00", "t.txt:2:2: a NUL byte")],
)
def test_what_is_no_text(mark: bytes, bad: bytes, message: str) -> None:
    path = write(mark + b"good\n" + bad + b"\nalso good\n")
    found = list(lines(path))
    assert found[1].raw.encode("utf-8", "surrogateescape") == bad
    assert message in str(found[1].text)
    assert [found[0].text, found[2].text] == ["good", "also good"]
    with pytest.raises(DataError, match=message):
        document(path)
    with pytest.raises(DataError, match="TEXT:1:2: "):
        given_text(bad.decode("utf-8", "surrogateescape"))
    Path(path).write_bytes(mark + bad)
    with pytest.raises(DataError, match=message.replace(":2:", ":1:", 1)):
        document(path)


def test_texts_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "x" * (MAX_TEXT + 1)
    message = f"a text of more than {MAX_TEXT} characters; cut it into"
    with pytest.raises(DataError, match=f"^TEXT: {message}"):
        given_text(long)
    with pytest.raises(DataError, match=f"^t.txt: {message} parts, or shorten it line by line"):
        document(write(long))
    found = list(lines(write(f"a\n{long}\nb")))
    assert [found[0].text, found[1].raw, found[2].text] == ["a", long, "b"]
    assert str(found[1].text).startswith(f"t.txt:2: {message}")
    found = list(lines(write(json.dumps({"id": 5, "tokens": [long]})), jsonl=True))
    assert str(found[0].text).startswith(f"t.txt:1: {message}")
    assert found[0].passed == {"id": 5}


def test_a_line_without_end_costs_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_LINE", 1000)
    monkeypatch.setattr(items, "MAX_TEXT", 500)
    path = write("a\n" + "x" * 2_000_000 + "\n" + "y" * 900 + "\nb\n")
    tracemalloc.start()
    found = list(lines(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 500_000
    assert [item.raw for item in found] == ["a", "", "y" * 900, "b"]
    assert "t.txt:2: a line of more than 1000 characters" in str(found[1].text)


def test_json_lines() -> None:
    path = write(
        '{"text": "a dog", "id": 7, "more": [1]}\n"b c"\n\n{"tokens": ["d", "e"], "id": null}\n'
        '{"text": "f g", "tokens": ["h"]}\n{"text": null, "tokens": []}\n{"text": "i\\nj"}\n'
    )
    found = list(lines(path, jsonl=True))
    assert texts(found) == ["a dog", "b c", "", ["d", "e"], "f g", [], "i\nj"]
    assert [item.passed for item in found[:4]] == [{"id": 7}, {}, {}, {"id": None}]
    assert [item.raw for item in found] == ["a dog", "b c", "", "d e", "f g", "", "i\nj"]
    found = list(lines(path, jsonl=True, tokenized=True))
    assert texts(found)[:5] == [["a", "dog"], ["b", "c"], [], ["d", "e"], ["h"]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{nonsense}", ":2: not JSON: Expecting property name"),
        ("[" * 100_000, "JSON beyond all limits"),
        ("9" * 10_000, "JSON beyond all limits"),
        ("[1]", "found a list; expected"),
        ("3", "found a number; expected"),
        ("true", "found a boolean; expected"),
        ("{}", "neither a 'text' nor 'tokens'; expected"),
        ('{"text": 3}', "'text' must be a string, found a number"),
        ('{"text": {}}', "'text' must be a string, found an object"),
        ('{"tokens": "a b"}', "'tokens' must be a list, found a string"),
        ('{"tokens": ["a", null]}', "token 2 must be a string, found null"),
        ('{"tokens": ["a", "b c"]}', "token 2 is 'b c'; a token is not empty and holds no white"),
        ('{"tokens": [""]}', "token 1 is ''; a token is not empty"),
        ('{"text": "a\\u0000b"}', "'text' holds U+0000, which is not text"),
        ('"a\\ud800b"', "'text' holds U+D800, which is not text"),
    ],
)
def test_json_that_is_no_text(line: str, message: str) -> None:
    found = list(lines(write(f'"a"\n{line}\n"b"\n'), jsonl=True))
    assert [found[0].text, found[1].raw, found[2].text] == ["a", line, "b"]
    assert str(found[1].text).startswith("t.txt:2:")
    assert message in str(found[1].text)


def test_a_missing_file() -> None:
    for asked in (source(None, "none"), source(None, "none", by_line=True)):
        with pytest.raises(DataError, match="none: cannot read it: No such file"):
            list(asked.read())


# Text that is still being written.


def test_a_pipe_says_where_a_line_is_still_to_come(tmp_path: Path) -> None:
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    # Both ends here, so that opening it waits for nobody.
    end = os.open(path, os.O_RDWR)
    found = lines(path)
    assert isinstance(next(found), Awaited)
    os.write(end, "\ufeffa dog\r\nb".encode())
    assert next(found) == Input("a dog", "a dog", f"{path}:1")
    for piece in ("", "c", "é".encode()[:1]):
        os.write(end, piece if isinstance(piece, bytes) else piece.encode())
        assert isinstance(next(found), Awaited)
    os.write(end, "é".encode()[1:] + b"\n\xff\nlast")
    assert texts([next(found)]) == ["bcé"]
    [wrong] = texts([next(found)])
    assert str(wrong).startswith(f"{path}:3:1: byte 0xff is not UTF-8")
    os.close(end)
    assert texts(list(found)) == ["last"]


@given(st.text("ab\né\r\ufeff"), st.lists(st.integers(1, 5)), st.integers(1, 4))
def test_live_text_is_read_like_a_file(text: str, cuts: list[int], size: int) -> None:
    reading, writing = os.pipe()
    try:
        live = LiveText(reading)
        data = text.encode()
        for cut in cuts:
            os.write(writing, data[:cut])
            data = data[cut:]
            live.is_awaited(size)
        os.write(writing, data)
        os.close(writing)
        assert not live.is_awaited(size)
        expected = io.StringIO(text, newline="\n")
        while piece := expected.readline(size):
            assert live.readline(size) == piece
        assert live.readline(size) == ""
    finally:
        os.close(reading)


def test_files_are_not_live() -> None:
    path = write("a\n")
    for name in (path, "none"):
        with open_live(name) as live:
            assert live is None

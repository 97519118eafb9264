"""`treewright parse` with a parser that puts every sentence into one flat phrase."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from treewright.cli import sentences as reading
from treewright.errors import DataError
from treewright.parsing import ParserError
from treewright.trees import Tree, parse_tree

from .runner import fail, run, succeed, succeed_in_part

TEXT = "Prices fell. They rose again!\n\nNobody\nknows why.\n"


def flat(words: Sequence[str]) -> Tree:
    return Tree("ROOT", [Tree("X", [Tree(f"T{len(word)}", word=word) for word in words])])


class Flat:
    """A parser without a model; it remembers its batches, and has words it cannot bear."""

    def __init__(self) -> None:
        self.batches: list[list[tuple[str, ...]]] = []

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        self.batches.append([tuple(words) for words in sentences])
        for number, words in enumerate(sentences, start=1):
            if "unbearable" in words:
                raise DataError("cannot bear it", where=f"sentence {number}")
            if "unplugged" in words:
                raise ParserError("no server")
        return [flat(words) for words in sentences]


@pytest.fixture(autouse=True)
def parser(monkeypatch: pytest.MonkeyPatch) -> Flat:
    """Put the flat parser in place of any other; a real name still has to be one."""
    flat_parser = Flat()

    def open_flat(spec: str, *, treebank: str | None = None) -> Any:
        opened.append((spec, treebank))
        return flat_parser

    opened: list[tuple[str, str | None]] = []
    monkeypatch.setattr(flat_parser, "opened", opened, raising=False)
    monkeypatch.setattr("treewright.parsing.open_parser", open_flat)
    return flat_parser


def words_of(lines: list[str]) -> list[tuple[str, ...]]:
    return [parse_tree(line).words() if line else () for line in lines]


def test_tokenised_lines_keep_their_places() -> None:
    found = succeed("parse", "--tokenized", stdin="The -LRB- old -RRB- dog\n\n \t\n1/2 ( x )\n")
    assert found.lines == [
        "(ROOT (X (T3 The) (T5 -LRB-) (T3 old) (T5 -RRB-) (T3 dog)))",
        "",
        "",
        "(ROOT (X (T3 1/2) (T1 -LRB-) (T1 x) (T1 -RRB-)))",
    ]
    assert found.err == ""


def test_running_text_is_split() -> None:
    found = succeed("parse", stdin=TEXT)
    assert words_of(found.lines) == [
        ("Prices", "fell", "."),
        ("They", "rose", "again", "!"),
        ("Nobody", "knows", "why", "."),
    ]
    Path("t.txt").write_text(TEXT, encoding="utf-8")
    assert succeed("parse", "t.txt").out == found.out
    assert succeed("parse", "-", stdin=TEXT.replace("\n", "\r\n")).out == found.out


def test_json_gives_places_in_the_whole_input() -> None:
    text = TEXT * 3
    objects = [json.loads(line) for line in succeed("parse", "--json", stdin=text).lines]
    assert len(objects) == 9
    for found in objects:
        assert text[found["start"] : found["end"]] == found["text"]
        for token in found["tokens"]:
            assert text[token["start"] : token["end"]] == token["text"]
        assert parse_tree(found["tree"]) == flat([token["text"] for token in found["tokens"]])
        assert [token["tag"] for token in found["tokens"]] == [
            node.label for node in parse_tree(found["tree"]).preterminals()
        ]
    assert [found["start"] for found in objects] == sorted(found["start"] for found in objects)
    assert list(objects[0]) == ["text", "start", "end", "tokens", "tree"]
    assert list(objects[0]["tokens"][0]) == ["text", "start", "end", "tag"]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("chunk", [1 << 16, 100, 101])
def test_json_places_are_those_of_the_input_as_it_is(
    mark: str, end: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_CHUNK", chunk)
    text = mark + (":-) " + TEXT * 6).replace("\n", end)
    Path("t.txt").write_bytes(text.encode())
    found = succeed("parse", "--json", "t.txt")
    assert succeed("parse", "--json", stdin=text).out == found.out
    objects = [json.loads(line) for line in found.lines]
    plain = succeed("parse", "--json", stdin=":-) " + TEXT * 6).lines
    assert [item["tree"] for item in objects] == [json.loads(line)["tree"] for line in plain]
    assert objects[1]["start"] == len(mark) + 17
    for item in objects:
        assert text[item["start"] : item["end"]] == item["text"]
        for token in item["tokens"]:
            assert text[token["start"] : token["end"]] == token["text"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_the_place_of_an_error_counts_no_mark_and_no_line_end(mark: bytes) -> None:
    for before, line in ((b"", 1), (b"Prices fell.\r\n", 2)):
        stdin = mark + before + b"ein B\xe4r\r\nThey rose.\r\n"
        found = succeed_in_part("parse", stdin=stdin)
        assert f"skipped: -:{line}:6: byte 0xe4 is not UTF-8" in found.err
        assert words_of(found.lines)[-1] == ("They", "rose", ".")


def test_json_of_tokenised_lines_has_no_places() -> None:
    found = succeed("parse", "--tokenized", "--format", "json", stdin="a  dog\n\n")
    assert [json.loads(line) for line in found.lines] == [
        {
            "text": "a dog",
            "tokens": [{"text": "a", "tag": "T1"}, {"text": "dog", "tag": "T3"}],
            "tree": "(ROOT (X (T1 a) (T3 dog)))",
        },
        {"text": "", "tokens": [], "tree": None},
    ]


def test_an_outline_with_a_blank_line_behind_each_tree() -> None:
    found = succeed("parse", "--tokenized", "--format", "tree", stdin="a dog\nb\n")
    assert found.out == "ROOT ─ X\n├── T1 a\n└── T3 dog\n\nROOT ─ X ─ T1 b\n\n"


def test_one_picture_of_all_trees() -> None:
    found = succeed("parse", "--tokenized", "--format", "svg", stdin="a <dog>\n\nb\n")
    root = ElementTree.fromstring(found.out)
    titles = [node.text for node in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["a <dog>", "b"]


def test_a_file_is_written_whole_or_not_at_all() -> None:
    found = succeed("parse", "--tokenized", "-o", "out", stdin="a\nb\n")
    assert found.out == ""
    assert words_of(Path("out").read_text().splitlines()) == [("a",), ("b",)]
    stdin = "a\nunbearable\n"
    assert fail(1, "parse", "--tokenized", "--strict", "-o", "new", stdin=stdin)
    assert [path.name for path in Path().iterdir()] == ["out"]


def test_batches_are_bounded_and_in_order(parser: Flat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BATCH", 3)
    lines = [f"word{number}" for number in range(8)]
    found = succeed("parse", "--tokenized", stdin="\n".join(lines))
    assert words_of(found.lines) == [(line,) for line in lines]
    assert [len(batch) for batch in parser.batches] == [3, 3, 2]
    parser.batches.clear()
    succeed("parse", "--tokenized", stdin=("a " * 900 + "\n") * 10)
    assert [len(batch) for batch in parser.batches] == [3, 3, 3, 1]
    monkeypatch.setattr(reading, "BATCH", 100)
    parser.batches.clear()
    succeed("parse", "--tokenized", stdin=("a " * 900 + "\n") * 10)
    assert [len(batch) for batch in parser.batches] == [5, 5]


@pytest.mark.parametrize("chunk", [1, 2, 7, 20, 64, 65, 200])
def test_text_read_in_pieces_has_the_same_words_and_places(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the same sentences, where a piece holds three of them."""
    text = ("Prices fell hard. " * 5 + "\n" + "Nobody\nknows why. 中国发展。 שלום עולם!\n\n") * 3
    whole = [json.loads(line) for line in succeed("parse", "--json", stdin=text).lines]
    assert len(whole) > 15
    monkeypatch.setattr(reading, "_CHUNK", chunk)
    objects = [json.loads(line) for line in succeed("parse", "--json", stdin=text).lines]
    for found in objects:
        assert text[found["start"] : found["end"]] == found["text"]
    assert tokens_of(objects) == tokens_of(whole)
    if chunk >= 64:
        assert objects == whole


def tokens_of(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [token for item in objects for token in item["tokens"]]


@pytest.mark.parametrize("arguments", [[], ["--tokenized"]])
@pytest.mark.parametrize("content", ["", "\n", " \n\t\n \n"])
def test_nothing_in_it_is_said(arguments: list[str], content: str, parser: Flat) -> None:
    found = succeed("parse", *arguments, stdin=content)
    assert found.out.strip("\n") == ""
    assert found.out.count("\n") == (content.count("\n") if arguments else 0)
    assert found.err == "-: no sentences in it\n"
    assert parser.batches == []


BAD_LINES: dict[str, tuple[bytes, str]] = {
    "another encoding": ("ein Bär".encode("latin-1"), "-:2:6: byte 0xe4 is not UTF-8"),
    "a NUL byte": (b"a\x00b", "-:2:2: a NUL byte; the file is not text"),
    "what the parser cannot bear": (b"an unbearable word", "-:2: cannot bear it"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_never_loses_the_rest(name: str) -> None:
    bad, message = BAD_LINES[name]
    stdin = b"a dog\n" + bad + b"\na cat\n"
    found = succeed_in_part("parse", "--tokenized", stdin=stdin)
    assert words_of(found.lines) == [("a", "dog"), (), ("a", "cat")]
    assert f"skipped: {message}" in found.err
    assert found.err.endswith("1 sentence skipped (--strict stops at the first)\n")
    lines = succeed_in_part("parse", "--tokenized", "--json", stdin=stdin).lines
    objects = [json.loads(line) for line in lines]
    assert message in objects[1]["error"]
    assert objects[1]["tree"] is None
    assert message in fail(1, "parse", "--tokenized", "--strict", stdin=stdin)


@pytest.mark.parametrize("arguments", [["--tokenized"], []])
def test_a_line_of_fifty_thousand_characters_is_one_sentence(arguments: list[str]) -> None:
    found = succeed("parse", *arguments, stdin=b"word " * 10_000)
    assert words_of(found.lines) == [("word",) * 10_000]


def test_running_text_survives_a_line_in_another_encoding() -> None:
    stdin = b"Prices fell.\nein B\xe4r\nThey rose.\n"
    found = succeed_in_part("parse", "--json", stdin=stdin)
    objects = [json.loads(line) for line in found.lines]
    assert [item["text"] for item in objects] == ["Prices fell.", "", "They rose."]
    assert objects[2]["start"] == 21
    assert "skipped: -:2:6: byte 0xe4 is not UTF-8" in found.err


def test_running_text_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_CHUNK", 1 << 12)
    found = succeed("parse", stdin="word " * 10_000 + "\n\nPrices fell.\n")
    assert words_of(found.lines)[-1] == ("Prices", "fell", ".")
    assert {word for words in words_of(found.lines)[:-1] for word in words} == {"word"}
    assert run("parse", stdin="x" * 50_000).status == 0


@pytest.mark.parametrize(
    "word", ["\x07", "\x1b[31m", "a\u200bb", "\u202eabc", "中国", "עברית", "(/)"]
)
def test_strange_words_come_through(word: str) -> None:
    found = succeed("parse", "--tokenized", "--json", stdin=f"a {word} b\n")
    assert [token["text"] for token in json.loads(found.out)["tokens"]] == ["a", word, "b"]
    for form in ("brackets", "tree", "svg"):
        found = succeed("parse", "--tokenized", "--format", form, stdin=f"a {word} b\n")
        assert "\x1b" not in found.out or form == "brackets"


def test_a_byte_order_mark_is_no_word() -> None:
    found = succeed("parse", "--tokenized", stdin=b"\xef\xbb\xbfa dog\n")
    assert words_of(found.lines) == [("a", "dog")]


def test_a_parser_that_cannot_work_stops_the_command() -> None:
    stdin = "a\nunplugged\nb\n"
    assert fail(1, "parse", "--tokenized", stdin=stdin) == "no server"


def test_the_parser_is_chosen_by_name(parser: Any) -> None:
    succeed("parse", "--tokenized", stdin="a\n")
    succeed("parse", "--tokenized", "--parser", "embedded=m.tw", "--treebank", "web", stdin="a\n")
    assert parser.opened == [("embedded", None), ("embedded=m.tw", "web")]


def test_wrong_requests() -> None:
    assert fail(2, "parse", "--format", "xml").startswith("unknown format 'xml'; choose one of: ")
    assert "cannot read it: No such file" in fail(1, "parse", "missing.txt")
    assert "only one of the inputs" in fail(2, "parse", "--parser", "file=-")
    Path("t.txt").write_text("a\n")
    assert "is also an input" in fail(2, "parse", "t.txt", "-o", "t.txt")
    assert "is also an input" in fail(2, "parse", "--parser", "file=t.txt", "-o", "t.txt")
    assert "cannot write it" in fail(1, "parse", "t.txt", "-o", "missing/out")


def test_a_wrong_parser_lists_the_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    message = fail(2, "parse", "--parser", "malt")
    assert message.startswith("unknown parser 'malt'; choose one of: embedded, ")


def test_trees_of_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    Path("t.trees").write_text("(S (NN a) (NN dog))\n(S-X (-LRB- -LRB-))\n")
    found = succeed_in_part(
        "parse", "--tokenized", "--parser", "file=t.trees", stdin="(\nno\n\na dog\n"
    )
    assert found.lines == [
        "(ROOT (S (-LRB- -LRB-)))",
        "",
        "",
        "(ROOT (S (NN a) (NN dog)))",
    ]
    assert "skipped: -:2: t.trees has no tree with the words 'no'" in found.err


def test_help_needs_no_parser() -> None:
    assert "--tokenized" in succeed("parse", "--help").out

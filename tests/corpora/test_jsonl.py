import io
import json
import sys
from pathlib import Path

import pytest

from treewright.corpora import (
    MAX_LINE,
    Record,
    format_record,
    gather,
    read_pairs,
    read_records,
    scan_lines,
    with_trees,
    write_records,
)
from treewright.errors import DataError, ParseError, Problems
from treewright.trees import parse_tree

SOURCE = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks))))"
TARGET = "(ROOT (S (NP (NN dog)) (VP (VBZ barks))))"


def line(name: str = "a", **fields: object) -> str:
    return json.dumps({"id": name, "source": SOURCE, "targets": [TARGET], **fields})


def corpus(tmp_path: Path, *lines: str | bytes) -> Path:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines))
    return path


def error_of(path: Path, **options: int) -> DataError:
    with pytest.raises(DataError) as caught:
        list(read_pairs(path, **options))
    return caught.value


def test_a_record_holds_its_trees_and_gives_pairs(tmp_path: Path) -> None:
    path = corpus(tmp_path, line(targets=[TARGET, SOURCE], alignments=["1-0 2-1", "0-0 1-1 2-2"]))
    [record] = read_records(path)
    assert record.source == parse_tree(SOURCE)
    assert record.pair(1).target == parse_tree(SOURCE)
    assert record.pair(0).alignment == ((1, 0), (2, 1))
    assert [pair.target for pair in read_pairs(path, target=1)] == [parse_tree(SOURCE)]


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    tree, short = parse_tree(SOURCE.replace("dog", "Hündin")), parse_tree(TARGET)
    records = [
        Record("a", tree, (short, tree)),
        Record("ü", tree, (short,), (((1, 0), (2, 1)),)),
    ]
    path = tmp_path / "out.jsonl"
    assert write_records(path, iter(records)) == 2
    assert list(read_records(path)) == records
    assert "Hündin" in path.read_text(encoding="utf-8")


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    def broken():  # type: ignore[no-untyped-def]
        yield Record("a", parse_tree(SOURCE), (parse_tree(TARGET),))
        raise DataError("stop")

    with pytest.raises(DataError, match="stop"):
        write_records(tmp_path / "out.jsonl", broken())
    assert list(tmp_path.iterdir()) == []


def test_dash_is_standard_input_and_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\ufeff" + line() + "\n"))
    records = list(read_records("-"))
    assert len(records) == 1
    write_records("-", records)
    assert capsys.readouterr().out == format_record(records[0]) + "\n"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ('{"id": "b", ', r":2:\d+: not JSON: .*; expected \{"),
        ("[1]", ":2: found a JSON list; expected"),
        ("[" * 100_000, ":2: JSON beyond all limits"),
        ('{"id": "b", "n": ' + "9" * 5000 + "}", ":2: JSON beyond all limits"),
        ('{"id": "b", "targets": []}', ":2: no field 'source'"),
        (line(7), ":2: 'id' must be a string, found number"),
        (line(""), ":2: the id is empty"),
        (line("b", source=None), "'source' must be a string, found null"),
        (line("b", source="(S (NP (NN x))"), r":2: at character 1 of 'source': the text ends"),
        (line("b", source="(S (NP (NN x) y))"), r"at character 15 of 'source': 'y' stands beside"),
        (line("b", source=""), "in 'source': expected one tree, found 0"),
        (line("b", source="(" * 5000 + "S x" + ")" * 5000), "nesting deeper than the limit"),
        (line("b", source="(S (NN a\x00b))"), "'source' holds U\\+0000, which is not text"),
        (line("b", source="(S (NN \ud800))"), "'source' holds U\\+D800"),
        (line("b", targets=TARGET), "'targets' must be a list of strings, found string"),
        (line("b", targets=[]), "'targets' is empty"),
        (line("b", targets=[TARGET, 3]), r"'targets\[1\]' must be a string"),
        (line("b", targets=[TARGET, "x"]), r"at character 1 of 'targets\[1\]': expected '\('"),
        (line("b", alignments=[]), "0 'alignments' for 1 'targets'"),
        (line("b", alignments=["1-0 9-1"]), "link 9-1 leads to source word 9"),
        (line("b", alignments=["x"]), "'x' is not a link"),
        (line("a"), ":2: id 'a' was used on line 1 already"),
        (line("b") + "\x00", r":2:\d+: a NUL byte"),
        (line("b").encode() + b"\xff", r":2:\d+: byte 0xff is not UTF-8"),
        (line("b", tokens=["the", "cat", "barks"]), "word 2 of the tree is 'dog', .* has 'cat'"),
        (line("b", tokens=["the", "dog"]), "word 3 of the tree is 'barks', .* has past its end"),
        (line("b", source_text="the dog sleeps"), "words differ .* 'barks', .* has 'sleeps'"),
        (line("b", source_text="the dog barks ."), "word 4 of the tree is past its end"),
        (line("b", source_text="the dog"), "'barks', the sentence has its end"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_survives(
    tmp_path: Path, bad: str | bytes, message: str
) -> None:
    path = corpus(tmp_path, line("a"), bad, "", line("z"))
    with pytest.raises(DataError, match=message) as caught:
        list(read_pairs(path))
    assert caught.value.where.startswith(f"{path}:2")
    problems = Problems()
    assert [pair.id for pair in read_pairs(path, problems=problems)] == ["a", "z"]
    assert len(problems.errors) == 1


def test_a_target_that_is_not_there_is_named_with_its_line(tmp_path: Path) -> None:
    path = corpus(tmp_path, line("a", targets=[TARGET, TARGET]), line("b"))
    problems = Problems()
    assert [pair.id for pair in read_pairs(path, target=1, problems=problems)] == ["a"]
    assert str(problems.errors[0]) == (
        f"{path}:2: there is no target 1: the record has 1 target, numbered from 0"
    )


@pytest.mark.parametrize("content", ["", "\n\n", "  \n"])
def test_an_empty_file_is_an_error(tmp_path: Path, content: str) -> None:
    assert "no pairs in it" in str(error_of(corpus(tmp_path, content)))
    problems = Problems()
    assert list(read_records(corpus(tmp_path, content), problems=problems)) == []
    assert len(problems.errors) == 1


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    assert "cannot read it" in str(error_of(tmp_path / "none.jsonl"))


def test_a_sentence_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    long = "(S" + " (NN x)" * 10_000 + ")"
    path = corpus(tmp_path, line("a", source=long), line("b"))
    assert "'source' has 10000 words, the limit is 1000" in str(error_of(path))
    problems = Problems()
    assert [pair.id for pair in read_pairs(path, problems=problems)] == ["b"]


def test_a_line_beyond_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_LINE > 1 << 20
    monkeypatch.setattr("treewright.corpora.limits.MAX_LINE", 300)
    path = corpus(tmp_path, line("a"), "x" * 1000, line("b"), "y" * 301)
    found = list(scan_lines(path))
    assert [entry.number for entry in found] == [1, 2, 3, 4]
    assert [isinstance(entry.record, Record) for entry in found] == [True, False, True, False]
    assert "a line of more than 300 characters" in str(found[1].record)


def test_raw_text_may_differ_from_penn_tokens_only_in_spelling(tmp_path: Path) -> None:
    source = "(S (`` ``) (PRP it) (VBZ 's) ('' '') (-LRB- -LRB-) (CC and\\/or) (-RRB- -RRB-))"
    text = '"it\'s"  (and/or)'
    path = corpus(tmp_path, line(source=source, source_text=text, tokens=None))
    assert len(list(read_records(path))) == 1


def test_errors_inside_a_tree_are_parse_errors(tmp_path: Path) -> None:
    assert isinstance(error_of(corpus(tmp_path, line("b", source="(S"))), ParseError)


def test_all_targets_give_a_pair_each(tmp_path: Path) -> None:
    path = corpus(
        tmp_path,
        line("a", targets=[TARGET, SOURCE], alignments=["1-0 2-1", "0-0 1-1 2-2"]),
        line("b"),
        line("c", targets=[SOURCE, SOURCE, TARGET]),
        "{",
    )
    problems = Problems()
    pairs = list(read_pairs(path, target=None, problems=problems))
    assert [pair.id for pair in pairs] == ["a#0", "a#1", "b", "c#0", "c#1", "c#2"]
    assert [str(pair.target) for pair in pairs[:3]] == [TARGET, SOURCE, TARGET]
    assert [pair.alignment for pair in pairs[:3]] == [
        ((1, 0), (2, 1)),
        ((0, 0), (1, 1), (2, 2)),
        None,
    ]
    assert {str(pair.source) for pair in pairs} == {SOURCE}
    assert [error.where for error in problems.errors] == [f"{path}:4:2"]
    # None of them is missing, however few a record has.
    assert [pair.id for pair in read_pairs(path, target=1, problems=Problems())] == ["a", "c"]


TOKENS = '{"id": "1", "source": "(S (N a) (N b))", "targets": [["x", "y"]], "alignments": ["0-1"]}'


def test_a_target_may_be_tokens_without_a_tree(tmp_path: Path) -> None:
    (tmp_path / "c").write_text(TOKENS + "\n")
    [pair] = read_pairs(tmp_path / "c")
    assert pair.target == pair.target_words == ("x", "y")
    assert pair.alignment == ((0, 1),)
    with pytest.raises(DataError, match="1: the target has no tree, only tokens"):
        _ = pair.target_tree
    problems = Problems()
    assert list(with_trees([pair], problems)) == []
    assert len(problems.errors) == 1
    write_records(tmp_path / "d", read_records(tmp_path / "c"))
    assert json.loads((tmp_path / "d").read_text()) == json.loads(TOKENS)
    assert gather([pair]).target.tokens.total == 2


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ('["x", 1]', r"'targets\[0\]\[1\]' must be a string, found number"),
        ("{}", r"'targets\[0\]' must be a string, found object"),
    ],
)
def test_tokens_that_are_no_text(tmp_path: Path, target: str, message: str) -> None:
    (tmp_path / "c").write_text(TOKENS.replace('["x", "y"]', target) + "\n")
    with pytest.raises(DataError, match=message):
        list(read_pairs(tmp_path / "c"))

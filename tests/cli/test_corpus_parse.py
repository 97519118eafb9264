"""`treewright corpus parse`: tree pairs of plain text."""

from __future__ import annotations

import json
from pathlib import Path

from treewright.corpora import read_records

from ..parsing.embedded.toys import TEXTS
from .runner import fail, run, succeed

SOURCE, TARGET = "the cat sees a bird.", "The cat sees."


def trees() -> list[str]:
    """Let the toy trees be what a parser finds."""
    Path("t.trees").write_text("\n".join(TEXTS), encoding="utf-8")
    return ["--parser", "file=t.trees"]


def test_text_becomes_trees() -> None:
    Path("p.tsv").write_text(f"{SOURCE}\t{TARGET}\n", encoding="utf-8")
    found = succeed("corpus", "parse", "p.tsv", "--output", "o.jsonl", *trees())
    assert (found.out, found.err) == ("", "o.jsonl: 1 pairs\n")
    assert json.loads(Path("o.jsonl").read_text()) == {
        "id": "1",
        "source": TEXTS[0],
        "targets": ["(ROOT (S (NP (DT the) (NN cat)) (VP (VBZ sees)) (. .)))"],
    }
    assert succeed("corpus", "check", "o.jsonl").err == "1 records, 1 pairs, 0 problems\n"


def test_the_embedded_parser_reads_stdin_and_writes_stdout() -> None:
    line = json.dumps({"id": "x", "source": SOURCE, "targets": [TARGET, "a bird"]})
    found = succeed("corpus", "parse", "-", stdin=line)
    assert found.err == "stdout: 1 pairs\n"
    Path("o.jsonl").write_text(found.out)
    [record] = read_records("o.jsonl")
    assert record.source.words() == ("the", "cat", "sees", "a", "bird", ".")
    assert [target.words() for target in record.targets] == [
        ("the", "cat", "sees", "."),
        ("a", "bird"),
    ]


def test_bad_pairs_are_skipped_and_counted() -> None:
    lines = [f"{SOURCE}\tThe dog sees.", f"{SOURCE}\t{TARGET}", "one column"]
    Path("p.tsv").write_text("\n".join(lines))
    found = run("corpus", "parse", "p.tsv", "-o", "o.jsonl", *trees())
    assert found.status == 0
    assert found.err.splitlines() == [
        "skipped: p.tsv:1: the target is not what is left of the source when words are deleted: "
        "word 2, 'dog', is not in the source, or not at this position",
        "skipped: p.tsv:3: found 1 columns; expected a source, a tab and a target",
        "o.jsonl: 1 pairs",
        "2 pairs skipped (--strict stops at the first)",
    ]
    message = fail(1, "corpus", "parse", "p.tsv", "-o", "q.jsonl", "--strict", *trees())
    assert message.startswith("p.tsv:1: the target is not what is left")
    assert not Path("q.jsonl").exists()


def test_a_sentence_that_the_parser_does_not_know() -> None:
    found = run("corpus", "parse", "-", *trees(), stdin="no such words\twords\n")
    assert found.err.startswith("skipped: -:1: ")
    assert found.out == ""


def test_requests_that_make_no_sense() -> None:
    assert "unknown parser 'x'" in fail(2, "corpus", "parse", "p.tsv", "--parser", "x")
    assert "only one of the inputs" in fail(2, "corpus", "parse", "-", "--parser", "file=-")
    Path("p.tsv").write_text("a\ta\n")
    assert "also an input" in fail(2, "corpus", "parse", "p.tsv", "-o", "p.tsv")
    assert fail(1, "corpus", "parse", "none").endswith("No such file or directory")
    found = succeed("corpus", "parse", "-", stdin="\n")
    assert found.err == "-: no pairs in it\nstdout: 0 pairs\n"


def test_an_engine_writes_the_same_pairs_and_reports_the_same_problems() -> None:
    lines = [f"{SOURCE}\t{TARGET}", "one column", f"{SOURCE}\tThe dog sees.", f"{SOURCE}\ta bird"]
    Path("p.tsv").write_text("\n".join(lines))
    here = run("corpus", "parse", "p.tsv", *trees())
    for arguments in (["--engine", "embedded=300MB"], ["--jobs", "2"]):
        found = run("corpus", "parse", "p.tsv", *trees(), *arguments)
        assert (found.status, found.out, found.err) == (here.status, here.out, here.err)


def test_an_unknown_engine_is_named() -> None:
    Path("p.tsv").write_text(f"{SOURCE}\t{TARGET}\n")
    message = fail(2, "corpus", "parse", "p.tsv", "--engine", "duckdb", *trees())
    assert message.startswith("unknown engine 'duckdb'; expected embedded")

"""`treewright plot`: files, numbers on stdout, and what happens when it cannot be done."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ..plots.toys import write_trace
from .runner import fail, run, succeed


def test_a_trace_becomes_a_picture() -> None:
    found = succeed("plot", "trace", write_trace(), "--out", "t.svg", "--title", "a run")
    assert (found.out, found.err) == ("", "")
    assert Path("t.svg").read_text().startswith("<?xml")


def test_a_bad_trace_is_one_line_and_no_picture() -> None:
    Path("t.jsonl").write_text("{}\n")
    message = fail(1, "plot", "trace", "t.jsonl", "--out", "t.svg")
    assert message == "t.jsonl:1: no field 'chain'; is this a trace?"
    assert not Path("t.svg").exists()


def test_rates_are_drawn_and_printed(model: Path, pairs: Path) -> None:
    arguments = ["plot", "rates", pairs, f"A={model}", f"A={model}", model, "--rates", "0.8,0.5"]
    found = succeed(*arguments, "--out", "r.png", "--table", "r.tsv")
    assert Path("r.png").read_bytes().startswith(b"\x89PNG")
    rows = [line.split("\t") for line in Path("r.tsv").read_text().splitlines()]
    points = ["as decoded", "gold rate", "0.5", "0.8"]
    assert [row[:3] for row in rows[1:]] == [
        *[["A", point, "2"] for point in points],
        *[["sample", point, "1"] for point in points],
    ]
    assert "RelF1" in found.out
    assert "|target:0|n:12|" in found.out
    report = json.loads(succeed(*arguments, "--out", "r.svg", "--json").out)
    assert [row["point"] for row in report["rows"][:4]] == ["as decoded", "gold rate", 0.5, 0.8]
    assert f"{report['rows'][3]['relation_f1']:.6f}" == rows[4][6]
    assert report["rows"][0]["spread"]["relation_f1"] == 0.0


def test_losses_are_drawn_and_printed(pairs: Path) -> None:
    Path("c.toml").write_text("rules = false\nrounds = 3\n")
    arguments = ["plot", "losses", pairs, "--dev", pairs, "--config", "c.toml"]
    chosen = ["--losses", "hamming,precision-bp2", "--c", "0.1,0.01"]
    found = succeed(*arguments, *chosen, "--out", "l.png")
    assert Path("l.png").read_bytes().startswith(b"\x89PNG")
    rows = [line.split("│")[1:-1] for line in found.lines if line.startswith("│")]
    assert [[cell.strip() for cell in row[:2]] for row in rows] == [
        ["hamming", "0.01"],
        ["hamming", "0.1"],
        ["precision-bp2", "0.01"],
        ["precision-bp2", "0.1"],
    ]
    assert "|target:0|n:12|" in found.lines[-1]
    report = json.loads(succeed(*arguments, *chosen, "--out", "l.svg", "--json").out)
    assert [point["c"] for point in report["points"]] == [0.01, 0.1, 0.01, 0.1]
    assert f"{100 * report['points'][0]['relation_f1']:.2f}" == rows[0][3].strip()
    assert 0.5 < report["gold_rate"] < 0.8


def test_losses_without_pairs(pairs: Path) -> None:
    Path("empty").write_text("")
    for arguments in (["empty", "--dev", pairs], [pairs, "--dev", "empty"]):
        found = run("plot", "losses", *arguments, "--out", "l.svg")
        assert found.status == 1
        assert found.err.splitlines()[-1].startswith("treewright: ")
        assert not Path("l.svg").exists()


def test_only_ways_to_decode_that_have_curves_are_offered() -> None:
    text = succeed("plot", "rates", "--help").out
    assert "mbr" in text
    assert "mpt" not in text
    assert "mpt: best tree." in " ".join(succeed("transduce", "--help").out.split())


@pytest.mark.parametrize("decode", ["mpt", "foo"])
def test_other_ways_to_decode_are_refused_at_once(decode: str) -> None:
    message = f"unknown decode '{decode}'; choose one of: mbr, viterbi"
    for arguments in (["losses", "none", "--dev", "none"], ["rates", "none", "a=none"]):
        assert fail(2, "plot", *arguments, "--out", "p.svg", "--decode", decode) == message


def test_the_table_may_go_to_stdout(model: Path, pairs: Path) -> None:
    arguments = ["plot", "rates", pairs, model, "--rates", "0.5", "--out", "r.svg"]
    assert succeed(*arguments, "--table", "-").lines[0].startswith("system\tpoint\truns\t")


def test_a_sentence_without_an_output_is_reported_once(closed_model: Path, pairs: Path) -> None:
    found = succeed("plot", "rates", pairs, closed_model, "--rates", "0.5", "--out", "r.svg")
    assert "12 items skipped (--strict stops at the first)" in found.err
    assert fail(1, "plot", "rates", pairs, closed_model, "--out", "s.svg", "--strict")
    assert not Path("s.svg").exists()


def test_without_matplotlib_it_says_what_to_install(
    model: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    dev = ["losses", pairs, "--dev", pairs]
    for arguments in (["trace", "t.jsonl"], ["rates", pairs, model], dev):
        message = fail(2, "plot", *arguments, "--out", "t.svg")
        assert "pip install '.[plots]'" in message
